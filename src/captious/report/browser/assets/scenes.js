// Scene graphs side by side: what a caption shares with its references, has alone, and leaves out.

const KINDS_OF_PARTS = ["objects", "attributes", "relations"]; // by the number of words of a part

function scenesView(contents, row) {
  const shown = contents.series.filter(({ scenes }) => scenes);
  if (!shown.length && !contents.referenceScenesOf) return null;
  const references = contents.referenceScenesOf && [...contents.referenceScenesOf.at(row)];
  return element("section", {},
    element("h3", {}, "Scene graphs"),
    element("div", { class: "scenes" },
      shown.map(({ index, scenes, matched, found }) => sceneCard(contents, seriesName(contents, index, "h4"), groupParts([...scenes.at(row)], references, matched?.at(row), found?.at(row)))),
      !shown.length && sceneCard(contents, element("h4", {}, "References"), [["in the references", "shared", references]])));
}

/** Parts in groups: shared with the references, only here, missing; as SPICE matched them, where it is known. */
function groupParts(parts, references, matched, found) {
  if (!references) return [["in the caption", "alone", parts]];
  const shared = matched ? new Set(matched) : placesIn(parts, references);
  const foundPlaces = found ? new Set(found) : placesIn(references, parts);
  return [
    ["shared with references", "shared", parts.filter((_, place) => shared.has(place))],
    ["only here", "alone", parts.filter((_, place) => !shared.has(place))],
    ["missing", "missing", references.filter((_, place) => !foundPlaces.has(place))],
  ];
}

/** The places of those that are among others, too. */
function placesIn(parts, others) {
  const otherParts = new Set(others);
  return new Set([...parts.keys()].filter((place) => otherParts.has(parts[place])));
}

function sceneCard(contents, title, grouped) {
  const uniqueGroups = grouped.map(([label, kind, parts]) => [label, kind, [...new Set(parts)]]);
  return element("div", { class: "scene" }, title, uniqueGroups.map(([label, kind, parts]) =>
    element("div", { class: `scene-group ${kind}` },
      element("h5", {}, `${label} (${parts.length})`),
      KINDS_OF_PARTS.map((name, at) => chips(name, contents.sceneParts(parts).filter((part) => part.length === at + 1))))));
}

function chips(name, parts) {
  if (!parts.length) return null;
  return element("ul", { class: "chips", "aria-label": name }, parts.map((part) =>
    element("li", {}, element("bdi", {}, escapeHidden(partText(part))))));
}

/** (dog), (dog, brown), (dog, on, sofa) as people read them. */
function partText(part) {
  if (part.length === 2) return `${part[0]} · ${part[1]}`;
  if (part.length === 3) return `${part[0]} \u2014 ${part[1]} \u2192 ${part[2]}`;
  return part.join(" · ");
}
