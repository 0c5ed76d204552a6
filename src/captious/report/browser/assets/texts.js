// Captions as they are shown: words marked, hidden characters made visible, hostile ones harmless.

const MAX_CAPTION_LETTERS = 1500; // letters of a caption before it is cut, with a button that shows the rest
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const JOINERS = "\u200c\u200d"; // scripts and emoji are written with them
const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** A text with marks: each of them `{words, tag, class}`; earlier marks go first. */
function markedText(text, marks = []) {
  const lowered = text.toLowerCase();
  const ranges = [];
  // Where lower case has another length, places in it are none in the text.
  if (lowered.length === text.length) {
    for (const mark of marks) {
      for (const word of mark.words) ranges.push(...placesOf(lowered, word.toLowerCase(), mark));
    }
  }
  ranges.sort((one, other) => one.from - other.from);
  const nodes = [];
  let at = 0;
  for (const { from, to, mark } of ranges) {
    if (from < at) continue;
    nodes.push(...escapeHidden(text.slice(at, from)));
    nodes.push(element(mark.tag, { class: mark.class, title: mark.title }, escapeHidden(text.slice(from, to))));
    at = to;
  }
  nodes.push(...escapeHidden(text.slice(at)));
  return nodes;
}

/** Where a word is: as a whole word, or, unless it must be one, within others. */
function placesOf(text, word, mark) {
  const whole = [];
  const within = [];
  for (let from = word ? text.indexOf(word) : -1; from >= 0; from = text.indexOf(word, from + word.length)) {
    const to = from + word.length;
    const isWholeWord = !LETTER.test(text[from - 1] ?? "") && !LETTER.test(text[to] ?? "");
    (isWholeWord ? whole : within).push({ from, to, mark });
  }
  if (mark.anywhere) return whole.concat(within);
  return whole.length ? whole : within;
}

/** A text as nodes, with hidden characters replaced by their names. */
function escapeHidden(text) {
  if (!HIDDEN.test(text)) return [text];
  const nodes = [];
  let plain = "";
  for (const letter of text) {
    if (!HIDDEN.test(letter) || JOINERS.includes(letter)) {
      plain += letter;
      continue;
    }
    const name = { "\n": "\\n", "\t": "\\t", "\r": "\\r" }[letter] ??
      `U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    nodes.push(plain, element("span", { class: "hidden-letter" }, name));
    plain = "";
  }
  nodes.push(plain);
  return nodes;
}

/** A caption, isolated from the direction of what is around it. */
function captionText(text, marks, tag = "bdi") {
  const caption = element(tag, { dir: "auto", class: "caption" });
  if (!text.trim()) {
    caption.append(element("span", { class: "faint" }, "(empty)"));
  } else if (text.length <= MAX_CAPTION_LETTERS) {
    caption.append(...markedText(text, marks));
  } else {
    const more = button(`show all ${countText(text.length)} characters`, () => caption.replaceChildren(...markedText(text, marks)), { class: "link" });
    caption.append(...markedText(text.slice(0, MAX_CAPTION_LETTERS), marks), " … ", more);
  }
  return caption;
}

/** A series' mark: a colour and a shape. */
function marker(series) {
  return svgElement("svg", { class: `marker s${series % 9}`, viewBox: "-6 -6 12 12", "aria-hidden": "true" },
    svgElement("path", { d: markerPath(series, 4.6) }));
}

/** The outline of a series' mark around the origin. */
function markerPath(series, size) {
  const s = size;
  const b = s * 0.9;
  return [
    `M${-s} 0a${s} ${s} 0 1 0 ${2 * s} 0a${s} ${s} 0 1 0 ${-2 * s} 0z`,
    `M${-b} ${-b}H${b}V${b}H${-b}z`,
    `M0 ${-s * 1.1}L${s * 1.1} ${b}H${-s * 1.1}z`,
    `M0 ${-s * 1.25}L${s * 1.25} 0L0 ${s * 1.25}L${-s * 1.25} 0z`,
    `M0 ${s * 1.1}L${s * 1.1} ${-b}H${-s * 1.1}z`,
    `M${-s / 3} ${-s * 1.1}h${(2 * s) / 3}v${s * 0.77}h${s * 0.77}v${(2 * s) / 3}h${-s * 0.77}v${s * 0.77}h${(-2 * s) / 3}v${-s * 0.77}h${-s * 0.77}v${(-2 * s) / 3}h${s * 0.77}z`,
    `M${-s * 1.1} 0L${b} ${-s * 1.1}V${s * 1.1}z`,
    `M${s * 1.1} 0L${-b} ${-s * 1.1}V${s * 1.1}z`,
    `M${-s} ${-s * 0.55}L0 ${-s * 1.2}L${s} ${-s * 0.55}V${s * 0.55}L0 ${s * 1.2}L${-s} ${s * 0.55}z`,
  ][(series + Math.floor(series / 9)) % 9]; // the tenth has the first one's colour, but the second one's shape
}

/** A series' name with its mark. */
function seriesName(contents, series, tag = "span") {
  return element(tag, { class: "series-name" }, marker(series), element("bdi", {}, escapeHidden(contents.series[series].name)));
}
