// The contents of the page, row by row; columns are decoded on first access.

const PREFERRED_MEASURES = ["captious", "cider_d", "cider", "spice"]; // shown first, if there

const EMPTY_ID = "="; // in links: an id that is "=" is written %3D there

class Contents {
  constructor({ header, columns }) {
    Object.assign(this, {
      kind: header.kind,
      title: header.title,
      count: header.count,
      measures: header.measures,
      boards: header.boards,
      bucketings: header.bucketings,
      findings: header.findings,
      made: header.made,
    });
    this.columns = columns;
    this.texts = columns.texts(header.texts);
    this.words = columns.texts(header.words);
    this.addresses = columns.texts(header.addresses);
    this.ids = columns.numbers(header.ids);
    this.images = header.images && columns.numbers(header.images);
    this.referencesOf = columns.ragged(header.references);
    this.referenceScenesOf = columns.ragged(header.referenceScenes);
    this.scenes = columns.ragged(header.scenes);
    this.series = header.series.map((series, index) => ({
      index,
      name: series.name,
      places: series.scores,
      scores: new Map(),
      captions: series.captions && columns.numbers(series.captions),
      unsupported: columns.ragged(series.unsupported),
      missing: columns.ragged(series.missing),
      scenes: columns.ragged(series.scenes),
      matched: columns.ragged(series.matched),
      found: columns.ragged(series.found),
      sentences: columns.ragged(series.sentences),
    }));
    this.attributes = header.attributes.map(({ name, what, numbers, words }) => ({
      name,
      what,
      numbers: numbers && columns.numbers(numbers),
      words: words && columns.numbers(words),
    }));
    this.hasCaptions = this.series.some(({ captions }) => captions);
    this.usualMeasure =
      PREFERRED_MEASURES.find((name) => this.measures.some((measure) => measure.name === name)) ??
      this.measures[0]?.name;
  }

  /** "systems" or "series", as this kind of page calls them. */
  get seriesName() {
    return this.kind === "systems" ? "system" : "series";
  }

  id(row) {
    return this.texts.at(this.ids[row]);
  }

  /** A series' scores in a measure, NaN where there are none. */
  scores(series, measure) {
    const { scores, places } = this.series[series];
    if (!scores.has(measure)) {
      scores.set(measure, Object.hasOwn(places, measure) ? this.columns.numbers(places[measure]) : new Float32Array(this.count).fill(NaN));
    }
    return scores.get(measure);
  }

  measure(name) {
    return this.measures.find((measure) => measure.name === name);
  }

  /** Whether low scores of a measure are the good ones. */
  lowerIsBetter(name) {
    return Boolean(this.measure(name)?.lowerIsBetter);
  }

  /** A series' scores, negated where lower is better, so that higher is always better. */
  orientedScores(series, measure) {
    const scores = this.scores(series, measure);
    return this.lowerIsBetter(measure) ? scores.map((score) => -score) : scores;
  }

  label(name) {
    return this.measure(name)?.label ?? name;
  }

  attribute(name) {
    return this.attributes.find((attribute) => attribute.name === name);
  }

  caption(series, row) {
    const { captions } = this.series[series];
    return captions ? this.texts.at(captions[row]) : null;
  }

  references(row) {
    return this.referencesOf ? [...this.referencesOf.at(row)].map((place) => this.texts.at(place)) : [];
  }

  /** The sentences of a long caption with the chance of each; none where it is one sentence. */
  sentences(series, row) {
    const numbers = this.series[series].sentences?.at(row) ?? [];
    return Array.from({ length: numbers.length / 2 }, (_, place) => (
      { text: this.words.at(numbers[2 * place]), chance: numbers[2 * place + 1] / 1000 }));
  }

  wordsAt(ragged, row) {
    return [...ragged.at(row)].map((place) => this.words.at(place));
  }

  /** A scene's parts, each a list of words. */
  sceneParts(places) {
    return [...places].map((place) => this.wordsAt(this.scenes, place));
  }

  /** Where the image is, unless it is nothing that a page may show. */
  image(row) {
    const address = this.images ? this.addresses.at(this.images[row]) : "";
    return /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/.test(address) ||
      !/^ *([A-Za-z][A-Za-z0-9+.-]*:|[/\\]{2})|[\x00-\x1f]/.test(address)
      ? address
      : "";
  }

  /** How a link names a row: by its id, and among equal ids by its number. */
  link(row) {
    const rows = this.rowsByPlace().get(this.ids[row]);
    const id = encodeURIComponent(this.id(row)) || EMPTY_ID;
    return rows.length > 1 ? `${id}/${rows.indexOf(row) + 1}` : id;
  }

  /** The row that a link names, or nothing. */
  linked(link) {
    const [id, number = "1"] = link.split("/");
    // Links that others write by hand may have a slash or a percent sign as it is.
    return this.rowsOf(id === EMPTY_ID ? "" : decodeLink(id))?.[Number(number) - 1] ?? this.rowsOf(decodeLink(link))?.[0] ?? this.rowsOf(link)?.[0];
  }

  rowsOf(id) {
    if (!this.placesById) {
      this.placesById = new Map();
      for (const place of this.ids) this.placesById.set(this.texts.at(place), place);
    }
    return this.rowsByPlace().get(this.placesById.get(id));
  }

  rowsByPlace() {
    if (!this.rows) {
      this.rows = new Map();
      this.ids.forEach((place, row) => {
        if (this.rows.has(place)) this.rows.get(place).push(row);
        else this.rows.set(place, [row]);
      });
    }
    return this.rows;
  }
}

/** Decode a part of an address; return it unchanged where it is malformed. */
function decodeLink(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
