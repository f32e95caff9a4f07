"use strict";
// Searches side by side: what survived in each stack, the winning path, and how much was looked at.
(function () {
  const { element, svg, number, scrolled } = Dragoman;
  const NAMES = {
    pharaoh: ["Pharaoh", "Jumps are paid for when they are made."],
    estimate: ["Distortion estimated", "Jumps still to come count already."],
    early: ["Early pruning", "And hopeless extensions are never scored."],
    cube: ["Cube pruning", "The most promising extensions first."],
  };
  const WIDTH = 340, TOP = 150, BARS = 70, LEFT = 8;

  Dragoman.renderSearches = function (container, answer) {
    const all = answer.searches;
    const most = Math.max(1, ...all.flatMap((one) => one.stacks.map((stack) => stack.evaluated)));
    const totals = all.flatMap((one) => one.hypotheses.map((h) => h.total));
    const low = Math.min(...totals), high = Math.max(...totals);
    const first = all.length ? Math.max(1, all[0].evaluated) : 1;
    container.replaceChildren(...all.map((one) => card(one, answer.tokens, most, low, high, first)));
  };

  function card(one, tokens, most, low, high, first) {
    const [title, text] = NAMES[one.search] ?? [one.search, ""];
    const tip = element("div", { class: "tip", role: "status" }, "Point at a hypothesis.");
    const survived = one.stacks.reduce((sum, stack) => sum + stack.survived, 0);
    const share = Math.round(100 * one.evaluated / first);
    return element("section", { class: "search-card", "data-search": one.search },
      element("h3", {}, title), element("p", { class: "faint" }, text),
      element("div", { class: "counts" },
        count(one.evaluated.toLocaleString("en"), `evaluated (${share} %)`), count(survived.toLocaleString("en"), "kept"),
        count(one.score === null ? "–" : number(one.score, 3), "score")),
      picture(one, tokens, most, low, high, tip),
      element("p", { class: "faint" }, "Above: what was kept, better ones higher, and the winning path. Below, on a logarithmic scale: evaluated (light) and kept (dark), by covered words."),
      tip,
      element("p", {}, one.target ?? "No translation found."),
      numbers(one));
  }

  function count(value, label) {
    return element("span", {}, element("span", { class: "big" }, value), element("span", { class: "faint" }, label));
  }

  function picture(one, tokens, most, low, high, tip) {
    const stacks = one.stacks.length;
    const step = (WIDTH - 2 * LEFT) / stacks;
    const x = (stack) => LEFT + step * (stack + 0.5);
    const y = (total) => 10 + (TOP - 20) * (high > low ? (high - total) / (high - low) : 0.5);
    const root = svg("svg", { viewBox: `0 0 ${WIDTH} ${TOP + BARS + 16}`, role: "img",
      "aria-label": `Stacks of the search: ${one.evaluated} hypotheses evaluated` });
    const place = one.hypotheses.map((h) => [x(h.stack), y(h.total)]);
    one.hypotheses.forEach((h, index) => {
      if (h.back === null || h.best) return;
      root.append(svg("line", { class: "way", x1: place[h.back][0], y1: place[h.back][1], x2: place[index][0], y2: place[index][1] }));
    });
    const path = one.hypotheses.map((h, index) => [h, index]).filter(([h]) => h.best).map(([, index]) => place[index].join(" "));
    if (path.length) root.append(svg("path", { class: "best", d: "M" + path.join("L") }));
    one.hypotheses.forEach((h, index) => {
      const dot = svg("circle", { class: h.best ? "dot best" : "dot", cx: place[index][0], cy: place[index][1], r: h.best ? 3.6 : 2.2 });
      const describe = () => {
        const covered = tokens.map((token, i) => h.coverage[i] === "1" ? token : "·").join(" ");
        tip.textContent = `${h.best ? "On the winning path. " : ""}Covers: ${covered}. Last: “${h.target}”. Score with estimate ${number(h.total)}.`;
      };
      dot.addEventListener("mouseenter", describe);
      root.append(dot);
    });
    const height = (value) => value > 0 ? Math.max(1, (BARS - 4) * Math.log1p(value) / Math.log1p(most)) : 0;
    const base = TOP + BARS;
    one.stacks.forEach((stack) => {
      const wide = Math.max(2, step * 0.7), left = x(stack.covered) - wide / 2;
      const bar = (kind, value) => svg("rect", { class: kind, x: left, width: wide, y: base - height(value), height: height(value) });
      const group = svg("g", {}, bar("evaluated", stack.evaluated), bar("survived", stack.survived));
      group.addEventListener("mouseenter", () => {
        tip.textContent = `${stack.covered} words covered: ${stack.evaluated} evaluated, ${stack.recombined} recombined, ` +
          `${stack.pruned_threshold + stack.pruned_limit} pruned, ${stack.survived} kept.`;
      });
      root.append(group);
      if (stacks <= 24 || stack.covered % 5 === 0) {
        root.append(svg("text", { x: x(stack.covered), y: base + 11, "text-anchor": "middle" }, String(stack.covered)));
      }
    });
    return root;
  }

  function numbers(one) {
    const heads = ["Covered", "Evaluated", "Recombined", "Pruned: threshold", "Pruned: limit", "Kept"];
    return element("details", {}, element("summary", {}, "Numbers"),
      scrolled("Stacks in numbers", element("table", {},
        element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col", class: "number" }, text)))),
        element("tbody", {}, ...one.stacks.map((stack) => element("tr", {},
          ...[stack.covered, stack.evaluated, stack.recombined, stack.pruned_threshold, stack.pruned_limit, stack.survived]
            .map((value) => element("td", { class: "number" }, String(value)))))))));
  }
})();
