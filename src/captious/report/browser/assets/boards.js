// Tables above the samples: the leaderboard, differences, agreement with people.

const DRAWING = { width: 66, height: 12 };

function boardsView(contents) {
  return contents.boards.map((board) => boardView(board));
}

function boardView(board) {
  const scales = board.header.map((_, column) => columnScale(board, column));
  const kind = (column) => (column < board.texts ? "text" : "number");
  return element("section", { class: "board" },
    element("h2", {}, visible(board.title)),
    scrollable(board.title, element("table", {},
      element("thead", {}, element("tr", {}, board.header.map((name, column) =>
        element("th", { scope: "col", class: kind(column) }, visible(name))))),
      element("tbody", {}, board.rows.map((row) =>
        element("tr", {}, row.map((cell, column) =>
          element(column === 0 && board.texts > 0 ? "th" : "td",
            { class: kind(column), scope: column === 0 && board.texts > 0 ? "row" : null },
            boardCell(cell, scales[column])))))))),
    board.caption && element("p", { class: "note" }, visible(board.caption)));
}

/** A table that scrolls within itself where the screen is narrow. */
function scrollable(label, table) {
  return element("div", { class: "scrollable", role: "region", "aria-label": label, tabindex: "0" }, table);
}

function columnScale(board, column) {
  const numbers = board.rows.flatMap((row) => row[column]?.estimated ?? []).filter((value) => value !== null);
  return numbers.length ? new Scale(padded(extent(numbers), 0.06), [3, DRAWING.width - 3]) : null;
}

function boardCell(cell, scale) {
  const text = cell.best
    ? element("strong", {}, visible(cell.text), spoken(" (best)"))
    : element("span", {}, visible(cell.text));
  if (!cell.estimated || cell.estimated[0] === null) return [text];
  const [value, low, high] = cell.estimated;
  const interval = low === null || high === null ? "" : `, from ${scoreText(low)} to ${scoreText(high)}`;
  return [text, drawn("svg", {
    class: "interval", width: DRAWING.width, height: DRAWING.height, viewBox: `0 0 ${DRAWING.width} ${DRAWING.height}`,
    role: "img", "aria-label": `${scoreText(value)}${interval}`,
  }, drawn("title", {}, `${scoreText(value)}${interval}`), pointAndLine(cell.estimated, scale, DRAWING.height / 2))];
}
