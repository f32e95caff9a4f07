"use strict";
// All about a model: sizes, weights, how it was trained.
(function () {
  const { element, svg, number, bar, feature, scrolled, heard } = Dragoman;

  Dragoman.renderModel = function (container, model, reportAddress) {
    const bytes = Object.values(model.files).reduce((sum, size) => sum + size, 0);
    container.replaceChildren(element("div", { class: "cards" },
      card("Sizes", facts([
        ["Languages", `${model.source} → ${model.target}`], ["Phrase pairs", model.phrases.toLocaleString("en")],
        ["Source words", model.source_words.toLocaleString("en")], ["Target words", model.target_words.toLocaleString("en")],
        ["On disk", size(bytes)], ["Corrections", String(model.corrections)]]),
        model.report ? element("p", {}, element("a", { href: reportAddress, target: "_blank" }, "Report of the training")) : ""),
      card("Weights", weights(model), model.tuned ? "Tuned on the dev set." : "Defaults; the model has not been tuned."),
      model.tuning && model.tuning.iterations ? card("Tuning", curve(model.tuning.iterations)) : null,
      model.corpus ? card("Corpus", facts(counted(model.corpus))) : null,
      card("Search", facts(flat(model.search))),
      card("Files", facts(Object.entries(model.files).map(([name, value]) => [name, size(value)]))),
      card("Stages of training", ...Object.entries(model.stages).map(([name, parameters]) =>
        element("details", {}, element("summary", {}, name), facts(flat(parameters)))))));
  };

  function card(title, ...content) {
    return element("section", { class: "card" }, element("h3", {}, title),
      ...content.map((part) => typeof part === "string" ? element("p", { class: "faint" }, part) : part));
  }

  // The counts of a corpus in words for people.
  const COUNTED = {
    read: "pairs read", kept: "pairs kept", dev: "in the dev set", test: "in the test set", train: "learnt from",
    "same source as held-out": "left out, since these sets have their source",
    "also in dev or test": "learnt from although a dev or test set has them",
    "dropped · empty": "dropped: with an empty side", "dropped · too long": "dropped: too long",
    "dropped · length ratio": "dropped: of very different lengths",
    "dropped · copy": "dropped: with the same text on both sides", "dropped · duplicate": "dropped: seen before",
  };
  const counted = (corpus) => flat(corpus).map(([name, count]) => [COUNTED[name] ?? name, count]);

  function facts(rows) {
    return scrolled("What there is", element("table", {}, element("tbody", {}, ...rows.map(([name, value]) =>
      element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "number" }, value))))));
  }

  function flat(value, prefix = "") {
    return Object.entries(value).flatMap(([key, inner]) =>
      inner !== null && typeof inner === "object" && !Array.isArray(inner) ? flat(inner, `${prefix}${key} · `)
        : [[prefix + key, inner === null ? "–" : Array.isArray(inner) ? inner.join(", ") : String(inner)]]);
  }

  function weights(model) {
    const rows = Object.entries(model.weights);
    const shown = rows.filter(([name]) => name !== "unknown").map(([, value]) => Math.abs(value));
    const largest = Math.max(0.001, ...shown);
    return element("table", { class: "weights" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Feature"),
        element("th", { scope: "col", class: "number" }, "Weight"), element("th", { scope: "col" }, heard("As a bar")))),
      element("tbody", {}, ...rows.map(([name, value]) => element("tr", {},
        element("td", {}, feature(name)), element("td", { class: "number" }, number(value, 3)), element("td", {}, bar(value, largest))))));
  }

  function curve(iterations) {
    const scores = iterations.map((one) => one.score);
    const low = Math.min(...scores), high = Math.max(...scores);
    const x = (i) => 30 + 290 * (scores.length > 1 ? i / (scores.length - 1) : 0.5);
    const y = (score) => 15 + 100 * (high > low ? (high - score) / (high - low) : 0.5);
    return svg("svg", { class: "curve", viewBox: "0 0 340 140", role: "img", "aria-label": `Score on the dev set: ${scores.map((s) => s.toFixed(2)).join(", ")}` },
      svg("path", { d: "M" + scores.map((score, i) => `${x(i)} ${y(score)}`).join("L") }),
      ...scores.map((score, i) => svg("circle", { cx: x(i), cy: y(score), r: 3 })),
      svg("text", { x: 0, y: 14 }, high.toFixed(1)), svg("text", { x: 0, y: 118 }, low.toFixed(1)),
      svg("text", { x: 175, y: 136, "text-anchor": "middle" }, "round of tuning"));
  }

  function size(bytes) {
    const units = ["B", "kB", "MB", "GB"];
    let unit = 0;
    while (bytes >= 1000 && unit < 3) { bytes /= 1000; unit++; }
    return `${bytes.toFixed(unit ? 1 : 0)} ${units[unit]}`;
  }
})();
