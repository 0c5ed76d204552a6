// Tables above the samples: the leaderboard, differences, agreement with people.

const INTERVAL_HEIGHT = 12;

function boardsView(contents) {
  return contents.boards.map((board) => boardView(contents, board));
}

function boardView(contents, board) {
  // As wide as a table of all columns may be on a usual screen.
  const width = Math.round(Math.max(56, Math.min(112, 1080 / board.header.length - 16)));
  const scales = board.header.map((_, column) => columnScale(board, column, width));
  const names = new Map(contents.series.map(({ name, index }) => [name, index]));
  const kind = (column) => (column < board.texts ? "text" : "number");
  return element("section", { class: "board" },
    element("h2", {}, escapeHidden(board.title)),
    scrollable(board.title, element("table", {},
      element("thead", {}, element("tr", {}, board.header.map((name, column) =>
        element("th", { scope: "col", class: kind(column) }, escapeHidden(name))))),
      element("tbody", {}, board.rows.map((row) =>
        element("tr", {}, row.map((cell, column) =>
          element(column === 0 && board.texts > 0 ? "th" : "td",
            { class: kind(column), scope: column === 0 && board.texts > 0 ? "row" : null },
            column < board.texts && names.has(cell.text) ? seriesName(contents, names.get(cell.text)) : boardCell(cell, scales[column], width)))))))),
    board.caption && element("p", { class: "note" }, escapeHidden(board.caption)));
}

/** A table that scrolls within itself where the screen is narrow. */
function scrollable(label, table) {
  return element("div", { class: "scrollable", role: "region", "aria-label": label, tabindex: "0" }, table);
}

function columnScale(board, column, width) {
  const numbers = board.rows.flatMap((row) => row[column]?.estimated ?? []).filter((value) => value !== null);
  return numbers.length ? new Scale(padRange(extent(numbers), 0.06), [4, width - 4]) : null;
}

function boardCell(cell, scale, width) {
  const text = cell.best
    ? element("strong", {}, escapeHidden(cell.text), screenReaderText(" (best)"))
    : element("span", {}, escapeHidden(cell.text));
  if (!cell.estimated || cell.estimated[0] === null) return [text];
  const [value, low, high] = cell.estimated;
  const interval = low === null || high === null ? "" : `, from ${scoreText(low)} to ${scoreText(high)}`;
  return [text, svgElement("svg", {
    class: "interval", width, height: INTERVAL_HEIGHT, viewBox: `0 0 ${width} ${INTERVAL_HEIGHT}`,
    role: "img", "aria-label": `${scoreText(value)}${interval}`,
  }, svgElement("title", {}, `${scoreText(value)}${interval}`), pointAndLine(cell.estimated, scale, INTERVAL_HEIGHT / 2, null, 2.8))];
}
