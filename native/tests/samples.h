// One small file of every binary kind, and everything that can be asked of it: what tests of
// damage, of failing memory and of failing disks, and the fuzzers, have in common.
#pragma once

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "alignment/links_file.h"
#include "alignment/trainer.h"
#include "context/context_trainer.h"
#include "corpus/bitext.h"
#include "corpus/segment_index.h"
#include "corpus/word_classes.h"
#include "learning/rule_set.h"
#include "lm/arpa.h"
#include "lm/score_text.h"
#include "neural/judge.h"
#include "preorder/btg_parser.h"
#include "preorder/node_classifier.h"
#include "preorder/node_features.h"
#include "preorder/read_brackets.h"
#include "rules/bilingual.h"
#include "rules/extract_rules.h"
#include "rules/moses_table.h"
#include "rules/phrase_table_writer.h"
#include "rules/rewrite_table.h"
#include "rules/table_rows.h"
#include "search/chart_batch.h"
#include "search/stack_batch.h"
#include "small_lm.h"
#include "text/checksum.h"
#include "text/error.h"

namespace samples {

using namespace dragoman;
using Random = std::mt19937_64;
using Words = std::vector<WordId>;

inline constexpr WordId kVocabulary = 15;  // words of either side, the reserved ones included

inline std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_all(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
}

inline std::string random_text(const std::string& prefix, Random& random, int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) {
    for (auto left = 1 + random() % 8; left > 0; --left) {
      text += prefix + std::to_string(random() % (kVocabulary - kReserved)) + " ";
    }
    text.back() = '\n';
  }
  return text;
}

inline void write_vocabulary(const std::string& prefix, const std::string& path) {
  VocabularyBuilder builder;
  for (WordId id = 0; id < kVocabulary - kReserved; ++id) {
    builder.add(prefix + std::to_string(id));
  }
  builder.finish().vocabulary.save(path);
}

// Every word alone, many pairs and some triples, each with one to three translations.
inline void write_table(const std::string& path, bool hierarchical, Random& random) {
  PhraseTableLayout layout;
  layout.features = {"tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd"};
  if (!hierarchical) layout.reorderings = {"hierarchical", "word"};
  layout.source_words = layout.target_words = kVocabulary;
  layout.bilingual_words = hierarchical ? 0 : kVocabulary;
  layout.hierarchical = hierarchical;
  PhraseTableWriter writer(path, layout);
  std::vector<Words> sources;
  const WordId first = hierarchical ? kGaps[0] : kReserved;
  for (WordId a = first; a < kVocabulary; ++a) {
    if (!is_gap(a)) sources.push_back({a});
    for (WordId b = first; b < kVocabulary; ++b) {
      if (random() % 3 > 0) sources.push_back({a, b});
      if (random() % 9 == 0) sources.push_back({a, b, kReserved + (a + b) % 5});
    }
  }
  for (const Words& source : sources) {
    std::size_t gaps = 0;
    bool sound = true;
    for (const WordId word : source) {
      if (hierarchical && is_gap(word)) sound = sound && gap_number(word) == gaps++;
    }
    if (!sound || gaps == source.size()) continue;
    writer.begin_source(source);
    for (auto left = 1 + random() % 3; left > 0; --left) {
      Words target;
      for (auto words = 1 + random() % 3; words > 0; --words) {
        target.push_back(static_cast<WordId>(kReserved + random() % (kVocabulary - kReserved)));
      }
      for (std::size_t gap = 0; gap < gaps; ++gap) {
        const auto at = static_cast<std::ptrdiff_t>(random() % (target.size() + 1));
        target.insert(target.begin() + at, kGaps[gap]);
      }
      std::vector<float> scores(4), reordering(layout.reordering_columns());
      for (float& score : scores) score = -static_cast<float>(random() % 100) / 20;
      for (float& score : reordering) score = -static_cast<float>(random() % 100) / 50;
      const PhraseLink links[] = {{0, 0}, {0, static_cast<std::uint8_t>(target.size() - 1)}};
      OptionFields fields;
      fields.target = target;
      fields.alignment = std::span(links).first(target.size() > 1 ? 2 : 1);
      fields.counts = {1, 2, 3};
      fields.scores = scores;
      fields.reordering = reordering;
      if (!hierarchical) fields.bilingual = target;
      writer.add_option(fields);
    }
  }
  writer.finish();
}

