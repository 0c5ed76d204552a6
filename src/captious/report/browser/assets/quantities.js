// Quantities: what rows can be sorted by, filtered by and plotted against. Each is a plain object
// with a `kind` and what that kind needs: a measure, a series, another series or measure.

const FILE_ORDER = "whole"; // the order of the file

/** The kinds of quantities that these contents have. */
function kindsOfQuantities(contents) {
  const measures = contents.measures.length > 0 && contents.series.length > 0;
  const hasSeveralSeries = measures && contents.series.length > 1;
  return [
    measures && { value: "score", label: "score" },
    hasSeveralSeries && { value: "difference", label: "difference of two" },
    hasSeveralSeries && { value: "spread", label: "disagreement" },
    hasSeveralSeries && { value: "mean", label: "mean score of all" },
    contents.hasCaptions && { value: "words", label: "words in caption" },
    contents.series.some(({ unsupported }) => unsupported) && { value: "unsupported", label: "unsupported words" },
    contents.referencesOf && { value: "references", label: "words in references" },
    ...peopleKinds(contents),
    ...contents.attributes
      .filter(({ numbers }) => numbers)
      .map(({ name }) => ({ value: `attribute:${name}`, label: name })),
  ].filter(Boolean);
}

/** Which parts a kind has, beside its kind. */
function partsOf(kind) {
  return (
    {
      score: ["measure", "series"],
      difference: ["measure", "series", "other"],
      spread: ["measure"],
      mean: ["measure"],
      words: ["series"],
      unsupported: ["series"],
      residual: ["measure", "series"],
      discord: ["measure", "otherMeasure"],
    }[kind] ?? []
  );
}

/** A quantity of this kind, which keeps the parts of the previous one. */
function quantityOf(contents, kind, previous = {}) {
  const defaults = {
    measure: contents.usualMeasure,
    series: 0,
    other: 1,
    otherMeasure: contents.measures.find(({ name }) => name !== (previous.measure ?? contents.usualMeasure))?.name ?? contents.usualMeasure,
  };
  const quantity = { kind };
  for (const part of partsOf(kind)) quantity[part] = previous[part] ?? defaults[part];
  return quantity;
}

/** A quantity in words. */
function describeQuantity(contents, quantity) {
  const label = contents.label(quantity.measure);
  const name = (index) => contents.series[index].name;
  const of = contents.series.length > 1 ? ` of ${name(quantity.series ?? 0)}` : "";
  switch (quantity.kind) {
    case "score":
      return `${label}${of}`;
    case "difference":
      return `${label}: ${name(quantity.series)} ${MINUS} ${name(quantity.other)}`;
    case "spread":
      return `disagreement in ${label}`;
    case "mean":
      return `mean ${label}`;
    case "words":
      return `words in caption${of}`;
    case "unsupported":
      return `unsupported words${of}`;
    case "references":
      return "words in references";
    case "residual":
      return `${label}${of} against people`;
    case "discord":
      return `${label} farther from people than ${contents.label(quantity.otherMeasure)}`;
    case FILE_ORDER:
      return "order of the file";
    default:
      return attributeName(quantity.kind);
  }
}

/** A quantity's value for each row, NaN where there is none; cached. */
function valuesOf(contents, quantity) {
  contents.valuesByQuantity ??= new Map();
  const key = JSON.stringify(quantity);
  if (!contents.valuesByQuantity.has(key)) contents.valuesByQuantity.set(key, computeValues(contents, quantity));
  return contents.valuesByQuantity.get(key);
}

function computeValues(contents, quantity) {
  const { kind, measure, series, other } = quantity;
  switch (kind) {
    case "score":
      return contents.scores(series, measure);
    case "difference": {
      const [one, two] = [contents.scores(series, measure), contents.scores(other, measure)];
      return one.map((score, row) => score - two[row]);
    }
    case "spread":
    case "mean":
      return meanAndSpread(contents, measure)[kind];
    case "words":
      return captionCounts(contents, series, wordCounts(contents));
    case "unsupported":
      return Float32Array.from({ length: contents.count }, (_, row) => contents.series[series].unsupported?.length(row) ?? NaN);
    case "references":
      return referenceCounts(contents, wordCounts(contents));
    case "residual":
      return residuals(contents, measure, series);
    case "discord":
      return rankErrorDifference(contents, measure, quantity.otherMeasure);
    case FILE_ORDER:
      return Float32Array.from({ length: contents.count }, (_, row) => row);
    default: {
      const { numbers, words } = contents.attribute(attributeName(kind));
      return numbers ?? alphabeticalPlaces(contents, words);
    }
  }
}

/** The mean of all series' scores, and how far the highest is from the lowest. */
function meanAndSpread(contents, measure) {
  const mean = new Float32Array(contents.count);
  const spread = new Float32Array(contents.count);
  const columns = contents.series.map((_, series) => contents.scores(series, measure));
  for (let row = 0; row < contents.count; row++) {
    let [low, high, sum, count] = [Infinity, -Infinity, 0, 0];
    for (const column of columns) {
      const score = column[row];
      if (score !== score) continue;
      low = Math.min(low, score);
      high = Math.max(high, score);
      sum += score;
      count++;
    }
    mean[row] = count ? sum / count : NaN;
    spread[row] = count > 1 ? high - low : NaN;
  }
  return { mean, spread };
}

/** How many words each different text has. */
function wordCounts(contents) {
  contents.wordCounts ??= Uint32Array.from({ length: contents.texts.count }, (_, place) => {
    let count = 0;
    for (const _ of contents.texts.at(place).matchAll(/\S+/g)) count++;
    return count;
  });
  return contents.wordCounts;
}

function captionCounts(contents, series, counts) {
  const { captions } = contents.series[series];
  return Float32Array.from({ length: contents.count }, (_, row) => (captions ? counts[captions[row]] : NaN));
}

/** The mean number of words of each row's references. */
function referenceCounts(contents, counts) {
  return Float32Array.from({ length: contents.count }, (_, row) => {
    const places = contents.referencesOf.at(row);
    let sum = 0;
    for (const place of places) sum += counts[place];
    return sum / places.length;
  });
}

/** Attributes that are texts have an order, but are no numbers. */
function textAttributeKinds(contents) {
  return contents.attributes.filter(({ words }) => words).map(({ name }) => ({ value: `group:${name}`, label: name }));
}

function attributeName(kind) {
  return kind.replace(/^(attribute|group):/, "");
}

/** The place of each row's text among the different ones. */
function alphabeticalPlaces(contents, words) {
  const distinct = [...new Set(words)].sort((one, other) => contents.words.at(one).localeCompare(contents.words.at(other), "en", { numeric: true }));
  const places = new Map(distinct.map((word, place) => [word, place]));
  return Float32Array.from(words, (word) => places.get(word));
}

/** A row's value of a quantity, as it is written. */
function valueText(contents, quantity, row) {
  if (quantity.kind.startsWith("group:")) return contents.words.at(contents.attribute(attributeName(quantity.kind)).words[row]);
  const value = valuesOf(contents, quantity)[row];
  return partsOf(quantity.kind).includes("measure") ? scoreText(value) : plainText(value);
}
