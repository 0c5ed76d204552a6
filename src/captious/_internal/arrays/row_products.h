/* Rows times a packed matrix, in single precision, every sum in one fixed order.
 *
 * An element is the chain  s = fma(row[k], matrix[k][column], s)  for k = 0, 1, 2, ...  starting at
 * 0. A fused multiply-add is rounded once, by definition (IEEE 754), so that the chain has one
 * result: whichever instructions compute it, wherever the row stands, and however many rows and
 * columns are computed beside it.
 *
 * A packed matrix has panels of PANEL columns, one after the other, the last filled up with zeros;
 * a panel has a line of PANEL numbers for each k.
 */
#ifndef CAPTIOUS_ROW_PRODUCTS_H
#define CAPTIOUS_ROW_PRODUCTS_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "float and double must be rounded after every operation"
#endif

#define PANEL 32

enum { PORTABLE, AVX2, AVX512, KINDS };

typedef void (*tile_function)(const float *const *rows, ptrdiff_t depth, const float *panel,
                              float *tile);

/* ---- without instructions for it ------------------------------------------------------------ */

#define PORTABLE_ROWS 1
#if defined(__FMA__) || defined(__aarch64__) || defined(_M_ARM64)
static void portable_tile(const float *const *rows, ptrdiff_t depth, const float *panel,
                          float *tile) {
    float sums[PANEL] = {0};
    for (ptrdiff_t k = 0; k < depth; k++)
        for (int column = 0; column < PANEL; column++)
            sums[column] = fmaf(rows[0][k], panel[k * PANEL + column], sums[column]);
    memcpy(tile, sums, sizeof sums);
}
#else
/* The product of two floats is exact in double precision. Its sum with a third is rounded there and
 * again to single precision, which differs from one rounding only if the first one ends half-way
 * between two floats (or below the normal ones, where half-ways are elsewhere). Such a sum is
 * rounded to odd first (Boldo and Melquiond 2008), which makes the second rounding right. */
static inline int may_be_half_way(double sum) { /* & and |: a loop of this has no branches */
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    int is_half_way = ((uint32_t)bits & 0x1fffffff) == 0x10000000;
    return is_half_way | ((fabs(sum) < FLT_MIN) & (sum != 0));
}