inline void rewrite_table(const std::string& from, const std::string& to, bool quantise) {
  const PhraseTable table(from);
  RewriteOptions options;
  options.quantise = quantise;
  options.sort_weights.assign(table.info().features, 1);
  TableRewriter rewriter(table, to, options);
  while (!rewriter.run()) {
  }
}

// Lexical table, aligner, links, bitext and its two vocabularies.
inline void write_alignment(const std::string& directory, Random& random) {
  BitextBuilder builder(directory);
  for (int pair = 0; pair < 40; ++pair) {
    builder.add(random_text("s", random, 1), random_text("t", random, 1));
  }
  builder.finish(directory + "/bitext", directory + "/bitext.source",
                 directory + "/bitext.target");
  const Bitext bitext(directory + "/bitext");
  AlignTrainer trainer({bitext.source(), bitext.target()}, {}, 1);
  for (const Stage stage : {Stage::kModel1, Stage::kHmm}) {
    trainer.sweep(stage, 0, trainer.pairs(), 1);
    trainer.finish_sweep(stage);
  }
  const AlignmentModel model = trainer.model(0);
  model.save(directory + "/aligner");
  model.lexical_table(Direction::kForward).save(directory + "/lexicon");
  std::vector<Link> links;
  std::vector<std::uint64_t> offsets;
  trainer.align(0, trainer.pairs(), Symmetry::kGrowDiagFinalAnd, 0.3, 1, links, offsets);
  LinksFile::save({links, offsets}, directory + "/links");
  ContextOptions options;
  options.shape = {10, 2, kVocabulary, kVocabulary};
  const AlignedText linked({bitext.source(), bitext.target()}, {links, offsets});
  ContextTrainer learner(linked, options);
  learner.begin_round();
  learner.learn(0, learner.size());
  learner.save(directory + "/context");
}

inline void write_small_ones(const std::string& directory, Random& random) {
  std::vector<float> weights(64);
  for (float& weight : weights) weight = static_cast<float>(random() % 100) / 50 - 1;
  NodeClassifier::save(directory + "/classifier", kAllFeatures, Binarisation::kLeft,
                       HeadSide::kFirst, 0.5, weights);
  std::vector<std::uint64_t> hashes;
  for (const char* word : {"s1", "s2", "s3"}) hashes.push_back(hash_bytes(word));
  std::sort(hashes.begin(), hashes.end());
  BtgParser::save(directory + "/btg", hashes, std::vector<std::uint16_t>{1, 2, 1}, weights);
  constexpr NetworkShape kShape{2, 1, 2, 4, kVocabulary, kVocabulary};
  std::vector<float> numbers(4 * 5 * 2 + 4 * kVocabulary);
  for (float& number : numbers) number = static_cast<float>(random() % 100) / 50 - 1;
  const auto first = [&numbers](std::size_t count) { return std::span(numbers).first(count); };
  Network::save(directory + "/network", kShape,
                {first(2 * kVocabulary), first(2 * kVocabulary), first(5 * 2 * 4), first(4),
                 first(4 * kVocabulary), first(kVocabulary)});
  RuleSet rules(4.0, 2);
  for (WordId word = kReserved; word < kVocabulary; ++word) {
    rules.add(Words{word, 4}, Words{word}, 1, static_cast<std::size_t>(word) % 2).sparse = 0.5;
    rules.add(Words{word}, Words{}, 0.25, 1);
  }
  rules.save(directory + "/ruleset");
}

inline void write_classes(const std::string& directory, Random& random) {
  std::vector<WordClass> classes(kVocabulary, kRareWords);
  for (std::size_t id = kReserved + 1; id < classes.size(); ++id) {
    classes[id] = static_cast<WordClass>(1 + random() % 4);
  }
  WordClasses::save(directory + "/word.classes", classes);
  write_lm(random_text("", random, 60), directory + "/classes.lm", 4);
}

