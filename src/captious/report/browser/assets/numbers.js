// Numbers as they are written, and what is counted of them.

const MINUS = "\u2212";
const MISSING_VALUE = "\u2013";

/** A score: three digits after the point, fewer where it is large. */
function scoreText(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING_VALUE;
  const size = Math.abs(value);
  if (size >= 1e6) return value.toExponential(2).replace("-", MINUS);
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return value.toFixed(digits).replace(/^-(?=0\.?0*$)/, "").replace("-", MINUS);
}

/** A number that may be a count, a year or a rating: a whole one has no digits after the point. */
function plainText(value) {
  return Number.isInteger(value) ? String(value).replace("-", MINUS) : scoreText(value);
}

function countText(count) {
  return count.toLocaleString("en");
}

/** "1 sample", "5,000 samples". */
function pluralize(count, one, many = `${one}s`) {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** A share in whole percent, never 0 or 100 where it is neither. */
function shareText(share) {
  if (share > 0 && share < 0.01) return "less than 1%";
  if (share < 1 && share > 0.99) return "more than 99%";
  return `${Math.round(share * 100)}%`;
}

/** The least and the greatest of columns, leaving out what is not there. */
function extent(...columns) {
  let low = Infinity;
  let high = -Infinity;
  for (const column of columns) {
    for (const value of column) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

/** The share of numbers below this one, and of those above it. */
function shareBelow(value, column) {
  let below = 0;
  let above = 0;
  let count = 0;
  for (const other of column) {
    if (other < value) below++;
    else if (other > value) above++;
    if (other === other) count++;
  }
  return { below: below / count, above: above / count, middle: (below + (count - above)) / (2 * count) };
}

/** Ranks from 0 to 1, equal numbers sharing theirs; NaN where a number is not there. */
function ranks(column) {
  const rows = [];
  for (let row = 0; row < column.length; row++) if (column[row] === column[row]) rows.push(row);
  rows.sort((one, other) => column[one] - column[other]);
  const result = new Float64Array(column.length).fill(NaN);
  for (let first = 0; first < rows.length; ) {
    let last = first;
    while (last + 1 < rows.length && column[rows[last + 1]] === column[rows[first]]) last++;
    const rank = rows.length > 1 ? (first + last) / 2 / (rows.length - 1) : 0.5;
    for (; first <= last; first++) result[rows[first]] = rank;
  }
  return result;
}

/** Pearson's correlation of the rows where both are there. */
function correlation(one, other) {
  let count = 0;
  let sumX = 0;
  let sumY = 0;
  for (let row = 0; row < one.length; row++) {
    const sum = one[row] + other[row];
    if (sum !== sum) continue;
    count++;
    sumX += one[row];
    sumY += other[row];
  }
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let row = 0; row < one.length; row++) {
    const x = one[row] - sumX / count;
    const y = other[row] - sumY / count;
    if (x + y !== x + y) continue;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  return { count, value: xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : NaN };
}
