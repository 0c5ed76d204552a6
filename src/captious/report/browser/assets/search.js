// Search: each different text is looked at once, however many rows have it.

/** The terms of a query: words, and phrases in quotes, in lower case. */
function termsOf(query) {
  return [...query.toLowerCase().matchAll(/"([^"]+)"?|[^\s"]+/g)].map(([all, phrase]) => phrase ?? all);
}

class Search {
  constructor(contents) {
    this.contents = contents;
  }

  /** All texts in lower case, made when first needed. */
  lowerCaseTexts() {
    if (!this.lowerTexts) {
      const { texts } = this.contents;
      this.lowerTexts = Array.from({ length: texts.count }, (_, place) => texts.at(place).toLowerCase());
    }
    return this.lowerTexts;
  }

  /** For each row whether all terms are somewhere in its id, captions or references. */
  rows(terms) {
    const matching = new Uint8Array(this.contents.count).fill(1);
    for (const term of terms) this.narrow(matching, this.texts(term));
    return matching;
  }

  /** For each different text whether it has the term. */
  texts(term) {
    const texts = this.lowerCaseTexts();
    const has = new Uint8Array(texts.length);
    for (let place = 0; place < texts.length; place++) if (texts[place].includes(term)) has[place] = 1;
    return has;
  }

  narrow(matching, has) {
    const { ids, series, referencesOf } = this.contents;
    const columns = [ids, ...series.map(({ captions }) => captions).filter(Boolean)];
    for (let row = 0; row < matching.length; row++) {
      if (!matching[row]) continue;
      let found = 0;
      for (const column of columns) found |= has[column[row]];
      if (!found && referencesOf) {
        const { values, offsets } = referencesOf;
        for (let at = offsets[row]; at < offsets[row + 1]; at++) found |= has[values[at]];
      }
      matching[row] = found;
    }
  }
}