inline void write_memory(const std::string& directory, Random& random) {
  SegmentIndexBuilder builder(directory);
  for (int pair = 0; pair < 60; ++pair) {
    std::string words = random_text("s", random, 1);
    words.pop_back();
    builder.add(words, words, "t" + std::to_string(random() % 5));
  }
  builder.finish(directory + "/memory", directory + "/memory.words");
}

// The names of all samples.
inline const std::vector<std::string>& kinds() {
  static const std::vector<std::string> names = {
      "source.vocab", "target.vocab", "bilingual.vocab", "phrases.table",
      "bytes.table",  "hiero.table",  "target.lm",       "bilingual.lm",
      "lexicon",      "aligner",      "links",           "bitext",
      "btg",          "classifier",   "ruleset",         "network",
      "memory",       "classes.lm",   "word.classes",    "context"};
  return names;
}

inline void write_samples(const std::string& directory, unsigned seed = 1) {
  Random random(seed);
  write_vocabulary("s", directory + "/source.vocab");
  write_vocabulary("t", directory + "/target.vocab");
  write_vocabulary("b", directory + "/bilingual.vocab");
  write_table(directory + "/phrases.table", false, random);
  rewrite_table(directory + "/phrases.table", directory + "/bytes.table", true);
  write_table(directory + "/hiero.table", true, random);
  write_lm(random_text("t", random, 60), directory + "/target.lm", 4);
  write_lm(random_text("b", random, 60), directory + "/bilingual.lm", 3);
  write_classes(directory, random);
  write_alignment(directory, random);
  write_small_ones(directory, random);
  write_memory(directory, random);
}

// --- using them -------------------------------------------------------------------------------

inline TranslationModel::Files model_files(const std::string& directory,
                                           const std::string& table) {
  TranslationModel::Files files{directory + "/" + table,
                                directory + "/source.vocab",
                                directory + "/target.vocab",
                                directory + "/bilingual.vocab",
                                directory + "/word.classes",
                                {{"lm", directory + "/target.lm", Tokens::kWords},
                                 {"lm.classes", directory + "/classes.lm", Tokens::kClasses}}};
  if (table != "hiero.table") {
    files.sequences.push_back({"bilm", directory + "/bilingual.lm", Tokens::kBilingual});
    files.context = directory + "/context";
  }
  return files;
}

// The best translations of some lines, and everything else a search can be asked for.
inline std::vector<std::string> translate(const TranslationModel::Files& files) {
  const auto model = std::make_shared<const TranslationModel>(files);
  std::vector<double> weights(model->features().size(), 0.2);
  weights[model->features().unknown()] = -5;
  Random random(3);
  std::vector<DecodeRequest> requests;
  for (int i = 0; i < 4; ++i) {
    requests.push_back({random_text("s", random, 1) + (i == 2 ? "stranger s1" : ""), {}, {}});
  }
  requests[1].demands.given = {{0, 1, "a term", 0, true}};
  std::unique_ptr<BatchDecoder> decoder;
  if (model->hierarchical()) {
    decoder = std::make_unique<ChartDecoder>(model, weights, ChartOptions{});
  } else {
    decoder = std::make_unique<PhraseDecoder>(model, weights, SearchOptions{});
  }
  DecodeWants wants;
  wants.nbest = 5;
  wants.graph = wants.graph_values = true;
  std::vector<std::string> best;
  for (const DecodeResult& result : decoder->decode(requests, wants, 1)) {
    if (!result.error.empty()) throw InputError(result.error);
    best.push_back(result.best.target);
  }
  return best;
}

inline void use_table(const std::string& directory, const std::string& name) {
  const PhraseTable table(directory + "/" + name);
  const auto source = Vocabulary::open(directory + "/source.vocab");
  const auto target = Vocabulary::open(directory + "/target.vocab");
  row_facts(table);
  match_rows(table, table);
  rewrite_table(directory + "/" + name, directory + "/rewritten", false);
  if (table.info().source_words != source.size() || table.info().target_words != target.size()) {
    return;  // whoever looks words up compares them first
  }
  bilingual_phrases(table, source, target);
  try {
    moses_phrases(table, source, target, 0, table.first_words());
    for (std::size_t model = 0; model < table.info().reorderings; ++model) {
      moses_reordering(table, source, target, model, 0, table.first_words());
    }
  } catch (const InputError&) {
    // a feature that Moses needs has another name
  }
}

