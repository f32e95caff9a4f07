"use strict";
// A page without a server: shows what was written into it.
(function () {
  const { element } = Dragoman;
  const explained = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("explained");
  for (const sentence of explained.sentences) {
    const story = element("div"), nbest = element("ol", { class: "nbest" }), searches = element("div", { class: "searches" });
    main.append(element("section", {}, element("h2", {}, sentence.source), element("p", { class: "big" }, sentence.target),
      story, element("h3", {}, "Next best"), nbest, element("h3", {}, "The searches"), searches));
    Dragoman.renderStory(story, sentence, explained.weights);
    Dragoman.renderNbest(nbest, sentence.nbest);
    Dragoman.renderSearches(searches, { tokens: sentence.source_tokens, searches: sentence.searches });
  }
})();
