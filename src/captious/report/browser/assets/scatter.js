// Two quantities against each other, a point a sample; a point opens its sample.

const MARGIN = { left: 52, right: 12, top: 10, bottom: 30 };
const MAX_POINTER_DISTANCE_PX = 14; // pixels between the pointer and a point it means
const MAX_JITTERED_VALUES = 12; // of a quantity: its points are spread a little, or they would hide each other

class Scatter {
  constructor(contents, selection, open) {
    Object.assign(this, { contents, selection, open });
    const [x, y] = this.defaults();
    this.x = new Picker(contents, "Across", x, () => this.draw());
    this.y = new Picker(contents, "Upwards", y, () => this.draw());
    this.frame = svgElement("svg", { class: "plot", "aria-hidden": "true" });
    this.canvas = element("canvas", {
      tabindex: "0", role: "application", "aria-label": "Scatter plot: arrow keys go from point to point, Enter opens the sample",
      on: {
        pointermove: (event) => this.hover(event),
        pointerleave: () => this.point(undefined),
        click: (event) => this.click(event),
        keydown: (event) => this.key(event),
        blur: () => this.point(undefined),
      },
    });
    this.tip = element("div", { class: "tip", hidden: true });
    this.note = element("p", { class: "note", role: "status" });
    this.stage = element("div", { class: "stage" }, this.frame, this.canvas, this.tip);
    this.node = element("section", { class: "scatter" },
      element("h2", {}, "Scatter"),
      element("p", { class: "note" }, "A point is a sample: click it to open it. Samples that are searched for or filtered stand out."),
      element("div", { class: "controls" },
        element("span", { class: "control" }, element("span", { class: "faint" }, "across"), this.x.node),
        element("span", { class: "control" }, element("span", { class: "faint" }, "upwards"), this.y.node),
        button("\u21c4 swap", () => this.swap())),
      this.note, this.stage);
    selection.listen(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }

  /** People against a measure, two systems in one, or two measures of one system. */
  defaults() {
    const { contents } = this;
    const score = { kind: "score", measure: contents.usualMeasure, series: 0 };
    if (contents.kind === "judgements" && contents.attribute("rating")?.numbers) return [score, { kind: "attribute:rating" }];
    if (contents.series.length > 1) return [score, { ...score, series: 1 }];
    const other = contents.measures.find(({ name }) => name !== contents.usualMeasure);
    return [score, other ? { ...score, measure: other.name } : { kind: contents.hasCaptions ? "words" : "score", measure: score.measure, series: 0 }];
  }

  swap() {
    const [x, y] = [this.x.quantity, this.y.quantity];
    this.x.set(y);
    this.y.set(x);
    this.draw();
  }

  /** Whether both are scores in one measure. */
  get hasCommonScale() {
    const [x, y] = [this.x.quantity, this.y.quantity];
    return x.kind === "score" && y.kind === "score" && x.measure === y.measure;
  }

  draw() {
    const width = this.stage.clientWidth;
    if (!width) return; // not in view
    const height = Math.round(Math.max(260, Math.min(width * 0.62, 640)));
    this.at = undefined;
    this.point(undefined);
    const [xs, ys] = [this.x, this.y].map(({ quantity }) => valuesOf(this.contents, quantity));
    const [jitterX, jitterY] = [jitter(xs), jitter(ys)];
    // Two series in one measure have one scale, or the diagonal would be meaningless.
    const [xRange, yRange] = this.hasCommonScale ? Array(2).fill(extent(xs, ys)) : [extent(xs), extent(ys)];
    this.xScale = new Scale(widenRange(xRange, jitterX), [MARGIN.left, width - MARGIN.right], width / 90);
    this.yScale = new Scale(widenRange(yRange, jitterY), [height - MARGIN.bottom, MARGIN.top], height / 60);
    this.placePoints(xs, ys, jitterX, jitterY);
    this.drawFrame(width, height);
    this.drawPoints(width, height);
    this.showCorrelations(xs, ys, jitterX > 0 || jitterY > 0);
  }

  /** Where each point is, and the rows of each square of the plot. */
  placePoints(xs, ys, jitterX, jitterY) {
    this.px = new Float32Array(xs.length);
    this.py = new Float32Array(xs.length);
    this.squares = new Map();
    this.plottedRows = [];
    for (let row = 0; row < xs.length; row++) {
      this.px[row] = this.xScale.at(xs[row] + jitterX * hashedOffset(row, 1));
      this.py[row] = this.yScale.at(ys[row] + jitterY * hashedOffset(row, 2));
      if (xs[row] + ys[row] !== xs[row] + ys[row]) continue;
      this.plottedRows.push(row);
      const square = this.square(this.px[row], this.py[row]);
      if (this.squares.has(square)) this.squares.get(square).push(row);
      else this.squares.set(square, [row]);
    }
    this.orders = null;
  }

  square(x, y) {
    return Math.floor(x / MAX_POINTER_DISTANCE_PX) * 4096 + Math.floor(y / MAX_POINTER_DISTANCE_PX);
  }

  drawFrame(width, height) {
    this.frame.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.frame.setAttribute("width", width);
    this.frame.setAttribute("height", height);
    const { xScale, yScale } = this;
    const [x, y] = [this.x.quantity, this.y.quantity];
    const [low, high] = [Math.max(xScale.low, yScale.low), Math.min(xScale.high, yScale.high)];
    this.frame.replaceChildren(
      horizontalAxis(xScale, MARGIN.top, height - MARGIN.bottom),
      verticalAxis(yScale, MARGIN.left, width - MARGIN.right),
      ...(this.hasCommonScale && low < high ? [svgElement("line", { class: "diagonal", x1: xScale.at(low), y1: yScale.at(low), x2: xScale.at(high), y2: yScale.at(high) })] : []),
      svgElement("text", { class: "axis-name", x: width - MARGIN.right, y: height - 4, "text-anchor": "end" }, `${describeQuantity(this.contents, x)} \u2192`),
      svgElement("text", { class: "axis-name", x: MARGIN.left + 4, y: MARGIN.top + 10 }, `\u2191 ${describeQuantity(this.contents, y)}`));
  }

  drawPoints(width, height) {
    const density = window.devicePixelRatio || 1;
    this.canvas.width = width * density;
    this.canvas.height = height * density;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext("2d");
    context.scale(density, density);
    const { matching, isFiltered } = this.selection;
    const count = this.plottedRows.length;
    const size = count > 20000 ? 2 : count > 2000 ? 3 : count > 300 ? 4.5 : 7;
    const strength = count > 20000 ? 0.35 : count > 2000 ? 0.45 : 0.65;
    const points = (rows, fill, alpha) => {
      context.fillStyle = fill;
      context.globalAlpha = alpha;
      for (const row of rows) {
        if (size > 4) {
          context.beginPath();
          context.arc(this.px[row], this.py[row], size / 2, 0, 7);
          context.fill();
        } else context.fillRect(this.px[row] - size / 2, this.py[row] - size / 2, size, size);
      }
    };
    if (isFiltered) points(this.plottedRows.filter((row) => !matching[row]), colour("--faint"), strength / 3);
    points(this.plottedRows.filter((row) => matching[row]), colour("--accent"), isFiltered ? 0.85 : strength);
  }

  showCorrelations(xs, ys, spread) {
    const linear = correlation(xs, ys);
    const both = xs.map((x, row) => (x + ys[row] === x + ys[row] ? x : NaN));
    const other = ys.map((y, row) => (y + xs[row] === y + xs[row] ? y : NaN));
    const ranked = correlation(ranks(both), ranks(other));
    this.note.textContent = `${pluralize(linear.count, "sample")} · Pearson's r ${scoreText(linear.value)} · Spearman's ρ ${scoreText(ranked.value)}${spread ? " · equal values are drawn a little apart" : ""}`;
  }

  nearestPoint(x, y) {
    let nearest;
    let minDistance = MAX_POINTER_DISTANCE_PX * MAX_POINTER_DISTANCE_PX;
    for (let dx = -MAX_POINTER_DISTANCE_PX; dx <= MAX_POINTER_DISTANCE_PX; dx += MAX_POINTER_DISTANCE_PX) {
      for (let dy = -MAX_POINTER_DISTANCE_PX; dy <= MAX_POINTER_DISTANCE_PX; dy += MAX_POINTER_DISTANCE_PX) {
        for (const row of this.squares?.get(this.square(x + dx, y + dy)) ?? []) {
          const distance = (this.px[row] - x) ** 2 + (this.py[row] - y) ** 2 + (this.selection.matching[row] ? 0 : 60);
          if (distance < minDistance) [nearest, minDistance] = [row, distance];
        }
      }
    }
    return nearest;
  }

  hover(event) {
    this.point(this.nearestPoint(event.offsetX, event.offsetY));
  }

  click(event) {
    const row = this.nearestPoint(event.offsetX, event.offsetY);
    if (row !== undefined) this.open(row);
  }

  /** Show the tip of a point's sample. */
  point(row) {
    this.at = row ?? this.at;
    this.tip.hidden = row === undefined;
    this.canvas.style.cursor = row === undefined ? "" : "pointer";
    if (row === undefined) return;
    const { contents } = this;
    const value = ({ quantity }) => `${describeQuantity(contents, quantity)}: ${valueText(contents, quantity, row)}`;
    this.tip.replaceChildren(
      element("strong", {}, element("bdi", {}, escapeHidden(contents.id(row)))),
      element("span", {}, value(this.x)), element("span", {}, value(this.y)),
      ...contents.series.slice(0, MAX_LINES).filter(({ captions }) => captions).map(({ index }) =>
        element("span", { class: "tip-caption" }, marker(index), element("bdi", { dir: "auto" }, escapeHidden(contents.caption(index, row).slice(0, MAX_EXCERPT_LETTERS))))));
    const right = this.px[row] > this.stage.clientWidth / 2;
    this.tip.style.left = right ? "" : `${this.px[row] + 12}px`;
    this.tip.style.right = right ? `${this.stage.clientWidth - this.px[row] + 12}px` : "";
    this.tip.style.top = `${Math.max(0, this.py[row] - 20)}px`;
  }

  /** Left and right go through the points by the one quantity, up and down by the other. */
  key(event) {
    const steps = { ArrowLeft: ["px", -1], ArrowRight: ["px", 1], ArrowUp: ["py", -1], ArrowDown: ["py", 1] };
    if (event.key === "Enter" && this.at !== undefined) this.open(this.at);
    else if (event.key in steps && this.plottedRows.length) this.step(...steps[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  step(axis, by) {
    this.orders ??= {};
    const order = (this.orders[axis] ??= this.plottedRows.filter((row) => this.selection.matching[row]).sort((one, other) => this[axis][one] - this[axis][other]));
    if (!order.length) return;
    const next = this.at === undefined ? 0 : Math.max(0, Math.min(order.length - 1, order.indexOf(this.at) + by));
    this.point(order[next]);
    announce(this.tip.textContent);
  }
}

/** How far points are moved where there are few different values. */
function jitter(column) {
  const values = new Set();
  for (const value of column) {
    if (value === value) values.add(value);
    if (values.size > MAX_JITTERED_VALUES) return 0;
  }
  const sorted = [...values].sort((one, other) => one - other);
  const gaps = sorted.slice(1).map((value, at) => value - sorted[at]);
  return gaps.length ? Math.min(...gaps) * 0.3 : 0;
}

/** A range with room for points that are moved. */
function widenRange([low, high], more) {
  return padRange([low - more, high + more]);
}

/** A pseudo-random number from -1 to 1, always the same for a row. */
function hashedOffset(row, salt) {
  let bits = Math.imul(row + 1, 2654435761) ^ Math.imul(salt, 40503);
  bits = Math.imul(bits ^ (bits >>> 15), 2246822507);
  return ((bits ^ (bits >>> 13)) >>> 0) / 2 ** 31 - 1;
}