static double round_to_odd(double product, double addend) {
    double sum = product + addend, added = sum - product;
    double error = (product - (sum - added)) + (addend - added);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (error != 0 && !(bits & 1))
        bits += (error > 0) == (sum > 0) ? 1 : -1;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

static void portable_tile(const float *const *rows, ptrdiff_t depth, const float *panel,
                          float *tile) {
    float sums[PANEL] = {0};
    for (ptrdiff_t k = 0; k < depth; k++, panel += PANEL) {
        double products[PANEL], totals[PANEL], number = rows[0][k];
        int half_ways = 0;
        for (int column = 0; column < PANEL; column++) {
            products[column] = number * panel[column];
            totals[column] = products[column] + sums[column];
        }
        for (int column = 0; column < PANEL; column++)
            half_ways |= may_be_half_way(totals[column]);
        for (int column = 0; half_ways && column < PANEL; column++)
            if (may_be_half_way(totals[column]))
                totals[column] = round_to_odd(products[column], sums[column]);
        for (int column = 0; column < PANEL; column++)
            sums[column] = (float)totals[column];
    }
    memcpy(tile, sums, sizeof sums);
}
#endif

/* ---- x86 with AVX2 and FMA, or AVX-512 ------------------------------------------------------- */

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#ifdef _MSC_VER
#include <intrin.h>
#define FOR(instructions)
#else
#define FOR(instructions) __attribute__((target(instructions)))
#endif

/* As many sums as registers hold beside a line of the panel and one number of a row. */
#define AVX2_ROWS 6
FOR("avx2,fma")
static void avx2_tile(const float *const *rows, ptrdiff_t depth, const float *panel, float *tile) {
    for (int start = 0; start < PANEL; start += 16) {
        __m256 sums[AVX2_ROWS][2];
        for (int row = 0; row < AVX2_ROWS; row++)
            sums[row][0] = sums[row][1] = _mm256_setzero_ps();
        for (ptrdiff_t k = 0; k < depth; k++) {
            __m256 left = _mm256_loadu_ps(panel + k * PANEL + start);
            __m256 right = _mm256_loadu_ps(panel + k * PANEL + start + 8);
            for (int row = 0; row < AVX2_ROWS; row++) {
                __m256 number = _mm256_broadcast_ss(rows[row] + k);
                sums[row][0] = _mm256_fmadd_ps(number, left, sums[row][0]);
                sums[row][1] = _mm256_fmadd_ps(number, right, sums[row][1]);
            }
        }
        for (int row = 0; row < AVX2_ROWS; row++) {
            _mm256_storeu_ps(tile + row * PANEL + start, sums[row][0]);
            _mm256_storeu_ps(tile + row * PANEL + start + 8, sums[row][1]);
        }
    }
}

#define AVX512_ROWS 12
FOR("avx512f")
static void avx512_tile(const float *const *rows, ptrdiff_t depth, const float *panel,
                        float *tile) {
    __m512 sums[AVX512_ROWS][2];
    for (int row = 0; row < AVX512_ROWS; row++)
        sums[row][0] = sums[row][1] = _mm512_setzero_ps();
    for (ptrdiff_t k = 0; k < depth; k++) {
        __m512 left = _mm512_loadu_ps(panel + k * PANEL);
        __m512 right = _mm512_loadu_ps(panel + k * PANEL + 16);
        for (int row = 0; row < AVX512_ROWS; row++) {
            __m512 number = _mm512_set1_ps(rows[row][k]);
            sums[row][0] = _mm512_fmadd_ps(number, left, sums[row][0]);
            sums[row][1] = _mm512_fmadd_ps(number, right, sums[row][1]);
        }
    }
    for (int row = 0; row < AVX512_ROWS; row++) {
        _mm512_storeu_ps(tile + row * PANEL, sums[row][0]);
        _mm512_storeu_ps(tile + row * PANEL + 16, sums[row][1]);
    }
}

static int supports(int kind) {
#ifdef _MSC_VER
    int leaf[4];
    __cpuid(leaf, 0);
    if (kind == PORTABLE || leaf[0] < 7)
        return kind == PORTABLE;
    __cpuid(leaf, 1);
    int has_fma = leaf[2] >> 12 & 1, saves_registers = leaf[2] >> 27 & 1;
    if (!has_fma || !saves_registers)
        return 0;
    uint64_t saved = _xgetbv(0);
    __cpuidex(leaf, 7, 0);
    if (kind == AVX2)
        return (saved & 0x6) == 0x6 && (leaf[1] >> 5 & 1);
    return (saved & 0xe6) == 0xe6 && (leaf[1] >> 16 & 1);
#else
    if (kind == AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return kind == PORTABLE || (kind == AVX512 && __builtin_cpu_supports("avx512f"));
#endif
}

#define MOST_ROWS AVX512_ROWS
static const struct {
    tile_function multiply;
    int rows;
} TILES[KINDS] = {
    {portable_tile, PORTABLE_ROWS}, {avx2_tile, AVX2_ROWS}, {avx512_tile, AVX512_ROWS}};

#else
#define MOST_ROWS PORTABLE_ROWS
static const struct {
    tile_function multiply;
    int rows;
} TILES[1] = {{portable_tile, PORTABLE_ROWS}};

static int supports(int kind) { return kind == PORTABLE; }
#endif

/* ---- the nearest rows ------------------------------------------------------------------------ */

/* Chains of one row with others, side by side: the next step of a chain waits for its last one. */
#define CHAINS 8
typedef void (*chain_function)(const float *row, const float *const *others, ptrdiff_t depth,
                               float *sums);

static inline float fuse(float x, float y, float z) {
#if defined(__FMA__) || defined(__aarch64__) || defined(_M_ARM64)
    return fmaf(x, y, z);
#else
    double product = (double)x * y, total = product + z;
    return (float)(may_be_half_way(total) ? round_to_odd(product, z) : total);
#endif
}

static void portable_chains(const float *row, const float *const *others, ptrdiff_t depth,
                            float *sums) {
    memset(sums, 0, CHAINS * sizeof(float));
    for (ptrdiff_t k = 0; k < depth; k++)
        for (int other = 0; other < CHAINS; other++)
            sums[other] = fuse(row[k], others[other][k], sums[other]);
}

#if defined(__x86_64__) || defined(_M_X64)
FOR("avx2,fma")
static void fma_chains(const float *row, const float *const *others, ptrdiff_t depth,
                       float *sums) {
    __m128 totals[CHAINS];
    for (int other = 0; other < CHAINS; other++)
        totals[other] = _mm_setzero_ps();
    for (ptrdiff_t k = 0; k < depth; k++) {
        __m128 number = _mm_load_ss(row + k);
        for (int other = 0; other < CHAINS; other++)
            totals[other] = _mm_fmadd_ss(number, _mm_load_ss(others[other] + k), totals[other]);
    }
    for (int other = 0; other < CHAINS; other++)
        _mm_store_ss(sums + other, totals[other]);
}
#endif

static chain_function chains_of(int kind) {
#if defined(__x86_64__) || defined(_M_X64)
    return kind == PORTABLE ? portable_chains : fma_chains;
#else
    return portable_chains;
#endif
}

/* For each row, and each of the segments from its first to before its last, none of them empty, the
 * place of the other row whose product with it is highest; of equal ones the first, and NaN before
 * all, as NumPy's argmax has it. */
static void nearest_rows(int kind, const float *rows, const int64_t *row_at, ptrdiff_t count,
                         ptrdiff_t depth, const float *others, const int64_t *other_at,
                         const int64_t *segments, const int64_t *firsts, const int64_t *lasts,
                         int64_t *nearest) {
    const chain_function multiply = chains_of(kind);
    const float *beside[CHAINS];
    float sums[CHAINS], best = 0;
    for (ptrdiff_t each = 0; each < count; each++) {
        const float *row = rows + row_at[each] * depth;
        int64_t next = firsts[each], end = segments[lasts[each]];
        for (int64_t start = segments[next]; start < end; start += CHAINS) {
            for (int chain = 0; chain < CHAINS; chain++)
                beside[chain] =
                    others + other_at[start + chain < end ? start + chain : end - 1] * depth;
            multiply(row, beside, depth, sums);
            for (int chain = 0; chain < CHAINS && start + chain < end; chain++) {
                float sum = sums[chain];
                if (start + chain == segments[next]) {
                    next++;
                    nearest++;
                } else if (!(sum > best || (sum != sum && best == best))) {
                    continue;
                }
                nearest[-1] = start + chain;
                best = sum;
            }
        }
    }
}

/* ---- any number of rows ---------------------------------------------------------------------- */

/* Strides are in numbers. Where rows are left over, the last one fills the tile up. */
static void multiply_rows(int kind, const float *rows, ptrdiff_t row_stride, ptrdiff_t row_count,
                          ptrdiff_t depth, const float *packed, ptrdiff_t columns, float *products,
                          ptrdiff_t product_stride) {
    float tile[MOST_ROWS * PANEL];
    const float *of_tile[MOST_ROWS];
    const int tile_rows = TILES[kind].rows;
    for (ptrdiff_t column = 0; column < columns; column += PANEL, packed += depth * PANEL) {
        size_t width = (size_t)(columns - column < PANEL ? columns - column : PANEL);
        for (ptrdiff_t start = 0; start < row_count; start += tile_rows) {
            for (int row = 0; row < tile_rows; row++) {
                ptrdiff_t at = start + row < row_count ? start + row : row_count - 1;
                of_tile[row] = rows + at * row_stride;
            }
            TILES[kind].multiply(of_tile, depth, packed, tile);
            for (int row = 0; row < tile_rows && start + row < row_count; row++)
                memcpy(products + (start + row) * product_stride + column, tile + row * PANEL,
                       width * sizeof(float));
        }
    }
}

#endif
