// Reports every text of the page with its colour, what is behind it, and their contrast (WCAG 2).
"use strict";
const errors = [];
addEventListener("error", (event) => errors.push(String(event.message)), true);
const numbers = (colour) => {
  const found = colour.match(/[\d.]+/g).map(Number);
  return found.length === 3 ? [...found, 1] : found;
};
const over = (top, below) =>
  [0, 1, 2].map((k) => top[k] * top[3] + below[k] * (1 - top[3])).concat([1]);
const light = (colour) => {
  const [r, g, b] = colour.map((c) => {
    c /= 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
};
const canvas = matchMedia("(prefers-color-scheme: dark)").matches &&
  getComputedStyle(document.documentElement).colorScheme.includes("dark") ||
  getComputedStyle(document.documentElement).colorScheme === "dark" ? [18, 18, 18, 1] : [255, 255, 255, 1];
const behind = (element) => {
  const layers = [];
  for (let e = element; e; e = e.parentElement) {
    if (e.namespaceURI.endsWith("svg")) {
      // A drawn text lies on the first shape of its group.
      const shape = e.tagName === "g" && e.querySelector("rect");
      if (shape) layers.push(numbers(getComputedStyle(shape).fill));
    } else layers.push(numbers(getComputedStyle(e).backgroundColor));
  }
  return layers.reverse().reduce((below, top) => over(top, below), canvas);
};
const texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode, parent = node.parentElement;
  // A sign of a legend is a drawing, which needs less contrast than a text.
  if (!node.data.trim() || node.data === "■" || ["SCRIPT", "STYLE", "TITLE"].includes(parent.tagName.toUpperCase())) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect();
  if (!box.width) continue;
  const style = getComputedStyle(parent), svg = parent.namespaceURI.endsWith("svg");
  const below = behind(parent), colour = over(numbers(svg ? style.fill : style.color), below);
  texts.push({
    what: node.data.trim().slice(0, 60), colour: colour.map(Math.round), below: below.map(Math.round),
    contrast: Math.round(contrast(colour, below) * 100) / 100, high: Math.round(box.height * 10) / 10,
    right: Math.round(box.right), weight: style.fontWeight,
  });
}
addEventListener("load", () => {
  const report = document.createElement("pre");
  report.id = "report";
  report.textContent = JSON.stringify({
    texts, errors, wide: document.documentElement.scrollWidth,
    scripts: document.querySelectorAll("script").length - 1,
    dark: light(behind(document.querySelector(".il") || document.body)) < 0.2,
  });
  document.body.append(report);
});
