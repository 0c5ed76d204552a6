// A sample opened: its image, references and captions, with all that is known of them.

class SampleView {
  constructor(contents, selection, { move, close }) {
    Object.assign(this, { contents, selection, move, close });
    this.node = element("article", { class: "sample", tabindex: "-1", "aria-labelledby": "sample-title", hidden: true });
    selection.listen(() => {
      if (this.row !== undefined) this.node.firstChild.replaceWith(this.head(this.row));
    });
  }

  show(row) {
    this.row = row;
    this.node.hidden = row === undefined;
    this.node.replaceChildren(...(row === undefined ? [] : this.parts(row)));
    this.node.scrollTop = 0;
  }

  parts(row) {
    return [this.head(row), this.picture(row), this.attributes(row), this.references(row), this.captions(row),
      scoresTable(this.contents, row), scenesView(this.contents, row)].filter(Boolean);
  }

  head(row) {
    const position = this.selection.positions.get(row);
    const place = position === undefined ? "not among those shown" : `${countText(position + 1)} of ${countText(this.selection.rows.length)}`;
    return element("header", { class: "sample-head" },
      element("h2", { id: "sample-title" }, element("a", { href: `#${this.contents.link(row)}`, title: "Link to this sample" },
        element("bdi", {}, escapeHidden(this.contents.id(row))))),
      element("span", { class: "faint" }, place),
      element("span", { class: "grow" }),
      this.step("\u2191", -1, "Previous sample", "Previous (k)"),
      this.step("\u2193", 1, "Next sample", "Next (j)"),
      button("\u2715", () => this.close(), { "aria-label": "Close the sample", title: "Close (Escape)" }));
  }

  /** A button to another sample, which has the focus there, too. */
  step(text, by, label, title) {
    return button(text, () => {
      this.move(by);
      this.node.querySelector(`[aria-label="${label}"]`).focus();
    }, { "aria-label": label, title });
  }

  picture(row) {
    const address = this.contents.image(row);
    if (!address) return null;
    const image = element("img", { src: address, alt: `The image of sample ${this.contents.id(row)}` });
    image.addEventListener("error", () => image.replaceWith(element("p", { class: "faint" }, "The image is not where the report expects it: ", escapeHidden(address.slice(0, 200)))));
    return element("figure", { class: "picture" }, image);
  }

  attributes(row) {
    const { contents } = this;
    if (!contents.attributes.length) return null;
    return element("dl", { class: "attributes" }, contents.attributes.map(({ name, what, numbers, words }) => [
      element("dt", { title: what || null }, escapeHidden(name)),
      element("dd", {}, numbers ? plainText(numbers[row]) : element("bdi", {}, escapeHidden(contents.words.at(words[row])))),
    ]));
  }

  references(row) {
    if (!this.contents.referencesOf) return null;
    const references = this.contents.references(row);
    return element("section", {},
      element("h3", {}, references.length === 1 ? "Reference" : `References (${references.length})`),
      element("ol", { class: "references" }, references.map((text) => element("li", {}, captionText(text, this.hits())))));
  }

  hits() {
    return [{ words: this.selection.terms, tag: "mark", class: "hit", anywhere: true }];
  }

  captions(row) {
    const { contents } = this;
    if (!contents.hasCaptions) return null;
    const marked = contents.series.some(({ unsupported }) => unsupported);
    return element("section", {},
      element("h3", {}, contents.series.length > 1 ? "Captions" : "Caption"),
      marked && element("p", { class: "note" }, element("mark", { class: "unsupported" }, "Underlined"), " words are in no reference."),
      element("div", { class: "captions" }, contents.series.map(({ index }) => this.caption(index, row))));
  }

  caption(index, row) {
    const { contents } = this;
    const { unsupported, missing } = contents.series[index];
    const text = contents.caption(index, row);
    const words = unsupported ? contents.wordsAt(unsupported, row) : [];
    const marks = [{ words, tag: "mark", class: "unsupported", title: "in no reference" }, ...this.hits()];
    return element("div", { class: "captioned" },
      seriesName(contents, index, "h4"),
      text === null ? element("p", { class: "faint" }, "not kept") : captionText(text, marks, "p"),
      words.length > 0 && screenReaderText(`In no reference: ${words.join(", ")}.`),
      wordList("in no reference", words.filter((word) => !text?.toLowerCase().includes(word.toLowerCase())), "alone"),
      wordList("left out", missing ? contents.wordsAt(missing, row) : [], "missing"),
      sentenceList(contents.sentences(index, row)));
  }
}

function sentenceList(sentences) {
  if (sentences.length < 2) return null;
  return element("table", { class: "sentences" },
    element("caption", { class: "faint" }, "chance of each sentence beside the nearest of every reference"),
    element("tbody", {}, sentences.map(({ text, chance }) => element("tr", { class: chance < 0.5 ? "unlikely" : "" },
      element("td", { class: "number" }, chance.toFixed(2)),
      element("td", {}, element("bdi", {}, escapeHidden(text)))))));
}

function wordList(label, words, kind) {
  if (!words.length) return null;
  return element("div", { class: `word-list ${kind}` }, element("span", { class: "faint" }, label),
    element("ul", { class: "chips" }, words.map((word) => element("li", {}, element("bdi", {}, escapeHidden(word))))));
}
