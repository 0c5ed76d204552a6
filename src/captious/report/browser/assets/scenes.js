// Scene graphs side by side: what a caption shares with its references, has alone, and leaves out.

const KINDS_OF_PARTS = ["objects", "attributes", "relations"]; // by the number of words of a part

function scenesView(contents, row) {
  const shown = contents.series.filter(({ scenes }) => scenes);
  if (!shown.length && !contents.referenceScenesOf) return null;
  const references = contents.referenceScenesOf && [...new Set(contents.referenceScenesOf.at(row))];
  return element("section", {},
    element("h3", {}, "Scene graphs"),
    element("div", { class: "scenes" },
      shown.map(({ index, scenes }) => sceneCard(contents, seriesName(contents, index, "h4"), groups([...new Set(scenes.at(row))], references))),
      !shown.length && sceneCard(contents, element("h4", {}, "References"), [["in the references", "shared", references]])));
}

/** Parts in groups: shared with the references, only here, missing. */
function groups(parts, references) {
  if (!references) return [["in the caption", "alone", parts]];
  const [here, there] = [new Set(parts), new Set(references)];
  return [
    ["shared with references", "shared", parts.filter((part) => there.has(part))],
    ["only here", "alone", parts.filter((part) => !there.has(part))],
    ["missing", "missing", references.filter((part) => !here.has(part))],
  ];
}

function sceneCard(contents, title, grouped) {
  return element("div", { class: "scene" }, title, grouped.map(([label, kind, parts]) =>
    element("div", { class: `scene-group ${kind}` },
      element("h5", {}, `${label} (${parts.length})`),
      KINDS_OF_PARTS.map((name, at) => chips(name, contents.sceneParts(parts).filter((part) => part.length === at + 1))))));
}

function chips(name, parts) {
  if (!parts.length) return null;
  return element("ul", { class: "chips", "aria-label": name }, parts.map((part) =>
    element("li", {}, element("bdi", {}, visible(partText(part))))));
}

/** (dog), (dog, brown), (dog, on, sofa) as people read them. */
function partText(part) {
  if (part.length === 2) return `${part[0]} · ${part[1]}`;
  if (part.length === 3) return `${part[0]} \u2014 ${part[1]} \u2192 ${part[2]}`;
  return part.join(" · ");
}
