"""The one translator behind every door: text in, text out.

Command line, documents, server, page and ``explain`` are adapters around this; what becomes of a
sentence on its way is in ``dragoman.translation.pipeline``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from dragoman.arguments import instance, models, one_string, strings
from dragoman.errors import InputError, UsageError
from dragoman.layout import MEMORY, UNKNOWN_SOURCES
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.progress import SILENT, Progress
from dragoman.search.choice import model_options
from dragoman.search.engine import BATCH
from dragoman.search.options import AnyOptions, ChartOptions, SearchOptions
from dragoman.text.form import TextForm
from dragoman.translation.config import MatchesName, MemoryOptions, SuggestOptions
from dragoman.translation.demands import NO_DEMANDS, Demands
from dragoman.translation.pipeline import Pipeline
from dragoman.translation.result import PLAIN, SaidPassage, Translation, Wants, passage_confidence
from dragoman.translation.source import Passage, text_passage
from dragoman.translation.terms import Terms, TermsLike
from dragoman.unknown.forms import NO_FORMS, Forms

if TYPE_CHECKING:
    from dragoman.translation.corrections import Corrections
    from dragoman.translation.memory import Match, Memory, MemoryUse
    from dragoman.translation.preordering import ModelPreordering
    from dragoman.translation.suggest import KeptSuggesters, Suggestion

# Whether the translation memory is used, or all that can be said about that.
MemoryLike = MatchesName | MemoryOptions

_TEXTS = "a string or a list of strings"


class Translator(Pipeline):
    """A model to call; :meth:`open` opens a model directory."""

    _opening: Callable[[], Translator] | None = None
    _corrections: Corrections | None = None
    _memory: Memory | None = None
    _suggesters: KeptSuggesters | None = None

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
        others = models(others, "others")
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

    @property
    def corrections(self) -> Corrections:
        """What users have taught the model since its training."""
        if self._corrections is None:
            from dragoman.translation.corrections import Corrections

            self._corrections = Corrections(self.directory.corrections_file, self.form, self.forms)
        return self._corrections

    @cached_property
    def forms(self) -> Forms:
        """Which words are forms of one another, for terms; pieces of words have none."""
        whole = self.form.config.tokeniser_of("source") not in ("subword", "char", "segmenter")
        if not (whole and self.directory.has(UNKNOWN_SOURCES)):
            return NO_FORMS
        return Forms.load(self.directory.sound_file(UNKNOWN_SOURCES))

    @property
    def memory(self) -> Memory:
        """The pairs that the model was trained on; ModelError when it keeps none."""
        if self._memory is None:
            from dragoman.translation.memory import Memory

            self._memory = Memory.of_model(self.directory, self.form)
        return self._memory

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
            Terms.given(terms, self.form, self.forms) if terms is not None else None,
            self.corrections if corrections else None,
            markup,
            self._memory_use(memory),
        )

    def _memory_use(self, memory: MemoryLike) -> MemoryUse | None:
        if memory == "off":
            return None
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
        return [one.text for one in self.find_passages(passages, demands, progress=progress)]

    def find_passages(
        self,
        passages: Sequence[Passage],
        demands: Demands = NO_DEMANDS,
        wants: Wants = PLAIN,
        *,
        progress: Progress = SILENT,
    ) -> list[SaidPassage]:
        """The same with how sure the model is of each passage, if it is asked for."""
        self.check_trees()
        cut = [self.cut(passage, demands) for passage in passages]
        sources = [source for passage in cut for source in passage.sentences]
        # What a search has found is large: of each batch, only this is kept.
        said: list[tuple[str, list[float] | None]] = []
        with progress.task("translating", total=len(sources), unit="sentences") as task:
            for begin in range(0, len(sources), BATCH):
                batch = sources[begin : begin + BATCH]
                for source, found in zip(batch, self.find(batch, demands, wants), strict=True):
                    best = found.best
                    text = source.spelt if best.problem else best.text
                    said.append((text, None if best.dictated else best.confidences))
                task.advance(len(said) - begin)
        rest = iter(said)
        done = []
        for passage in cut:
            own = list(islice(rest, len(passage.sentences)))
            text = passage.assemble([text for text, _ in own])
            done.append(SaidPassage(text, passage_confidence([sure for _, sure in own])))
        return done

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
