// The list of samples: rows are drawn as they scroll into view.

const MAX_LINES = 3; // captions a row; of more series, the highest and the lowest
const MAX_LIST_HEIGHT_PX = 8e6; // beyond this height browsers lose count, and the list moves faster than the bar
const MAX_EXCERPT_LETTERS = 300; // letters of a caption in the list
const EXTRA_ROWS = 6; // rows drawn beyond those in view

class SampleList {
  constructor(contents, selection, open) {
    Object.assign(this, { contents, selection, open });
    this.active = 0; // a position among those selected
    this.drawn = new Map(); // the rows that are there, by position
    this.lines = Math.min(contents.series.length, MAX_LINES);
    this.rowHeight = 18 + 21 * (1 + this.lines);
    this.head = element("p", { class: "list-head faint" });
    this.space = element("div", { class: "list-space", role: "presentation" });
    this.node = element("div", {
      class: "list", role: "listbox", tabindex: "0", "aria-label": "Samples",
      on: {
        scroll: () => this.schedule(),
        keydown: (event) => this.key(event),
        focus: () => this.draw(),
        click: (event) => this.click(event),
      },
    }, this.space);
    this.node.style.setProperty("--row", `${this.rowHeight}px`);
    selection.listen(() => this.reset());
    new ResizeObserver(() => this.schedule()).observe(this.node);
  }

  /** The measure whose scores the rows show. */
  get measure() {
    return this.selection.sort.quantity.measure ?? this.contents.usualMeasure;
  }

  get count() {
    return this.selection.rows.length;
  }

  get height() {
    return this.count * this.rowHeight;
  }

  /** How many pixels of rows a pixel of the scroll bar stands for. */
  get ratio() {
    const seen = this.node.clientHeight;
    const tall = Math.min(this.height, MAX_LIST_HEIGHT_PX);
    return tall > seen ? (this.height - seen) / (tall - seen) : 1;
  }

  reset() {
    this.active = 0;
    this.drawn.clear();
    this.node.scrollTop = 0;
    this.draw();
  }

  schedule() {
    this.scheduled ??= requestAnimationFrame(() => {
      this.scheduled = null;
      this.draw();
    });
  }

  /** Draw the rows that are in view; those that were already are kept. */
  draw() {
    this.head.textContent = this.headText();
    this.space.style.height = `${Math.min(this.height, MAX_LIST_HEIGHT_PX)}px`;
    const top = this.node.scrollTop * this.ratio;
    const first = Math.max(0, Math.floor(top / this.rowHeight) - EXTRA_ROWS);
    const last = Math.min(this.count, Math.ceil((top + this.node.clientHeight) / this.rowHeight) + EXTRA_ROWS);
    const shift = this.node.scrollTop - top;
    const drawnRows = new Map();
    for (let position = first; position < last; position++) {
      const option = this.drawn.get(position) ?? this.option(position);
      option.style.transform = `translateY(${position * this.rowHeight + shift}px)`;
      option.classList.toggle("active", position === this.active);
      option.setAttribute("aria-selected", this.selection.rows[position] === this.opened);
      drawnRows.set(position, option);
    }
    this.drawn = drawnRows;
    const nodes = this.count ? [...drawnRows.values()] : [this.emptyNote()];
    const { children } = this.space;
    // Rows that stay are not touched: one that is put back while a mouse button is down gets no click event.
    if (nodes.length !== children.length || nodes.some((node, at) => node !== children[at])) this.space.replaceChildren(...nodes);
    if (this.count && this.active >= first && this.active < last) this.node.setAttribute("aria-activedescendant", `option-${this.active}`);
    else this.node.removeAttribute("aria-activedescendant");
  }

  emptyNote() {
    return element("p", { class: "empty" }, this.contents.count ? "No sample is like this." : "There are no samples.");
  }

