// How each measure's scores are spread, series by series.

const BINS = 40;
const ROW = { height: 30, width: 300, left: 4, right: 4 };

function distributionsView(contents) {
  const measures = contents.measures.filter(({ name }) => contents.series.some(({ places }) => Object.hasOwn(places, name)));
  if (!measures.length || !contents.count) return null;
  return element("section", { class: "distributions" },
    element("h2", {}, "Distributions"),
    element("p", { class: "note" }, `Scores of all ${pluralize(contents.count, "sample")}: the shape, its quartiles (line) and the median (mark, and number).`),
    element("div", { class: "cards" }, measures.map((measure) => distributionCard(contents, measure))));
}

/** A card that is drawn when it comes into view, for its scores have to be sorted. */
function distributionCard(contents, measure) {
  const card = element("figure", { class: "card distribution" },
    element("figcaption", {}, element("strong", {}, escapeHidden(measure.label)), measure.what && element("span", { class: "faint" }, escapeHidden(measure.what))));
  const rows = contents.series.filter(({ places }) => Object.hasOwn(places, measure.name)).length;
  card.style.minHeight = `${70 + rows * 52}px`;
  drawWhenSeen(card, () => card.append(...distributionRows(contents, measure)));
  return card;
}

function distributionRows(contents, measure) {
  const series = contents.series.filter(({ places }) => Object.hasOwn(places, measure.name));
  const columns = series.map(({ index }) => contents.scores(index, measure.name).filter((score) => score === score).sort());
  const scale = new Scale(extent(...columns), [ROW.left, ROW.width - ROW.right], 4);
  return [
    ...series.map(({ index }, at) => distributionRow(contents, index, columns[at], scale)),
    ticksBelow(scale, ROW.width),
  ];
}

/** One series: its name, its median, and the shape of its scores, which come sorted. */
function distributionRow(contents, series, sorted, scale) {
  const quantile = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  const [low, median, high] = [0.25, 0.5, 0.75].map(quantile);
  const label = sorted.length
    ? `${contents.series[series].name}: median ${scoreText(median)}, half of its scores from ${scoreText(low)} to ${scoreText(high)}`
    : `${contents.series[series].name}: no scores`;
  return element("div", { class: "distribution-row" },
    element("div", { class: "distribution-label" }, seriesName(contents, series), element("span", { class: "numeral" }, scoreText(median))),
    svgElement("svg", { class: "plot", viewBox: `0 0 ${ROW.width} ${ROW.height}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      svgElement("title", {}, label),
      sorted.length && [
        svgElement("path", { class: `shape s${series % 9}`, d: histogramPath(sorted, scale) }),
        pointAndLine([median, low, high], scale, ROW.height - 3.5, series, 3),
      ]));
}

/** The outline of a histogram. */
function histogramPath(sorted, scale) {
  const counts = new Float64Array(BINS);
  for (const score of sorted) counts[Math.min(BINS - 1, Math.floor(((score - scale.low) / (scale.high - scale.low)) * BINS))]++;
  const maxCount = Math.max(...counts);
  const base = ROW.height - 8;
  const width = (scale.to - scale.from) / BINS;
  const outline = Array.from(counts, (count, bin) => `V${(base - (count / maxCount) * (base - 1)).toFixed(1)}H${(scale.from + (bin + 1) * width).toFixed(1)}`);
  return `M${scale.from} ${base}${outline.join("")}V${base}z`;
}
