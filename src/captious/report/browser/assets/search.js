// Search: each different text is looked at once, however many rows have it.

/** What is searched for: words, and phrases in quotes, in lower case. */
function termsOf(query) {
  return [...query.toLowerCase().matchAll(/"([^"]+)"?|[^\s"]+/g)].map(([all, phrase]) => phrase ?? all);
}

class Search {
  constructor(contents) {
    this.contents = contents;
  }

  /** All texts in lower case, made when first needed. */
  lowered() {
    if (!this.known) {
      const { texts } = this.contents;
      this.known = Array.from({ length: texts.count }, (_, place) => texts.at(place).toLowerCase());
    }
    return this.known;
  }

  /** For each row whether all terms are somewhere in its id, captions or references. */
  rows(terms) {
    const wanted = new Uint8Array(this.contents.count).fill(1);
    for (const term of terms) this.narrow(wanted, this.texts(term));
    return wanted;
  }

  /** For each different text whether it has the term. */
  texts(term) {
    const texts = this.lowered();
    const has = new Uint8Array(texts.length);
    for (let place = 0; place < texts.length; place++) if (texts[place].includes(term)) has[place] = 1;
    return has;
  }

  narrow(wanted, has) {
    const { ids, series, referencesOf } = this.contents;
    const columns = [ids, ...series.map(({ captions }) => captions).filter(Boolean)];
    for (let row = 0; row < wanted.length; row++) {
      if (!wanted[row]) continue;
      let found = 0;
      for (const column of columns) found |= has[column[row]];
      if (!found && referencesOf) {
        const { values, offsets } = referencesOf;
        for (let at = offsets[row]; at < offsets[row + 1]; at++) found |= has[values[at]];
      }
      wanted[row] = found;
    }
  }
}
