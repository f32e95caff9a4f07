"""The one translator behind every door: text in, text out.

A sentence goes one way, whoever asks: what must not be translated is held back, the rest is
normalised and cut into tokens (``Source``, ``TextForm``); terms, corrections and markup are laid
upon it (``Demands``); the tokens are put in the order the model was trained on
(``ModelPreordering``); a search translates them (``Search``); and the translation is written as
people write, with what was held. Command line, documents, server, page and ``explain`` are
adapters around this. A batch is the single call, many times.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from dragoman._core import DecodeResult, GivenTranslation, PhraseTranslation
from dragoman.arguments import instance, one_string, strings
from dragoman.errors import InputError, UsageError
from dragoman.layout import CONFIDENCE, MEMORY
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.progress import SILENT, Progress
from dragoman.search.choice import make_search, model_options
from dragoman.search.engine import BATCH, Search
from dragoman.search.options import AnyOptions, ChartOptions, SearchOptions
from dragoman.search.result import Totals
from dragoman.text.form import TextForm
from dragoman.text.items import item_kind
from dragoman.text.protect import Protection
from dragoman.translation.config import MatchesName, MemoryOptions, SuggestOptions
from dragoman.translation.demands import (
    NO_DEMANDS,
    Demands,
    MarkedLine,
    Terms,
    mark_line,
    parse_markup,
)
from dragoman.translation.result import PLAIN, Found, Prepared, Translation, Wants
from dragoman.translation.source import CutPassage, Passage, Source, text_passage
from dragoman.translation.written import write_dictated, write_out

if TYPE_CHECKING:
    from dragoman.translation.confidence import Confidence
    from dragoman.translation.consensus import Consensus
    from dragoman.translation.corrections import Corrections
    from dragoman.translation.memory import Match, Memory, MemoryUse
    from dragoman.translation.preordering import ModelPreordering
    from dragoman.translation.suggest import KeptSuggesters, Suggestion

# Searches with options of their own that are kept; each remembers phrases it has seen.
KEPT_SEARCHES = 4

# Words and how to translate them: pairs, triples with a probability, which makes it a
# suggestion, a mapping, or a file of such lines.
TermsLike = Mapping[str, str] | Iterable[Sequence[Any]] | str | Path | Terms

# Whether the translation memory is used, or all that can be said about that.
MemoryLike = MatchesName | MemoryOptions

_TEXTS = "a string or a list of strings"


class Translator:
    """A model to call; :meth:`open` opens a model directory."""

    def __init__(
        self,
        directory: ModelDirectory,
        bundle: Bundle,
        options: AnyOptions,
        form: TextForm,
        preordering: ModelPreordering | None = None,
        *,
        threads: int = 1,
    ) -> None:
        self.directory, self.bundle, self.options = directory, bundle, options
        self.form, self.preordering, self.threads = form, preordering, threads
        self._searches: OrderedDict[AnyOptions, Search] = OrderedDict()
        self._choosing = threading.Lock()
        self._corrections: Corrections | None = None
        self.consensus: Consensus | None = None  # with other models, this being the first
        self._opening: Callable[[], Translator] | None = None
        self._memory: Memory | None = None
        self._suggesters: KeptSuggesters | None = None
        self.search_with(options)  # whoever opens a translator hears at once what is wrong

    @classmethod
    def open(
        cls,
        model: str | Path | ModelDirectory,
        *,
        options: AnyOptions | None = None,
        weights: str | Path | None = None,
        tokenised: bool = False,
        protect: Sequence[str] = (),
        threads: int = 1,
        trees: str | Path | None = None,
        others: Sequence[str | Path | ModelDirectory] = (),
        mbr: int = 0,
        alone: bool = False,
        verify: bool = True,
    ) -> Translator:
        """Open a model directory; without `options` and `weights`, with the model's own.

        `others`: further models of the same languages, of any kind; what comes out is what all
        agree on. `mbr`: so many translations of each model are considered; with one model, its
        own consensus. A model that `train --best` has made brings its others along, unless it
        is asked `alone`.

        `tokenised`: text comes and goes as tokens separated by spaces. `protect`: regular
        expressions; what they match is not translated, beside what never is. `trees`: a file
        with the trees of the lines that will be translated, in their order, when the model was
        trained on trees. Everything is read once and compared with its checksum; without
        `verify`, only headers are, and a damaged model may do anything.
        """
        directory = ModelDirectory.of(model)
        if alone and (others or mbr):
            raise UsageError("a model that is asked alone agrees with no others")
        if options is not None and not isinstance(options, SearchOptions | ChartOptions):
            raise UsageError(f"options must be SearchOptions or ChartOptions, not {options!r}")
        form = TextForm.tokenised() if tokenised else directory.text_form()
        if protect:
            form = form.protecting(strings(protect, "protect"))
        agreeing = not alone and bool(others or mbr or directory.members)
        # Of several models, those that order words along trees get them.
        own_trees = trees if not agreeing or directory.orders_along_trees else None
        translator = cls(
            directory,
            Bundle.open(directory, weights=weights, verify=verify),
            options if options is not None else model_options(directory),
            form,
            _preordering(directory, own_trees),
            threads=threads,
        )
        if agreeing:
            from dragoman.translation.consensus import open_consensus

            translator.consensus = open_consensus(
                translator, others, mbr=mbr, tokenised=tokenised, trees=trees, verify=verify
            )
        translator._opening = partial(
            cls.open,
            directory.given.absolute(),
            options=translator.options,
            weights=Path(weights).absolute() if weights is not None else None,
            tokenised=tokenised,
            protect=tuple(protect),
            trees=Path(trees).absolute() if trees is not None else None,
            others=tuple(ModelDirectory.of(other).given.absolute() for other in others),
            mbr=mbr,
            alone=alone,
        )
        return translator

    def __reduce__(self) -> tuple[Callable[[], Translator], tuple[()]]:
        """To other processes it travels as the way to open it, with one thread there."""
        if self._opening is None:
            raise TypeError("a translator that was not opened from a directory cannot be sent")
        return self._opening, ()

    def twin(self, *, threads: int) -> Translator:
        """The same with searches of its own, which do not wait for those of this one."""
        made = Translator(
            self.directory, self.bundle, self.options, self.form, self.preordering, threads=threads
        )
        if self.consensus is not None:
            made.consensus = self.consensus.twin(made)
        return made

    @cached_property
    def features(self) -> list[str]:
        """The names of what its translations are scored by."""
        return self.bundle.features if self.consensus is None else self.consensus.features

    @property
    def preorderings(self) -> list[ModelPreordering]:
        """What orders the words, of each model that has such."""
        members = self.consensus.members if self.consensus is not None else (self,)
        return [member.preordering for member in members if member.preordering is not None]

    def check_trees(self) -> None:
        """Raise ModelError when the model needs trees and there will be none."""
        for preordering in self.preorderings:
            preordering.check_trees()

    @cached_property
    def languages(self) -> tuple[str, str]:
        """Codes of the source and the target language; empty when the model does not say."""
        return self.directory.languages

    @property
    def corrections(self) -> Corrections:
        """What users have taught the model since its training."""
        if self._corrections is None:
            from dragoman.translation.corrections import Corrections

            self._corrections = Corrections(self.directory.corrections_file, self.form)
        return self._corrections

    def demands(
        self,
        *,
        terms: TermsLike | None = None,
        corrections: bool = False,
        markup: bool = False,
        memory: MemoryLike = "off",
    ) -> Demands:
        """Demands on every sentence: terminology, what the model was taught, markup, and what was
        translated before."""
        return Demands(
            self._terms(terms) if terms is not None else None,
            self.corrections if corrections else None,
            markup,
            self._memory_use(memory),
        )

    def _memory_use(self, memory: MemoryLike) -> MemoryUse | None:
        options = MemoryOptions(memory_matches=memory) if isinstance(memory, str) else memory
        if not isinstance(options, MemoryOptions):
            raise UsageError(f"memory must be off, exact, fuzzy or MemoryOptions, not {memory!r}")
        options = options.otherwise("off")
        if options.memory_matches == "off":
            return None
        from dragoman.translation.memory import MemoryUse

        return MemoryUse(self.memory, options)

    def document_demands(
        self,
        *,
        terms: TermsLike | None = None,
        corrections: bool = False,
        memory: MemoryOptions | None = None,
    ) -> Demands:
        """Demands on the sentences of a document, for which the translation memory is used if
        there is one and nobody has said otherwise."""
        usual: MatchesName = "fuzzy" if self.directory.has(*MEMORY) else "off"
        options = (memory or MemoryOptions()).otherwise(usual)
        return self.demands(terms=terms, corrections=corrections, memory=options)

    @cached_property
    def confidence(self) -> Confidence | None:
        """How sure its translations are; None for a model that has not learnt to say so."""
        if not self.directory.has(CONFIDENCE):
            return None
        from dragoman.translation.confidence import Confidence

        return Confidence.load(self.directory.sound_file(CONFIDENCE))

    @property
    def memory(self) -> Memory:
        """The pairs that the model was trained on; ModelError when it keeps none."""
        if self._memory is None:
            from dragoman.translation.memory import Memory

            self._memory = Memory.of_model(self.directory, self.form)
        return self._memory

    def _terms(self, terms: TermsLike) -> Terms:
        if isinstance(terms, Terms):
            return terms
        if isinstance(terms, str | Path):
            return Terms.read(Path(terms), self.form)
        if not isinstance(terms, Iterable):
            raise UsageError(f"terms must be a mapping, pairs or a file, not {terms!r}")
        entries: Iterable[Any] = terms.items() if isinstance(terms, Mapping) else terms
        found: list[tuple[str, str, float | None]] = []
        for entry in entries:
            pair = isinstance(entry, tuple | list) and len(entry) in (2, 3)
            if not pair or not all(isinstance(side, str) for side in entry[:2]):
                raise UsageError(f"a term is a source and a target, not {entry!r}")
            found.append((entry[0], entry[1], entry[2] if len(entry) == 3 else None))
        return Terms.of(found, self.form)

    # The steps, for those who put batches together themselves.

    def cut(self, passage: Passage, demands: Demands = NO_DEMANDS) -> CutPassage:
        """A passage in sentences; where markup is obeyed, in lines, lest it be cut through."""
        protection = self._protection(markup=demands.markup)
        memory = demands.memory
        if memory is None:
            return passage.cut(self.languages[0], protection, whole_lines=demands.markup)
        return passage.cut(
            self.languages[0], protection, whole_lines=demands.markup, whole=memory.knows
        )

    def offers(self, passage: Passage, demands: Demands) -> list[Match]:
        """What the translation memory has for a passage that is one segment, best first."""
        if demands.memory is None:
            return []
        cut = passage.cut(self.languages[0], self._protection(markup=False), whole_lines=True)
        return demands.memory.matches(cut.sentences[0]) if len(cut.sentences) == 1 else []

    def source_of(self, line: str, *, markup: bool = False) -> Source:
        """A line that is one sentence."""
        return Source.of_line(line, self._protection(markup=markup))

    def _protection(self, *, markup: bool) -> Protection | None:
        """What finds the pieces to hold; lines with markup are taken apart first."""
        return self.form.protection if self.form.holds and not markup else None

    def prepare(self, source: Source, demands: Demands = NO_DEMANDS) -> Prepared:
        """A sentence as the search takes it, with what is demanded of it."""
        if self.form.unsaid:
            raise UsageError(
                f"{self.directory}: the model was imported and does not say how its text is cut "
                "into words; give tokens (--tokenised), or import it again with --tokeniser"
            )
        mark = parse_markup if demands.markup else mark_line
        line = mark(source.text, source.held, self.form)
        if demands.terms is not None:
            demands.terms.apply(line)
        dictated = None
        if demands.corrections is not None:
            dictated = demands.corrections.apply(line)
        return self.remember(Prepared(source, line, dictated), demands)

    def remember(self, prepared: Prepared, demands: Demands) -> Prepared:
        """A prepared sentence with what the translation memory has for it; the same segment is
        translated as it was, unless somebody has said otherwise of it or some of its words."""
        if demands.memory is None or not prepared.line.tokens:
            return prepared
        offers = demands.memory.matches(prepared.source)
        line = prepared.line
        taken = offers and offers[0].exact and not (prepared.dictated or line.demanded)
        if not taken:
            return replace(prepared, offers=tuple(offers))
        if not (line.given or line.zones or line.walls or line.source.tags):
            # Told as one phrase, so that whoever asks why gets a true answer.
            text = demands.memory.text_of(prepared.source)
            _, target = self.form.prepare_pair(text, offers[0].target)
            line.given.append(GivenTranslation(0, len(line.tokens), target))
        return replace(prepared, offers=tuple(offers), remembered=offers[0])

    def search(
        self,
        sentences: Sequence[Prepared],
        wants: Wants = PLAIN,
        *,
        references: Sequence[str] | None = None,
        totals: Totals | None = None,
    ) -> list[DecodeResult]:
        """Put prepared sentences in the model's order and search; `references`, in tokens: only
        for derivations of these."""
        if wants.confidence and self.consensus is not None:
            raise UsageError("a consensus of models does not say how sure it is: ask one of them")
        if self.consensus is None:
            return self.search_alone(sentences, wants, references=references, totals=totals)
        if references is not None:
            raise UsageError(
                "a consensus of models cannot be forced to a reference: ask one model"
            )
        return self.consensus.search(sentences, wants, totals)

    def search_alone(
        self,
        sentences: Sequence[Prepared],
        wants: Wants = PLAIN,
        *,
        references: Sequence[str] | None = None,
        totals: Totals | None = None,
    ) -> list[DecodeResult]:
        """The same with this model only, whatever others it agrees with."""
        lines = [sentence.line for sentence in sentences]
        if self.preordering is not None:
            lines = self.preordering.apply(lines, self.threads)
        found = self._decode(lines, wants, references, totals)
        if references is not None:
            return found
        # A model that has lost or doubled an item is told where each belongs.
        failed = [
            index
            for index, (line, result) in enumerate(zip(lines, found, strict=True))
            if line.source.items and not _items_are_kept(line, result)
        ]
        if failed:
            forced = [lines[index].with_items_forced() for index in failed]
            again = self._decode(forced, wants, None, None)
            for index, result in zip(failed, again, strict=True):
                found[index] = result
        return found

    def _decode(
        self,
        lines: Sequence[MarkedLine],
        wants: Wants,
        references: Sequence[str] | None,
        totals: Totals | None,
    ) -> list[DecodeResult]:
        demands = [line.demands for line in lines]
        found = self.search_with(wants.options or self.options).decode(
            [line.text for line in lines],
            demands=demands if any(demands) else None,
            references=references,
            nbest=wants.nbest,
            distinct=wants.distinct,
            graph=wants.graph or wants.confidence,
            graph_values=wants.graph and wants.graph_values,
            features=wants.features,
            picture=wants.picture,
            totals=totals,
        )
        return list(found)

    def finish(
        self, prepared: Prepared, result: DecodeResult, options: AnyOptions | None = None
    ) -> Found:
        """A sentence's translations as people write them."""
        options = options or self.options
        if result.error or not result.found:
            problem = result.error or "no translation found"
            return Found(prepared, result, Translation("", prepared, problem=problem))

        features = self.features
        remembered = prepared.remembered
        said = prepared.dictated or (remembered.target if remembered else None)

        def sure() -> list[float]:
            found = self.confidence if result.graph is not None else None
            return found.of_words(result) if found is not None else []

        def written(
            entry: PhraseTranslation, dictated: str | None = None, *, best: bool = False
        ) -> Translation:
            seen = prepared.as_seen_by(entry.member)
            if dictated:
                text = write_dictated(seen, dictated)
            else:
                text = write_out(self.form, seen, entry, options)
            return Translation(text, seen, entry, features, sure=sure if best else list)

        return Found(
            prepared,
            result,
            written(result.best, said, best=True),
            tuple(written(entry) for entry in result.nbest),
        )

    def search_with(self, options: AnyOptions) -> Search:
        """The search with these options; the last few are kept."""
        with self._choosing:
            found = self._searches.pop(options, None)
            if found is None:
                found = make_search(self.bundle, options, threads=self.threads)
            self._searches[options] = found
            while len(self._searches) > KEPT_SEARCHES:
                self._searches.popitem(last=False)
            return found

    # All steps at once.

    def find(
        self, sources: Sequence[Source], demands: Demands = NO_DEMANDS, wants: Wants = PLAIN
    ) -> list[Found]:
        """All there is to know about sentences, in their order."""
        prepared = [self.prepare(source, demands) for source in sources]
        results = self.search(prepared, wants)
        return [
            self.finish(one, result, wants.options)
            for one, result in zip(prepared, results, strict=True)
        ]

    def translate_passages(
        self,
        passages: Sequence[Passage],
        demands: Demands = NO_DEMANDS,
        *,
        progress: Progress = SILENT,
    ) -> list[str]:
        """Each passage put together again from its translated sentences.

        A sentence that has no translation stays as it is.
        """
        self.check_trees()
        cut = [self.cut(passage, demands) for passage in passages]
        sources = [source for passage in cut for source in passage.sentences]
        results: list[Found] = []
        with progress.task("translating", total=len(sources), unit="sentences") as task:
            for begin in range(0, len(sources), BATCH):
                results += self.find(sources[begin : begin + BATCH], demands)
                task.advance(len(results) - begin)
        found = iter(results)

        def said(source: Source) -> str:
            best = next(found).best
            return source.spelt if best.problem else best.text

        return [passage.assemble([said(one) for one in passage.sentences]) for passage in cut]

    def translate_lines(self, lines: Sequence[str], demands: Demands = NO_DEMANDS) -> list[str]:
        """The best translation of each line, taken as one sentence; empty where there is none."""
        self.check_trees()
        texts = strings(lines, "lines")
        sources = [self.source_of(line, markup=demands.markup) for line in texts]
        return [found.best.text for found in self.find(sources, demands)]

    @overload  # a string is a sequence of strings to Python, and comes first
    def translate(  # type: ignore[overload-overlap]
        self,
        text: str,
        *,
        terms: TermsLike | None = None,
        corrections: bool = False,
        markup: bool = False,
        memory: MemoryLike = "off",
    ) -> str: ...

    @overload
    def translate(
        self,
        text: Sequence[str],
        *,
        terms: TermsLike | None = None,
        corrections: bool = False,
        markup: bool = False,
        memory: MemoryLike = "off",
    ) -> list[str]: ...

    def translate(
        self,
        text: str | Sequence[str],
        *,
        terms: TermsLike | None = None,
        corrections: bool = False,
        markup: bool = False,
        memory: MemoryLike = "off",
    ) -> str | list[str]:
        """Translate a text, or a list of texts; each may be of several sentences and lines.

        `terms` says how words are to be translated: a mapping, pairs, or a file. With
        `corrections`, what the model was taught on the web page is obeyed; with `markup`, what
        the text says in tags (see dragoman.translation.demands). `memory`: "exact" takes the
        translations of segments that the model was trained on from there; see `matches`.

        >>> translator.translate("Where is the station?")
        >>> translator.translate(["Good morning.", "Good night."])
        """
        demands = self.demands(terms=terms, corrections=corrections, markup=markup, memory=memory)
        texts = [text] if isinstance(text, str) else strings(text, "text", _TEXTS)
        found = self.translate_passages([text_passage(one) for one in texts], demands)
        return found[0] if isinstance(text, str) else found

    def nbest(
        self,
        sentence: str,
        size: int = 10,
        *,
        distinct: bool = True,
        terms: TermsLike | None = None,
        corrections: bool = False,
        markup: bool = False,
        memory: MemoryLike = "off",
    ) -> list[Translation]:
        """The best translations of one sentence, best first."""
        if instance(size, int, "size") < 1:
            raise UsageError(f"size must be at least 1, not {size}")
        wants = Wants(nbest=size, distinct=distinct, features=True)
        demands = self.demands(terms=terms, corrections=corrections, markup=markup, memory=memory)
        source = self.source_of(one_string(sentence, "sentence"), markup=markup)
        (found,) = self.find([source], demands, wants)
        if found.best.problem:
            raise InputError(found.best.problem)
        return list(found.nbest)

    def translate_sentence(
        self,
        sentence: str,
        *,
        terms: TermsLike | None = None,
        corrections: bool = False,
        markup: bool = False,
        memory: MemoryLike = "off",
    ) -> Translation:
        """The translation of one sentence with what is known of it: how sure it and its words
        are, its alignment, its phrases.

        >>> translator.translate_sentence("Where is the station?").confidence
        """
        demands = self.demands(terms=terms, corrections=corrections, markup=markup, memory=memory)
        source = self.source_of(one_string(sentence, "sentence"), markup=markup)
        wants = Wants(features=True, confidence=self.consensus is None)
        (found,) = self.find([source], demands, wants)
        if found.best.problem:
            raise InputError(found.best.problem)
        return found.best

    def matches(self, sentence: str, *, memory: MemoryOptions | None = None) -> list[Match]:
        """What the translation memory has for a sentence, best first.

        >>> translator.matches("Press the green button.")[0].target
        """
        from dragoman.translation.memory import MemoryUse

        source = self.source_of(one_string(sentence, "sentence"))
        options = (memory or MemoryOptions()).otherwise("fuzzy")
        return MemoryUse(self.memory, options).matches(source)

    def suggest(
        self,
        sentence: str,
        prefix: str = "",
        *,
        most: int = 1,
        terms: TermsLike | None = None,
        corrections: bool = False,
        options: SuggestOptions | None = None,
    ) -> list[Suggestion]:
        """How to go on with a translation of a sentence of which `prefix` is typed already, best
        first; where that is not what the model would say, from the nearest that it would.

        >>> translator.suggest("Where is the station?", "Où se ")[0].text
        """
        from dragoman.translation.suggest import SUGGESTING, KeptSuggesters, Suggester

        if instance(most, int, "most") < 1:
            raise UsageError(f"most must be at least 1, not {most}")
        demands = self.demands(terms=terms, corrections=corrections)
        source = self.source_of(one_string(sentence, "sentence"))
        if self._suggesters is None:
            self._suggesters = KeptSuggesters()
        # What is demanded may change from call to call.
        suggester = self._suggesters.find(source.spelt) if demands == NO_DEMANDS else None
        if suggester is None:
            prepared = self.prepare(source, demands)
            (result,) = self.search_alone([prepared], SUGGESTING)
            suggester = Suggester(self.form, prepared, result)
            if demands == NO_DEMANDS:
                self._suggesters.keep(source.spelt, suggester)
        chosen = options if options is not None else SuggestOptions()
        return suggester.suggest(one_string(prefix, "prefix"), chosen, most)

    def explain(
        self,
        text: str,
        *,
        nbest: int = 10,
        terms: TermsLike | None = None,
        corrections: bool = True,
        markup: bool = False,
        memory: MemoryLike = "off",
    ) -> dict[str, Any]:
        """Why each sentence of a text is translated so: phrases, features, rivals, alignment,
        n-best list and the stacks of the searches, as the web page shows them."""
        from dragoman.translation.explain import explain

        demands = self.demands(terms=terms, corrections=corrections, markup=markup, memory=memory)
        return explain(self, one_string(text, "text"), demands, nbest=nbest)


def _preordering(directory: ModelDirectory, trees: str | Path | None) -> ModelPreordering | None:
    """How a model orders words; most do not, and need not load what does."""
    if trees is None and not directory.shape.preordered:
        return None
    from dragoman.translation.preordering import ModelPreordering

    return ModelPreordering.of_model(directory, trees)


def _items_are_kept(line: MarkedLine, result: DecodeResult) -> bool:
    """Whether every translation has each held item of a line once."""
    if result.error or not result.found:
        return True
    wanted = sorted(line.source.items)
    return all(
        sorted(token for token in entry.target.split() if item_kind(token)) == wanted
        for entry in (result.best, *result.nbest)
    )
