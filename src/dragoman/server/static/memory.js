"use strict";
// What the translation memory has for a sentence: score, both texts, differences marked.
(function () {
  const { element } = Dragoman;
  const MARKS = { same: "span", gone: "del", new: "ins" };

  // use(text): take a translation over.
  Dragoman.renderMatches = function (list, matches, use) {
    list.replaceChildren(...matches.map((match) => element("li", {},
      element("b", { class: "score" }, `${match.score} %`),
      element("div", {},
        element("p", { class: "stored", title: "In the memory; struck out: not in your sentence; underlined: only there" },
          ...match.differences.flatMap(([kind, text]) => [element(MARKS[kind], {}, text), " "])),
        element("p", {}, match.target),
        match.adapted ? element("p", { class: "faint" }, "Numbers or placeholders are those of your sentence.") : null),
      element("button", { type: "button", "aria-label": `Use “${match.target}”`, onclick: () => use(match.target) }, "Use"))));
  };
})();
