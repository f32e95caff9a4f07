"use strict";
// Small things to draw with. Text only ever becomes text nodes.
const Dragoman = {};

Dragoman.element = function (name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

Dragoman.svg = function (name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};

Dragoman.number = function (value, digits = 2) {
  return value.toFixed(digits).replace("-", "−");
};

// What is wider than the page may be scrolled, with the keyboard too.
Dragoman.scrolled = function (name, node) {
  return Dragoman.element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": name }, node);
};

// What only those need who hear the page.
Dragoman.heard = function (text) {
  return Dragoman.element("span", { class: "heard" }, text);
};

// A dotted name may be broken at its dots.
Dragoman.dotted = function (name) {
  const node = document.createElement("span");
  name.split(".").forEach((part, index) => {
    if (index) node.append(".", document.createElement("wbr"));
    node.append(part);
  });
  return node;
};

// A bar to the right of the middle if it helps, to the left if it harms.
Dragoman.bar = function (value, largest) {
  const share = largest > 0 ? Math.min(1, Math.abs(value) / largest) * 48 : 0;
  return Dragoman.svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    Dragoman.svg("line", { class: "axis", x1: 50, x2: 50, y1: 0, y2: 10 }),
    Dragoman.svg("rect", { class: value >= 0 ? "good" : "bad", x: value >= 0 ? 50 : 50 - share, y: 2, width: share, height: 6 }));
};