  /** Which captions and scores the rows show. */
  headText() {
    const { series } = this.contents;
    const which = series.length > MAX_LINES ? `highest, middle and lowest of ${series.length}` : "";
    const scores = this.measure === undefined ? "" : `scores: ${this.contents.label(this.measure)}`;
    return [which, scores].filter(Boolean).join(" · ");
  }

  option(position) {
    const row = this.selection.rows[position];
    const image = this.contents.image(row);
    return element("div", {
      class: "option", role: "option", id: `option-${position}`,
      "aria-setsize": this.count, "aria-posinset": position + 1, "data-position": position,
    },
      image && element("img", { src: image, alt: "", loading: "lazy", class: "thumbnail" }),
      element("div", { class: "option-text" }, this.firstLine(row), this.captions(row)));
  }

  /** The first line: the id, a reference, and what the list is sorted by. */
  firstLine(row) {
    const { contents, selection } = this;
    const reference = contents.references(row)[0];
    const { quantity } = selection.sort;
    const sorted = quantity.kind !== FILE_ORDER && quantity.kind !== "score";
    return element("div", { class: "option-line" },
      element("bdi", { class: "id" }, this.excerpt(contents.id(row))),
      reference === undefined ? element("span", { class: "grow" }) : element("bdi", { class: "grow reference faint", dir: "auto" }, this.excerpt(reference)),
      sorted && element("bdi", { class: "numeral key", title: describeQuantity(contents, quantity) }, escapeHidden(valueText(contents, quantity, row).slice(0, 40))));
  }

  captions(row) {
    return this.shownSeries(row).map((series) => {
      const caption = this.contents.caption(series, row);
      const score = this.measure === undefined ? NaN : this.contents.scores(series, this.measure)[row];
      return element("div", { class: "option-line" },
        marker(series), screenReaderText(`${this.contents.series[series].name}: `),
        caption === null
          ? element("bdi", { class: "grow faint" }, escapeHidden(this.contents.series[series].name))
          : element("bdi", { class: "grow", dir: "auto" }, this.excerpt(caption)),
        element("span", { class: "numeral" }, scoreText(score)));
    });
  }

  /** All series, or of many the highest, the middle and the lowest in this row. */
  shownSeries(row) {
    const { series } = this.contents;
    const all = series.map(({ index }) => index);
    if (all.length <= MAX_LINES) return all;
    const scores = all.map((index) => this.contents.scores(index, this.measure)[row]);
    const scored = all.filter((index) => scores[index] === scores[index]).sort((one, other) => scores[other] - scores[one]);
    if (scored.length < MAX_LINES) return all.slice(0, MAX_LINES);
    return [scored[0], scored[scored.length >> 1], scored[scored.length - 1]];
  }

  excerpt(text) {
    return markedText(text.slice(0, MAX_EXCERPT_LETTERS) || " ", [{ words: this.selection.terms, tag: "mark", class: "hit", anywhere: true }]);
  }

  /** Make a position the active one, and see that it is in view. */
  move(position) {
    if (!this.count) return;
    this.active = Math.max(0, Math.min(this.count - 1, position));
    const top = this.active * this.rowHeight;
    const seen = this.node.scrollTop * this.ratio;
    const below = top + this.rowHeight - this.node.clientHeight;
    if (top < seen) this.node.scrollTop = top / this.ratio;
    else if (below > seen) this.node.scrollTop = below / this.ratio;
    this.draw();
  }

  /** The row that is active. */
  get row() {
    return this.selection.rows[this.active];
  }

  /** Show which row is opened. */
  show(row) {
    this.opened = row;
    const position = this.selection.positions.get(row);
    if (position === undefined) this.draw();
    else this.move(position);
  }

  click(event) {
    const option = event.target.closest(".option");
    if (!option) return;
    this.move(Number(option.dataset.position));
    this.open(this.row);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) {
      this.move(Math.max(-1e9, Math.min(1e9, this.active + steps[event.key])));
      if (this.opened !== undefined) this.open(this.row, { moving: true });
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.count) this.open(this.row);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
