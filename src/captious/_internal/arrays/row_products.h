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

#define PACKED_STEPS 16 /* numbers of a row that are packed at a time, so that their lines stay near */

/* Columns beyond `width` keep what they have: their products are not read. */
static void pack_panel(const float *rows, const int64_t *row_at, ptrdiff_t width, ptrdiff_t depth,
                       float *panel) {
    for (ptrdiff_t start = 0; start < depth; start += PACKED_STEPS) {
        ptrdiff_t end = start + PACKED_STEPS < depth ? start + PACKED_STEPS : depth;
        for (ptrdiff_t column = 0; column < width; column++) {
            const float *row = rows + row_at[column] * depth;
            for (ptrdiff_t k = start; k < end; k++)
                panel[k * PANEL + column] = row[k];
        }
    }
}

/* Of equal products the first is the nearest, and NaN comes before all, as in NumPy's argmax. */
static inline int is_nearer(float product, float best) {
    return product > best || (product != product && best == best);
}

/* One group of rows, and the others beside it, in segments of which none is empty: for each row the
 * place of the nearest other of each segment, and for each other the place of the nearest row.
 * `best` has the product of each such nearest other, `panel` room for PANEL others. */
static void nearest_in_group(int kind, const float *rows, const int64_t *row_at, int64_t first_row,
                             int64_t end_row, ptrdiff_t depth, const float *others,
                             const int64_t *other_at, const int64_t *segments, int64_t first_segment,
                             int64_t end_segment, float *panel, float *best, int64_t *nearest_other,
                             int64_t *nearest_row) {
    float tile[MOST_ROWS * PANEL], best_of_column[PANEL];
    const float *of_tile[MOST_ROWS];
    const int tile_rows = TILES[kind].rows;
    const int64_t end = segments[end_segment], width = end_segment - first_segment;
    int64_t segment_of_panel = first_segment;
    for (int64_t start = segments[first_segment]; start < end; start += PANEL) {
        const int64_t columns = end - start < PANEL ? end - start : PANEL;
        pack_panel(others, other_at + start, columns, depth, panel);
        while (segments[segment_of_panel + 1] <= start)
            segment_of_panel++;
        for (int64_t tile_row = first_row; tile_row < end_row; tile_row += tile_rows) {
            for (int row = 0; row < tile_rows; row++) {
                int64_t at = tile_row + row < end_row ? tile_row + row : end_row - 1;
                of_tile[row] = rows + row_at[at] * depth;
            }
            TILES[kind].multiply(of_tile, depth, panel, tile);
            for (int row = 0; row < tile_rows && tile_row + row < end_row; row++) {
                const int64_t place = tile_row + row;
                int64_t segment = segment_of_panel;
                int64_t at = (place - first_row) * width + segment - first_segment;
                for (int64_t column = 0; column < columns; column++) {
                    const float product = tile[row * PANEL + column];
                    if (start + column == segments[segment + 1]) {
                        segment++;
                        at++;
                    }
                    if (start + column == segments[segment] || is_nearer(product, best[at])) {
                        best[at] = product;
                        nearest_other[at] = start + column;
                    }
                    if (place == first_row || is_nearer(product, best_of_column[column])) {
                        best_of_column[column] = product;
                        nearest_row[start + column] = place;
                    }
                }
            }
        }
    }
}

/* Group i has the rows from groups[i] to before groups[i + 1], and beside it are the segments from
 * bounds[i] to before bounds[i + 1]. Answers for its rows follow one another, row by row. */
static void nearest_rows(int kind, const float *rows, const int64_t *row_at, const int64_t *groups,
                         const int64_t *bounds, ptrdiff_t count, ptrdiff_t depth,
                         const float *others, const int64_t *other_at, const int64_t *segments,
                         float *panel, float *best, int64_t *nearest_other, int64_t *nearest_row) {
    for (ptrdiff_t group = 0; group < count; group++) {
        nearest_in_group(kind, rows, row_at, groups[group], groups[group + 1], depth, others,
                         other_at, segments, bounds[group], bounds[group + 1], panel, best,
                         nearest_other, nearest_row);
        const int64_t answers =
            (groups[group + 1] - groups[group]) * (bounds[group + 1] - bounds[group]);
        best += answers;
        nearest_other += answers;
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