inline void use_lm(const NgramModel& model) {
  Random random(5);
  LmState state = model.begin_state(), next;
  for (int i = 0; i < 200; ++i) {
    const auto word = static_cast<WordId>(random() % (model.vocabulary().size() + 3)) - 1;
    model.score(state, word, next);
    state = i % 20 == 0 ? model.null_state() : next;
  }
  const std::string_view lines[] = {"t1 t2 t3 <s> t999", "", "a-word-of-more-than-16-bytes t4"};
  score_lines(model, lines, {});
  std::string piece;
  for (ArpaWriter writer(model); writer.next(piece);) {
  }
}

inline void use_vocabulary(const Vocabulary& vocabulary) {
  Words ids;
  vocabulary.encode("s1 t2 b3 <s> nothing", ids);
  vocabulary.decode(ids);
  for (std::size_t id = 0; id < vocabulary.size(); ++id) {
    vocabulary.count(static_cast<WordId>(id));
    vocabulary.find(vocabulary.word(static_cast<WordId>(id)));
  }
}

inline void use_aligner(const std::string& path) {
  const AlignmentModel model = AlignmentModel::open(path);
  const Words ids{3, 99999, 4, 0, 5, 6, 3};
  const std::uint64_t offsets[] = {0, 4, 4, 7};
  const Sentences text(ids, offsets);
  std::vector<Link> links;
  std::vector<std::uint64_t> ends;
  model.align({text, text}, Symmetry::kGrowDiagFinalAnd, 0.3, 1, links, ends);
  model.lexical_table(Direction::kForward);
  model.lexical_table(Direction::kBackward);
}

inline void use_aligned_text(const std::string& directory) {
  const Bitext bitext(directory + "/bitext");
  const LinksFile links(directory + "/links");
  const AlignedText text({bitext.source(), bitext.target()}, links.links());
  const auto source = bitext.source().ids();
  const auto target = bitext.target().ids();
  const auto small = [](WordId id) { return id < 1000; };  // else the table takes much memory
  if (std::all_of(source.begin(), source.end(), small) &&
      std::all_of(target.begin(), target.end(), small)) {
    lexical_table_from_links(text, Direction::kForward);
    lexical_table_from_links(text, Direction::kBackward);
  }
  PhraseExtractor extractor{ExtractionOptions{}};
  std::vector<PhraseInstance> found;
  for (std::size_t pair = 0; pair < text.size(); ++pair) {
    extractor.extract(text.source[pair].size(), text.target[pair].size(), text.links[pair], found);
  }
}

inline void use_preordering(const std::string& directory, const std::string& name) {
  if (name == "btg") {
    std::vector<std::int32_t> order;
    BtgParser(directory + "/btg").parse("s1 s2 x s3 s1 y s2", order);
    return;
  }
  Trees trees;
  read_brackets("(S (A s1) (B (C s2) (D s3)))", "tree", 1, Binarisation::kLeft, HeadSide::kFirst,
                trees);
  NodeClassifier(directory + "/classifier").scores(trees, 1);
}

inline void use_ruleset(const std::string& directory) {
  const RuleSet rules = RuleSet::open(directory + "/ruleset");
  for (const RuleSet::Rule& rule : rules.rules()) {
    rules.probabilities(rule);
    rules.probabilities(rule, 0);
  }
  rules.save(directory + "/rewritten");
}

inline void use_network(const std::string& directory) {
  NetworkJudge judge(directory + "/network", Vocabulary::open(directory + "/source.vocab"),
                     Vocabulary::open(directory + "/target.vocab"));
  NetworkScorer scorer(judge.network);
  for (int round = 0; round < 2; ++round) {
    scorer.begin(Words{3, 4, 99, 5});
    scorer.score(Words{4, 3, 99}, std::vector<std::uint32_t>{0, 3, 2});
  }
}

