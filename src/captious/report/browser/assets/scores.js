// All scores of a sample, each with how unusual it is among its series' scores.

const UNUSUAL = 0.05; // the share of lowest or highest scores
const MOST_UNUSUAL = 4; // that are named

function scoresTable(contents, row) {
  const measures = contents.measures.filter(({ name }) => contents.series.some(({ places }) => Object.hasOwn(places, name)));
  if (!measures.length) return null;
  const unusual = [];
  const body = measures.map((measure) =>
    element("tr", {},
      element("th", { scope: "row", title: measure.what || null }, visible(measure.label)),
      contents.series.map(({ index }) => scoreCell(contents, index, measure, row, unusual))));
  return element("section", {},
    element("h3", {}, "Scores"),
    element("p", { class: "note" }, `Bars show how many of ${contents.series.length > 1 ? `a ${contents.seriesName}'s own` : "all"} scores are lower.`,
      unusual.length > 0 && ` Unusual here: ${unusual.slice(0, MOST_UNUSUAL).join("; ")}${unusual.length > MOST_UNUSUAL ? `; and ${unusual.length - MOST_UNUSUAL} more` : ""}.`),
    scrollable("Scores", element("table", { class: "scores" },
      element("thead", {}, element("tr", {},
        element("th", { scope: "col" }, spoken("Measure")),
        contents.series.map(({ index }) => element("th", { scope: "col", class: "number" }, seriesName(contents, index))))),
      element("tbody", {}, body))));
}

function scoreCell(contents, series, measure, row, unusual) {
  const column = contents.scores(series, measure.name);
  const score = column[row];
  if (score !== score) return element("td", { class: "number faint" }, NOTHING);
  const { below, middle } = standing(score, column);
  const extreme = contents.count < 20 ? null : middle >= 1 - UNUSUAL ? "high" : middle <= UNUSUAL ? "low" : null;
  const words = `above ${shareText(below)}`;
  if (extreme) {
    const name = contents.series.length > 1 ? `${contents.series[series].name}'s ` : "";
    unusual.push(`${name}${measure.label} is unusually ${extreme}`);
  }
  const bar = element("span", { class: `standing ${extreme ?? ""}`, "aria-hidden": "true" }, element("span"));
  bar.firstChild.style.width = `${(middle * 100).toFixed(1)}%`;
  return element("td", { class: "number" },
    element("span", { class: "numeral" }, scoreText(score), extreme && element("span", { class: "extreme" }, extreme === "high" ? " \u25b2" : " \u25bc", spoken(` unusually ${extreme}`))),
    bar,
    element("small", { class: "faint" }, words));
}
