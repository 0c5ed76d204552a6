// Scales and axes of drawings.

/** A linear scale from numbers to pixels, with ticks at round numbers. */
class Scale {
  constructor([low, high], [from, to], ticks = 5) {
    if (low === high) [low, high] = [low - 0.5, high + 0.5];
    Object.assign(this, { low, high, from, to });
    const rough = (high - low) / ticks;
    const power = 10 ** Math.floor(Math.log10(rough));
    this.step = power * ([1, 2, 5].find((multiple) => multiple * power >= rough) ?? 10);
  }

  at(value) {
    return this.from + ((value - this.low) / (this.high - this.low)) * (this.to - this.from);
  }

  value(pixel) {
    return this.low + ((pixel - this.from) / (this.to - this.from)) * (this.high - this.low);
  }

  ticks() {
    const ticks = [];
    for (let at = Math.ceil(this.low / this.step - 1e-9); at * this.step <= this.high + this.step * 1e-9; at++) ticks.push(at * this.step);
    return ticks;
  }

  /** A tick as text: with as many digits as the step has. */
  text(tick) {
    const digits = Math.max(0, -Math.floor(Math.log10(this.step) + 1e-9));
    return tick.toFixed(Math.min(digits, 20)).replace(/^-(?=0\.?0*$)/, "").replace("-", MINUS);
  }
}

/** Ticks below a drawing, and lines upwards from them. */
function horizontalAxis(scale, top, bottom) {
  return svgElement("g", { class: "axis", "aria-hidden": "true" }, scale.ticks().map((tick) => [
    svgElement("line", { x1: scale.at(tick), x2: scale.at(tick), y1: top, y2: bottom }),
    svgElement("text", { x: scale.at(tick), y: bottom + 13, "text-anchor": "middle" }, scale.text(tick)),
  ]));
}

/** Ticks below a drawing that is as wide as its place: letters stay as large as they are. */
function ticksBelow(scale, width) {
  return element("div", { class: "ticks", "aria-hidden": "true" }, scale.ticks().map((tick) => {
    const label = element("span", {}, scale.text(tick));
    label.style.left = `${(100 * scale.at(tick)) / width}%`;
    return label;
  }));
}

/** Ticks at the left of a drawing, and lines to the right of them. */
function verticalAxis(scale, left, right) {
  return svgElement("g", { class: "axis", "aria-hidden": "true" }, scale.ticks().map((tick) => [
    svgElement("line", { x1: left, x2: right, y1: scale.at(tick), y2: scale.at(tick) }),
    svgElement("text", { x: left - 5, y: scale.at(tick) + 3.5, "text-anchor": "end" }, scale.text(tick)),
  ]));
}

/** A range somewhat wider than what is in it. */
function padRange([low, high], share = 0.04) {
  const more = (high - low || 1) * share;
  return [low - more, high + more];
}

/** A point on its interval. */
function pointAndLine([value, low, high], scale, y, series = null, size = 3.6) {
  if (value === null) return svgElement("g");
  const [from, to] = [scale.at(low ?? value), scale.at(high ?? value)];
  return svgElement("g", { class: series === null ? "estimate" : `estimate s${series % 9}` },
    svgElement("line", { x1: from, x2: to, y1: y, y2: y }),
    svgElement("path", { d: markerPath(series ?? 0, size), transform: `translate(${scale.at(value)} ${y})` }));
}
