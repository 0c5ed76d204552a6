// Scores by kinds of captions, with intervals: where each series fails.

class Buckets {
  constructor(contents) {
    this.contents = contents;
    const names = contents.measures.map(({ name }) => name).filter((name) =>
      contents.bucketings.some(({ buckets }) => buckets.some(({ scores }) => Object.hasOwn(scores, name))));
    this.measure = names.includes(contents.usualMeasure) ? contents.usualMeasure : names[0];
    this.cards = element("div", { class: "cards wide" });
    this.node = element("section", { class: "buckets" },
      element("h2", {}, "Kinds of captions"),
      element("p", { class: "note" }, "Scores over the samples of one kind, with 95% confidence intervals."),
      element("div", { class: "controls" },
        element("span", { class: "control" }, element("span", { class: "faint" }, "measure"),
          choice("Measure", names.map((name) => ({ value: name, label: contents.label(name) })), this.measure, (name) => {
            this.measure = name;
            this.draw();
          })),
        legend(contents)),
      this.cards);
    this.draw();
  }

  draw() {
    const shown = this.contents.bucketings.filter(({ buckets }) => buckets.some(({ scores }) => Object.hasOwn(scores, this.measure)));
    this.cards.replaceChildren(...shown.map((bucketing) => this.card(bucketing)));
  }

  card({ title, note, buckets }) {
    const shownBuckets = buckets.filter(({ scores }) => Object.hasOwn(scores, this.measure));
    const numbers = shownBuckets.flatMap(({ scores }) => scores[this.measure].flat()).filter((value) => value !== null);
    const scale = new Scale(padRange(extent(numbers)), [6, 394], 5);
    return element("figure", { class: "card bucketing" },
      element("figcaption", {}, element("strong", {}, escapeHidden(title)), note && element("span", { class: "faint" }, escapeHidden(note))),
      shownBuckets.map((bucket) => this.bucket(bucket, scale)),
      element("div", { class: "bucket" }, element("div", { class: "bucket-label" }),
        ticksBelow(scale, 400)),
      this.table(title, shownBuckets));
  }

  bucket({ label, count, counts, scores }, scale) {
    const estimates = scores[this.measure];
    const lineHeight = 12;
    const height = 8 + estimates.length * lineHeight;
    const drawing = svgElement("svg", { class: "plot", viewBox: `0 0 400 ${height}`, "aria-hidden": "true" },
      svgElement("g", { class: "axis" }, scale.ticks().map((tick) => svgElement("line", { x1: scale.at(tick), x2: scale.at(tick), y1: 0, y2: height }))),
      estimates.map((estimate, series) => svgElement("g", {},
        svgElement("title", {}, `${this.contents.series[series].name}: ${estimateText(estimate)}`),
        pointAndLine(estimate, scale, 4 + lineHeight * (series + 0.5), series))));
    return element("div", { class: "bucket" },
      element("div", { class: "bucket-label" }, element("bdi", {}, escapeHidden(label)), element("span", { class: "faint numeral" }, `n = ${countsText(count, counts)}`)),
      drawing);
  }

  /** The same numbers to be read. */
  table(title, buckets) {
    return element("details", {}, element("summary", {}, "Numbers"),
      scrollable(title, element("table", {},
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "kind"), element("th", { scope: "col", class: "number" }, "n"),
          this.contents.series.map(({ index }) => element("th", { scope: "col", class: "number" }, seriesName(this.contents, index))))),
        element("tbody", {}, buckets.map(({ label, count, counts, scores }) => element("tr", {},
          element("th", { scope: "row" }, escapeHidden(label)), element("td", { class: "number" }, countsText(count, counts)),
          scores[this.measure].map((estimate) => element("td", { class: "number" }, estimateText(estimate)))))))));
  }
}

/** How many rows a kind has: one number, or one for each series where their captions decide. */
function countsText(count, counts) {
  return (counts ?? [count]).map(countText).join(" / ");
}

function estimateText([value, low, high]) {
  return low === null || high === null ? scoreText(value) : `${scoreText(value)} (${scoreText(low)} to ${scoreText(high)})`;
}

function legend(contents) {
  return element("span", { class: "legend" }, contents.series.map(({ index }) => seriesName(contents, index)));
}
