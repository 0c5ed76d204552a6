// Texts in view whose colour is too near to what is behind them: 4.5 to 1, and 3 to 1 where they are large.
() => {
  const parsed = (text) => {
    const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
    return { rgb: [red, green, blue], alpha };
  };
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const { rgb, alpha } = parsed(getComputedStyle(node).backgroundColor);
      if (alpha === 1) return rgb;
    }
    return [255, 255, 255];
  };
  const bad = [];
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || node.closest("script, .spoken") || !node.checkVisibility()) continue;
    const style = getComputedStyle(node);
    const paint = node instanceof SVGElement ? style.fill : style.color;
    const [one, other] = [luminance(parsed(paint).rgb), luminance(behind(node))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    count++;
    if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)) bad.push(`${node.tagName}.${node.getAttribute("class")} ${ratio.toFixed(2)}: ${walker.currentNode.data}`);
  }
  return { count, bad };
}
