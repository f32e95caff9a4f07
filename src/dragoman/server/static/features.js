"use strict";
// What the features of a model mean, in words for people who have not read about them.
(function () {
  const MEANINGS = [
    [/^tm\.fwd/, "how often the training text translates these source words so"],
    [/^tm\.bwd/, "how often it has these source words where it says the translation"],
    [/^lex\.fwd/, "how well the source words explain each translated word by itself"],
    [/^lex\.bwd/, "how well the translated words explain each source word by itself"],
    [/^lm(\.\d+)?$/, "how well the words follow one another in the target language"],
    [/^lm\.classes$/, "how well the kinds of words follow one another, seen from further back"],
    [/^bilm$/, "how well these words, each with its source word, follow the ones before"],
    [/^context\.words$/, "how well the words around each source word go with its translation"],
    [/^context\.none$/, "how well the words around a source word go with its having none"],
    [/^words$/, "how many words the translation has: keeps it from being too short or too long"],
    [/^phrases$/, "how many phrases it is made of: fewer and longer ones are safer"],
    [/^rules$/, "how many rules it is made of"],
    [/^glue$/, "how often parts were only put side by side"],
    [/^distortion$/, "how far the search jumped in the source sentence"],
    [/^unknown$/, "words that were never seen in training, and were copied"],
    [/^unknown\.parts/, "words never seen in training, translated by their parts"],
    [/^unknown\.(relative|inflect)/, "words never seen in training, translated as another form of a known word"],
    [/^unknown\.(spelling|respell)/, "words never seen in training, taken for a known word spelt otherwise"],
    [/^unknown\.(sound|translit)/, "words never seen in training, written by their sound"],
    [/^unknown\./, "words never seen in training, translated by a guess"],
    [/^reorder.*backward\.monotone$/, "how usual it is that it stands right behind the phrase before it"],
    [/^reorder.*backward\.swap$/, "how usual it is that it changes places with the phrase before it"],
    [/^reorder.*backward\.discontinuous$/, "how usual it is that it stands apart from the phrase before it"],
    [/^reorder.*forward\.monotone$/, "how usual it is that the next phrase follows right behind it"],
    [/^reorder.*forward\.swap$/, "how usual it is that the next phrase changes places with it"],
    [/^reorder.*forward\.discontinuous$/, "how usual it is that the next phrase stands apart from it"],
  ];
  Dragoman.meaning = (name) => MEANINGS.find(([pattern]) => pattern.test(name))?.[1] ?? "";
  // The name of a feature, and below it what it means.
  Dragoman.feature = function (name) {
    const meaning = Dragoman.meaning(name);
    return Dragoman.element("span", {}, Dragoman.dotted(name),
      meaning ? Dragoman.element("span", { class: "meaning" }, meaning) : null);
  };
})();