inline void use_memory(const std::string& directory) {
  const SegmentIndex memory(directory + "/memory", directory + "/memory.words");
  for (const char* words : {"s1", "s1 s2 s3", "s4 s4 x s5 s6 s1 s2", "x"}) {
    for (const double least : {0.3, 0.6, 1.0}) {
      for (const SegmentMatch& match : memory.search(words, least, 5)) {
        memory.source(match.segment);
        memory.target(match.segment);
      }
    }
  }
}

// Everything that reads the file of this name; throws InputError when it is refused.
inline void use(const std::string& directory, const std::string& name) {
  const std::string path = directory + "/" + name;
  if (name.ends_with(".vocab")) use_vocabulary(Vocabulary::open(path));
  if (name.ends_with(".lm")) use_lm(NgramModel::open(path));
  if (name.ends_with(".table")) {
    use_table(directory, name);
    translate(model_files(directory, name));
  } else if (name.ends_with(".vocab") || name.ends_with(".lm") || name == "word.classes") {
    translate(model_files(directory, "phrases.table"));
    translate(model_files(directory, "hiero.table"));
  } else if (name == "context") {
    translate(model_files(directory, "phrases.table"));
  } else if (name == "lexicon") {
    const LexicalTable table = LexicalTable::open(path);
    for (WordId given = -1; given < 20; ++given) table.prob(given, given + 1);
  } else if (name == "aligner") {
    use_aligner(path);
  } else if (name == "links" || name == "bitext") {
    use_aligned_text(directory);
  } else if (name == "ruleset") {
    use_ruleset(directory);
  } else if (name == "network") {
    use_network(directory);
  } else if (name == "memory") {
    use_memory(directory);
  } else {
    use_preordering(directory, name);
  }
}

// --- damaging them ----------------------------------------------------------------------------

// Makes header and content vouch for each other again, as somebody who forges a file would.
inline void forge(std::string& bytes) {
  if (bytes.size() < 64) return;
  const auto put = [&](std::size_t at, std::uint64_t number) {
    std::memcpy(bytes.data() + at, &number, sizeof number);
  };
  put(24, bytes.size());
  StreamChecksum checksum;
  checksum.add(std::as_bytes(std::span(bytes).subspan(64)));
  put(32, checksum.value());
  put(40, hash_bytes({bytes.data(), 40}));
}

// Bytes, bits, numbers, blocks; anywhere behind the header.
inline std::string damaged(std::string bytes, Random& random) {
  constexpr std::size_t kHeader = 64;
  for (auto changes = 1 + random() % (random() % 4 == 0 ? 20 : 2); changes > 0; --changes) {
    const std::size_t at = kHeader + random() % (bytes.size() - kHeader);
    switch (random() % 6) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
        break;
      case 2: {  // a number of another size
        static constexpr std::uint32_t kNumbers[] = {
            0xffffffff, 0x7fffffff, 0x80000000, 0x7f800000, 0x7fc00000, 0, 1, 2, 16};
        const std::uint32_t number = random() % 2 == 0
                                         ? kNumbers[random() % std::size(kNumbers)]
                                         : static_cast<std::uint32_t>(random() % 2000);
        if (at + 4 <= bytes.size()) std::memcpy(bytes.data() + at / 4 * 4, &number, 4);
        break;
      }
      case 3: {  // something from elsewhere in the file
        const std::size_t from = kHeader + random() % (bytes.size() - kHeader);
        const std::size_t size =
            std::min<std::size_t>(random() % 64, bytes.size() - std::max(at, from));
        std::memmove(bytes.data() + at, bytes.data() + from, size);
        break;
      }
      case 4:  // a block of noise
        for (std::size_t k = at; k < std::min(bytes.size(), at + random() % 4096); ++k) {
          bytes[k] = static_cast<char>(random());
        }
        break;
      case 5: {  // a number one more or one less
        std::uint32_t number = 0;
        if (at + 4 > bytes.size()) break;
        std::memcpy(&number, bytes.data() + at / 4 * 4, 4);
        number += random() % 2 == 0 ? 1 : 0xffffffff;
        std::memcpy(bytes.data() + at / 4 * 4, &number, 4);
        break;
      }
    }
  }
  return bytes;
}

}  // namespace samples
