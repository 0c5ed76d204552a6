// Human judgements compared with measures: ratings of captions, or which of two is better.

/** The kinds of quantities that need judgements. */
function peopleKinds(contents) {
  if (contents.kind !== "judgements" || !judgement(contents)) return [];
  return [
    judgement(contents).rating && { value: "residual", label: "rank against people's" },
    contents.measures.length > 1 && { value: "discord", label: "farther from people" },
  ].filter(Boolean);
}

/** The attribute that holds the human judgements. */
function judgement(contents) {
  const rating = contents.attribute("rating");
  if (rating?.numbers) return { rating: rating.numbers };
  const preferred = contents.attribute("preferred");
  if (!preferred || contents.series.length < 2) return null;
  return { preferred: preferred.numbers ?? preferredSides(contents, preferred.words) };
}

/** Which series each row's word names: 0, 1, or NaN where it names neither. */
function preferredSides(contents, words) {
  const names = contents.series.slice(0, 2).map(({ name }) => name);
  return Float32Array.from(words, (place) => {
    const side = names.indexOf(contents.words.at(place));
    return side < 0 ? NaN : side;
  });
}

/** How much higher a measure ranks each row than people do: from -1 to 1. */
function residuals(contents, measure, series) {
  const people = ranks(judgement(contents).rating);
  return Float32Array.from(ranks(contents.orientedScores(series, measure)), (rank, row) => rank - people[row]);
}

/** The rank error of a measure in each row, from 0 to 1. */
function rankErrors(contents, measure) {
  const { rating, preferred } = judgement(contents);
  if (rating) return residuals(contents, measure, 0).map(Math.abs);
  const [one, other] = [contents.orientedScores(0, measure), contents.orientedScores(1, measure)];
  const margins = one.map((score, row) => score - other[row]);
  const sizes = ranks(margins.map(Math.abs));
  return margins.map((margin, row) => {
    const towards = preferred[row] === 0 ? Math.sign(margin) : -Math.sign(margin);
    return preferred[row] === preferred[row] ? (1 - towards * sizes[row]) / 2 : NaN;
  });
}

/** The rank errors of one measure minus those of another. */
function rankErrorDifference(contents, measure, other) {
  const [one, two] = [rankErrors(contents, measure), rankErrors(contents, other)];
  return one.map((fault, row) => fault - two[row]);
}
