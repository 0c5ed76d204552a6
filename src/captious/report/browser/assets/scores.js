// All scores of a sample, each with how unusual it is among its series' scores.

const UNUSUAL_SHARE = 0.05; // the share of lowest or highest scores
const MAX_UNUSUAL_NAMED = 4; // that are named

function scoresTable(contents, row) {
  const measures = contents.measures.filter(({ name }) => contents.series.some(({ places }) => Object.hasOwn(places, name)));
  if (!measures.length) return null;
  const unusual = [];
  const body = measures.map((measure) =>
    element("tr", {},
      element("th", { scope: "row", title: measure.what || null }, escapeHidden(measure.label)),
      contents.series.map(({ index }) => scoreCell(contents, index, measure, row, unusual))));
  return element("section", {},
    element("h3", {}, "Scores"),
    element("p", { class: "note" }, `Bars show how many of ${contents.series.length > 1 ? `a ${contents.seriesName}'s own` : "all"} scores are lower.`,
      unusual.length > 0 && ` Unusual here: ${unusual.slice(0, MAX_UNUSUAL_NAMED).join("; ")}${unusual.length > MAX_UNUSUAL_NAMED ? `; and ${unusual.length - MAX_UNUSUAL_NAMED} more` : ""}.`),
    scrollable("Scores", element("table", { class: "scores" },
      element("thead", {}, element("tr", {},
        element("th", { scope: "col" }, screenReaderText("Measure")),
        contents.series.map(({ index }) => element("th", { scope: "col", class: "number" }, seriesName(contents, index))))),
      element("tbody", {}, body))));
}

function scoreCell(contents, series, measure, row, unusual) {
  const column = contents.scores(series, measure.name);
  const score = column[row];
  if (score !== score) return element("td", { class: "number faint" }, MISSING_VALUE);
  const { below, middle } = shareBelow(score, column);
  const extreme = contents.count < 20 ? null : middle >= 1 - UNUSUAL_SHARE ? "high" : middle <= UNUSUAL_SHARE ? "low" : null;
  const words = `above ${shareText(below)}`;
  if (extreme) {
    const name = contents.series.length > 1 ? `${contents.series[series].name}'s ` : "";
    unusual.push(`${name}${measure.label} is unusually ${extreme}`);
  }
  const bar = element("span", { class: `standing ${extreme ?? ""}`, "aria-hidden": "true" }, element("span"));
  bar.firstChild.style.width = `${(middle * 100).toFixed(1)}%`;
  return element("td", { class: "number" },
    element("span", { class: "numeral" }, scoreText(score), extreme && element("span", { class: "extreme" }, extreme === "high" ? " \u25b2" : " \u25bc", screenReaderText(` unusually ${extreme}`))),
    bar,
    element("small", { class: "faint" }, words));
}
