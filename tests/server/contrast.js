// Text whose contrast with what is behind it is below 4.5 (WCAG 2, AA); large text needs 3.
const channel = (value) => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
canvas.canvas.width = canvas.canvas.height = 1;
const rgba = (text) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const over = (top, bottom) => { const a = top[3] / 255; return [0, 1, 2].map((i) => a * top[i] + (1 - a) * bottom[i]); };
const behind = (node) => {
  if (!node) return [255, 255, 255];
  const colour = rgba(getComputedStyle(node).backgroundColor);
  return colour[3] === 255 ? colour : over(colour, behind(node.parentElement));
};
const bad = [];
for (const node of document.querySelectorAll('body *')) {
  if (!node.checkVisibility() || node.closest('svg, .skip')) continue;
  if (![...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())) continue;
  const style = getComputedStyle(node), back = behind(node);
  const [a, b] = [light(over(rgba(style.color), back)), light(back)];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
  if (ratio < (large ? 3 : 4.5)) bad.push([node.outerHTML.slice(0, 120), ratio]);
}
return bad;
