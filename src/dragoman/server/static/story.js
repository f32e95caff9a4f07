"use strict";
// One sentence: its two lines, the curves between them, and a panel about the phrase in question.
(function () {
  const { element, svg, number, bar, feature, heard } = Dragoman;

  // actions: { force(phrase, target), term(source, target) }; without them nothing can be changed.
  Dragoman.renderStory = function (container, story, weights, actions = null) {
    const lines = element("div", { class: "lines" });
    const sourceLine = element("div", { class: "line", lang: "", role: "group", "aria-label": "Source" });
    const targetLine = element("div", { class: "line", role: "toolbar", "aria-label": "Phrases of the translation" });
    const curves = svg("svg", { "aria-hidden": "true" });
    const panel = element("div", { class: "panel", role: "group", "aria-live": "polite", "aria-label": "The phrase" });
    const sourceWords = [], targetWords = [], buttons = [];
    const bySource = story.phrases.map((phrase, index) => ({ phrase, index }))
      .sort((a, b) => a.phrase.source_span[0] - b.phrase.source_span[0]);
    const sourceBoxes = [];
    for (const { phrase, index } of bySource) {
      const box = element("div", { class: `source-phrase hue${index % 8}` });
      for (let i = phrase.source_span[0]; i < phrase.source_span[1]; i++) {
        sourceWords[i] = element("span", { class: "word" }, story.source_tokens[i]);
        box.append(sourceWords[i]);
      }
      box.addEventListener("mouseenter", () => pick(index));
      sourceBoxes[index] = box;
      sourceLine.append(box);
    }
    story.phrases.forEach((phrase, index) => {
      const kind = (phrase.given ? " given" : "") + (phrase.never_seen || phrase.unknown ? " unknown" : "") + (phrase.target ? "" : " nothing");
      const button = element("button", {
        type: "button", class: `phrase hue${index % 8}${kind}`, tabindex: index === 0 ? 0 : -1,
        "aria-label": `${phrase.target || "nothing"}, from ${phrase.source}${phrase.given ? ", dictated" : ""}${phrase.never_seen || phrase.unknown ? ", unknown word" : ""}`,
      });
      const words = phrase.target ? phrase.target.split(" ") : ["∅"];
      words.forEach((word, j) => {
        const sure = story.word_confidences?.[phrase.target_span[0] + j];
        const span = element("span", { class: `word${sure === undefined ? "" : ` sure${Math.min(3, Math.floor(4 * sure))}`}`,
          title: sure === undefined ? null : `${Math.round(100 * sure)} % sure` }, word);
        if (phrase.target) targetWords[phrase.target_span[0] + j] = span;
        button.append(j ? " " : "", span);
      });
      button.addEventListener("mouseenter", () => pick(index));
      button.addEventListener("focus", () => pick(index));
      button.addEventListener("click", () => pick(index));
      buttons.push(button);
      targetLine.append(button);
    });
    targetLine.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1, Home: -1e9, End: 1e9 }[event.key];
      if (!step) return;
      const at = buttons.indexOf(document.activeElement);
      const next = Math.max(0, Math.min(buttons.length - 1, at + step));
      buttons.forEach((button, index) => { button.tabIndex = index === next ? 0 : -1; });
      buttons[next].focus();
      event.preventDefault();
    });
    lines.append(curves, sourceLine, element("div", { class: "gap" }), targetLine);
    lines.addEventListener("mouseleave", () => lines.classList.remove("picking"));
    container.replaceChildren(lines, panel);

    // What each curve joins: words, or whole phrases where nobody knows which word is which.
    function links() {
      return story.phrases.flatMap((phrase, index) => {
        const [source, target] = [phrase.source_span[0], phrase.target_span[0]];
        if (phrase.alignment.length) return phrase.alignment.map(([s, t]) => [sourceWords[source + s], targetWords[target + t], index]);
        return phrase.target ? [[sourceBoxes[index], buttons[index], index]] : [];
      }).filter(([from, to]) => from && to);
    }

    function draw() {
      const frame = lines.getBoundingClientRect();
      const dx = lines.scrollLeft - frame.left - lines.clientLeft, dy = -frame.top - lines.clientTop;
      curves.setAttribute("width", lines.scrollWidth);
      curves.setAttribute("height", lines.scrollHeight);
      curves.replaceChildren(...links().map(([from, to, index]) => {
        const a = from.getBoundingClientRect(), b = to.getBoundingClientRect();
        const x1 = a.left + a.width / 2 + dx, y1 = a.bottom + dy + 4, x2 = b.left + b.width / 2 + dx, y2 = b.top + dy - 4;
        const bend = (y2 - y1) * 0.5;
        return svg("path", { class: `hue${index % 8}`, "data-phrase": index, d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}` });
      }));
    }

    function pick(index) {
      lines.classList.add("picking");
      buttons.forEach((button, i) => button.classList.toggle("on", i === index));
      sourceBoxes.forEach((box, i) => box && box.classList.toggle("on", i === index));
      for (const path of curves.children) path.classList.toggle("on", Number(path.dataset.phrase) === index);
      showPanel(index);
    }

    function showPanel(index) {
      const phrase = story.phrases[index];
      panel.className = `panel hue${index % 8}`;
      const [begin, end] = phrase.source_span;
      const rows = Object.entries(phrase.features).map(([name, value]) => [name, value, value * (weights[name] ?? 0)])
        .sort((a, b) => Math.abs(b[2]) - Math.abs(a[2]));
      const largest = Math.max(0.001, ...rows.map((row) => Math.abs(row[2])));
      panel.replaceChildren(
        element("header", {},
          element("b", {}, phrase.source), "→", element("b", {}, phrase.target || "(nothing)"),
          element("span", { class: "faint" }, `source ${end - begin > 1 ? `words ${begin + 1}–${end}` : `word ${end}`} · score ${number(phrase.score)}`),
          phrase.given ? element("span", { class: "faint" }, "† dictated") : null,
          phrase.never_seen || phrase.unknown ? element("span", { class: "faint" }, `never seen in training: ${phrase.never_seen || "copied"}`) : null),
        element("div", { class: "features" }, element("h3", {}, "What it adds to the score"),
          element("table", {},
            element("thead", {}, element("tr", {}, ...["Feature", "Value", "× weight"].map((text, i) =>
              element("th", { scope: "col", class: i ? "number" : "" }, text)), element("th", { scope: "col" }, heard("As a bar")))),
            element("tbody", {}, ...rows.map(([name, value, worth]) => element("tr", {},
              element("td", {}, feature(name)), element("td", { class: "number" }, number(value)),
              element("td", { class: "number" }, number(worth)), element("td", {}, bar(worth, largest))))))),
        rivalsOf(phrase));
    }

    function rivalsOf(phrase) {
      const box = element("div", {}, element("h3", {}, "Rivals for the same words"));
      const list = element("ul", { class: "rivals" });
      for (const rival of phrase.rivals) {
        const how = rival.behind !== null ? `sentence ${number(rival.behind)} worse` : phrase.given ? "not tried" : "lost in the search";
        const probability = rival.features["tm.fwd"] !== undefined ? `p ${Math.exp(rival.features["tm.fwd"]).toPrecision(2)} · ` : "";
        const parts = [element("span", {}, rival.target || "∅"), element("span", { class: "faint" }, probability + how)];
        list.append(element("li", {}, actions
          ? element("button", { type: "button", title: "Translate again with this phrase", onclick: () => actions.force(phrase, rival.target) }, ...parts)
          : element("span", {}, ...parts)));
      }
      box.append(phrase.rivals.length ? list : element("p", { class: "faint" }, "None: the model knows no other translation."));
      if (actions) {
        const own = element("input", { "aria-label": "Another translation of this phrase", placeholder: "Something else…", autocomplete: "off" });
        box.append(element("form", { class: "own", onsubmit: (event) => { event.preventDefault(); if (own.value.trim()) actions.force(phrase, own.value.trim()); } },
          own, element("button", { type: "submit" }, "Use")));
        box.append(element("button", { type: "button", class: "always", onclick: () => actions.term(phrase.source, phrase.target) },
          `Always translate “${phrase.source}” so`));
      }
      return box;
    }

    draw();
    if (story.phrases.length) { showPanel(0); }
    if (window.ResizeObserver) new ResizeObserver(draw).observe(lines);
    return { draw, pick, buttons };
  };

  // The best translations, with words marked that the first does not have.
  Dragoman.renderNbest = function (list, entries) {
    const best = entries.length ? entries[0].target.split(" ") : [];
    list.replaceChildren(...entries.map((entry) => {
      const text = element("span");
      const left = new Map();
      for (const word of best) left.set(word, (left.get(word) ?? 0) + 1);
      entry.target.split(" ").forEach((word, index) => {
        if (index) text.append(" ");
        const known = left.get(word) ?? 0;
        left.set(word, known - 1);
        text.append(known > 0 ? word : element("mark", {}, word));
      });
      return element("li", {}, element("span", {}, text, element("span", { class: "faint" }, number(entry.score))));
    }));
  };
})();
