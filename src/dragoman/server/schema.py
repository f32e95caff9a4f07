"""What goes over the wire; the OpenAPI description is made from this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    create_model,
)

from dragoman.declared import declared, find_option
from dragoman.documents.document import FORMATS
from dragoman.search.options import ChartOptions, SearchName, SearchOptions
from dragoman.translation.config import MatchesName, MemoryOptions
from dragoman.translation.memory import Change

Text = Annotated[str, Field(max_length=1 << 20)]
Name = Annotated[str, Field(max_length=200)]
# Something with a letter or a digit in it; white space and invisible characters are put in order.
Phrase = Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=r"\w")]


def _whole(value: Any) -> Any:
    """JSON knows no difference between 3 and 3.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)  # behind the bounds, or the description would lack them


class Asked(BaseModel):
    """What every request is: strict about types and names."""

    model_config = ConfigDict(strict=True, extra="forbid", ser_json_inf_nan="null")


class Term(Asked):
    """How to translate some words, in this request only."""

    source: Phrase = Field(description="Source words.")
    target: Phrase = Field(description="How to translate them.")
    probability: Annotated[float, Field(gt=0, le=1)] | None = Field(
        None, description="With one, it is a suggestion that competes; without, an order."
    )


class _Settings(Asked):
    """The search and its pruning; what is not given is the model's own."""

    def chosen(self) -> dict[str, Any]:
        """What was given."""
        return self.model_dump(exclude_none=True)


# One request must not take the server's time from the others.
_BOUNDS: dict[str, tuple[float, float]] = {
    "ttable_threshold": (0, 100),
    "beam_threshold": (0, 100),
    "early_threshold": (0, 100),
    "ttable_limit": (1, 50),
    "beam_limit": (1, 300),
    "pop_limit": (0, 300),
    "span_limit": (1, 20),
    "distortion_limit": (0, 10),
    "gap_limit": (1, 10),
}


def _settings_fields() -> dict[str, Any]:
    """The options of both searches, as dragoman.search.options declares them."""
    fields: dict[str, Any] = {}
    for one in (*declared(SearchOptions), *declared(ChartOptions)):
        kind = one.plain_type
        if one.name in _BOUNDS:
            low, high = _BOUNDS[one.name]
            bounded = Field(ge=kind(low), le=kind(high))
            kind = Annotated[kind, bounded, WHOLE] if kind is int else Annotated[kind, bounded]
        if one.name not in fields:
            fields[one.name] = (kind | None, Field(None, description=one.help))
    return fields


if TYPE_CHECKING:

    class SearchSettings(_Settings):
        """See above."""

else:
    SearchSettings = create_model(
        "SearchSettings", __base__=_Settings, __doc__=_Settings.__doc__, **_settings_fields()
    )


_MEMORY_HELP = find_option(MemoryOptions, "memory_matches").help.partition(" none:")[0]


class ModelChoice(Asked):
    """Which model is meant: by its name, or by its languages."""

    source: Name = Field("auto", description='A language such as "en", or "auto".')
    target: Name = Field("", description="A language; may be left out if there is one model.")
    model: Name = Field("", description="The name of a model; goes before the languages.")
    api_key: Name = Field("", description="If the server asks for one; a header does as well.")


# What several requests take.
Terms = Annotated[list[Term], Field(max_length=200)]
TERMS: Any = Field([], description="Terms that the translations must use.")
SEARCH: Any = Field(None, description="The search and its pruning, where the model's do not do.")


class TranslateRequest(ModelChoice):
    """Text to translate. `q`, `source`, `target`, `format`, `alternatives` and `api_key` are as
    in LibreTranslate."""

    # LibreTranslate's clients may send fields of their own.
    model_config = ConfigDict(extra="ignore")

    q: Text | list[Text] = Field(description="A text, or a list of texts.")
    format: Literal["text", "html"] = Field(
        "text", description="Whether the text is HTML, whose tags stay."
    )
    alternatives: Annotated[int, Field(ge=0, le=10), WHOLE] = Field(
        0, description="How many other translations of the whole text are given."
    )
    nbest: Annotated[int, Field(ge=0, le=100), WHOLE] = Field(
        0, description="How many of the best translations of each sentence are given."
    )
    alignment: bool = Field(False, description="Whether links between tokens are given.")
    trace: bool = Field(False, description="Whether phrases are given, with features and rivals.")
    terms: Terms = TERMS
    markup: bool = Field(
        False,
        description="Whether <t term=...>, <zone>, <wall/> are obeyed; each line is a sentence.",
    )
    confidence: bool = Field(False, description="Whether it is said how sure translations are.")
    memory: MatchesName = Field("off", description=_MEMORY_HELP)
    search: SearchSettings | None = SEARCH


class TranslateForm(Asked):
    """The same from an HTML form, with LibreTranslate's fields."""

    model_config = ConfigDict(extra="ignore")

    q: Text = Field(description="The text.")
    source: Name = "auto"
    target: Name = ""
    format: Literal["text", "html"] = "text"
    alternatives: Annotated[int, Field(ge=0, le=10), WHOLE] = 0
    api_key: Name = ""


class FileChoice(ModelChoice):
    """What is said about a document."""

    model_config = ConfigDict(extra="ignore")

    format: Literal[tuple(FORMATS)] | None = Field(  # type: ignore[valid-type]
        None, description="What it is, if the ending of its name does not say so."
    )


class TranslateFileForm(FileChoice):
    """A document to translate, as LibreTranslate takes it: a form with a file in it."""

    file: bytes = Field(description="The document, with the name of its file.")


class TranslateFileResponse(BaseModel):
    """Where the translated document can be fetched, for ten minutes."""

    translatedFileUrl: str = Field(  # noqa: N815 - LibreTranslate's name
        description="The address of the translated document."
    )


class Forced(Asked):
    """Tokens [begin, end) of a sentence are to be translated so."""

    sentence: Annotated[int, Field(ge=0, le=10_000), WHOLE] = Field(
        0, description="Which sentence of the text, from 0."
    )
    begin: Annotated[int, Field(ge=0, le=10_000), WHOLE] = Field(
        description="Its first token, from 0."
    )
    end: Annotated[int, Field(ge=1, le=10_000), WHOLE] = Field(
        description="The token behind the last one."
    )
    target: Annotated[str, Field(max_length=2000)] = Field(description="How to translate them.")


class InspectRequest(ModelChoice):
    """Sentences whose translation is to be explained."""

    q: Text = Field(description="The text.")
    forced: Annotated[list[Forced], Field(max_length=200)] = Field(
        [], description="Translations of some tokens that are dictated."
    )
    terms: Terms = TERMS
    markup: bool = Field(False, description="As in /translate.")
    nbest: Annotated[int, Field(ge=0, le=100), WHOLE] = Field(
        10, description="How many of the best translations of each sentence are given."
    )
    memory: MatchesName = Field("off", description=_MEMORY_HELP)
    search: SearchSettings | None = SEARCH


class SearchRequest(ModelChoice):
    """A sentence whose search is to be drawn, once for each algorithm."""

    q: Text = Field(description="The sentence.")
    searches: Annotated[list[SearchName], Field(min_length=1, max_length=4)] = Field(
        ["pharaoh", "estimate", "early"], description="The algorithms to search with."
    )
    search: SearchSettings | None = SEARCH


class SuggestRequest(ModelChoice):
    """A sentence, and the beginning of its translation that somebody has typed."""

    q: Text = Field(description="The sentence.")
    prefix: Text = Field("", description="What is typed already.")
    most: Annotated[int, Field(ge=1, le=20), WHOLE] = Field(
        1, description="How many ways to go on are given, best first."
    )
    terms: Terms = TERMS


class CorrectionRequest(Asked):
    """A term, or a whole sentence, and how to translate it from now on."""

    model: Name = Field("", description="The name of a model; may be left out if there is one.")
    kind: Literal["term", "sentence"] = Field(
        "term", description="Whether it holds for some words or for a whole sentence."
    )
    source: Phrase = Field(description="Source words, or a source sentence.")
    target: Phrase = Field(description="How to translate it from now on.")


class Problem(BaseModel):
    """Why a request was refused."""

    error: str = Field(description="What is wrong, in one sentence.")


class DetectedLanguage(BaseModel):
    """The language that was taken for "auto"."""

    language: str = Field(description="Its code.")
    confidence: float = Field(description="Which part of the words the model knows, in percent.")


class Rival(BaseModel):
    """Another translation of the same words."""

    target: str = Field(description="In tokens.")
    worth: float = Field(description="Weighted sum of its table features.")
    features: dict[str, float] = Field(description="The features of its table columns.")
    count: float = Field(description="How often the pair was seen in training.")
    behind: float | None = Field(
        description="How much worse the best sentence with it is; null: the search lost it."
    )


class TracedPhrase(BaseModel):
    """One phrase pair of a translation."""

    source: str = Field(description="Source tokens.")
    source_span: list[int] = Field(
        description="Begin and end among the tokens of the source, from 0."
    )
    target: str = Field(description="Target tokens.")
    target_span: list[int] = Field(
        description="Begin and end among the tokens of the target, from 0."
    )
    alignment: list[list[int]] = Field(description="Pairs of linked tokens inside the phrase.")
    unknown: bool = Field(description="Whether training never saw its word.")
    given: bool = Field(description="Whether somebody dictated it.")
    never_seen: str = Field(
        description="How a word that training never saw was translated: schnee + mobilen, like "
        "geparkte, by its sound, copied; empty for other phrases."
    )
    features: dict[str, float] = Field(description="What it adds to each feature.")
    score: float = Field(description="What it adds to the score.")
    rivals: list[Rival] = Field(description="Other translations of the same words.")


class Candidate(BaseModel):
    """One of the best translations."""

    target: str = Field(description="The translation.")
    score: float = Field(description="Its score; higher is better.")
    phrases: list[list[int | str]] = Field(description="Begin, end, target of each phrase.")


class MemoryMatch(BaseModel):
    """What the translation memory has for a sentence."""

    score: int = Field(description="Percent; 100: the same segment.")
    source: str = Field(description="The segment that is stored.")
    target: str = Field(description="With the numbers and placeholders of the sentence.")
    count: int = Field(description="How often the memory has the pair.")
    adapted: bool = Field(description="Whether numbers or placeholders were exchanged.")
    differences: list[tuple[Change, str]] = Field(
        description="From the stored source to the sentence: words that are the same, gone, new."
    )


class SentenceDetails(BaseModel):
    """A sentence, as far as it was asked for."""

    source: str = Field(description="The sentence.")
    target: str = Field(description="Its translation.")
    source_tokens: list[str] | None = Field(None, description="The sentence as the model sees it.")
    target_tokens: list[str] | None = Field(
        None, description="The translation as the model sees it."
    )
    alignment: list[list[int]] | None = Field(None, description="Pairs of linked tokens.")
    nbest: list[Candidate] | None = Field(None, description="The best translations, best first.")
    matches: list[MemoryMatch] | None = Field(
        None, description="What the translation memory offers."
    )
    confidence: float | None = Field(
        None, description="The share of words that is expected to be right."
    )
    word_confidences: list[float] | None = Field(None, description="By target_tokens.")
    score: float | None = Field(None, description="Higher is better.")
    features: dict[str, float] | None = Field(None, description="The value of each feature.")
    phrases: list[TracedPhrase] | None = Field(None, description="The phrases it is made of.")
    evaluated: int | None = Field(None, description="How many hypotheses the search has scored.")
    dictated: bool | None = Field(None, description="Whether a correction says it.")


class TextDetails(BaseModel):
    """The sentences of one text."""

    sentences: list[SentenceDetails] = Field(description="One for each sentence.")


class TranslateResponse(BaseModel):
    """Translations; lists if `q` was a list."""

    translatedText: str | list[str] = Field(  # noqa: N815 - LibreTranslate's name
        description="The translation, or one for each text."
    )
    alternatives: list[str] | list[list[str]] | None = Field(
        None, description="Other translations of the whole text."
    )
    detectedLanguage: DetectedLanguage | None = Field(  # noqa: N815
        None, description='Where the source was "auto".'
    )
    details: list[TextDetails] | None = Field(
        None, description="What was asked for beside the translation, for each text."
    )


class InspectResponse(BaseModel):
    """How the sentences were translated."""

    model: str = Field(description="The name of the model.")
    weights: dict[str, float] = Field(description="The weight of each feature.")
    sentences: list[SentenceDetails] = Field(description="One for each sentence.")


class SuggestedText(BaseModel):
    """How to go on with a translation."""

    text: str = Field(description="The rest of the translation.")
    pieces: list[str] = Field(description="Word by word, with the white space before each.")
    score: float = Field(description="Higher is better.")


class SuggestResponse(BaseModel):
    """Ways to go on, best first."""

    suggestions: list[SuggestedText] = Field(description="The best one first.")


class StackCounts(BaseModel):
    """What happened to hypotheses that cover so many words."""

    covered: int = Field(description="How many source words they cover.")
    evaluated: int = Field(description="How many were scored.")
    recombined: int = Field(description="How many could not be told apart from a better one.")
    pruned_threshold: int = Field(description="How many were too much worse than the best.")
    pruned_limit: int = Field(description="How many the stack had no room for.")
    survived: int = Field(description="How many were kept.")


class PicturedHypothesis(BaseModel):
    """A partial translation that survived."""

    stack: int = Field(description="How many source words it covers.")
    back: int | None = Field(description="The number of the one it was extended from; null: none.")
    total: float = Field(description="Its score and what is still to come at best.")
    source_span: list[int] = Field(
        description="Begin and end of the source words translated last."
    )
    target: str = Field(description="Their translation.")
    coverage: str = Field(description="1 for each source word it covers, 0 for the others.")
    best: bool = Field(description="Whether the best translation was made from it.")


class SearchPicture(BaseModel):
    """One search."""

    search: str = Field(description="The algorithm.")
    target: str | None = Field(description="Null if no translation was found.")
    score: float | None = Field(description="Null if no translation was found.")
    evaluated: int = Field(description="How many hypotheses were scored.")
    recombined: int = Field(description="How many could not be told apart from a better one.")
    retried: bool = Field(
        description="Whether it was searched again without early or cube pruning."
    )
    early: dict[str, int] = Field(
        description="How often early pruning broke off each of its loops."
    )
    stacks: list[StackCounts] = Field(description="One for each number of covered words.")
    hypotheses: list[PicturedHypothesis] = Field(description="Those that survived.")


class SearchResponse(BaseModel):
    """The same sentence, searched in several ways."""

    tokens: list[str] = Field(description="The sentence as the model sees it.")
    settings: dict[str, Any] = Field(description="The settings that all searches share.")
    searches: list[SearchPicture] = Field(description="One for each algorithm.")


class ModelSummary(BaseModel):
    """A model that can be asked."""

    name: str = Field(description="What it is called here.")
    source: str = Field(description="The code of its source language.")
    target: str = Field(description="The code of its target language.")
    kind: Literal["phrases", "hierarchical", "consensus"] = Field(
        description="What translates: phrases, rules with gaps, or several models."
    )
    tuned: bool = Field(description="Whether its weights were tuned.")
    phrases: int = Field(description="Pairs of phrases, or rules.")
    memory: bool = Field(description="Whether it keeps a translation memory.")


class ModelDescription(ModelSummary):
    """All about a model."""

    source_words: int = Field(description="How many source words it knows.")
    target_words: int = Field(description="How many target words it knows.")
    features: list[str] = Field(description="The names of its features.")
    weights: dict[str, float] = Field(description="The weight of each feature.")
    search: dict[str, Any] = Field(description="The options of its search.")
    files: dict[str, int] = Field(description="Bytes of each file.")
    stages: dict[str, dict[str, Any]] = Field(
        description="The options of each stage of its training."
    )
    corpus: dict[str, Any] | None = Field(
        description="How many pairs were read, kept and dropped."
    )
    tuning: dict[str, Any] | list[Any] | None = Field(description="How the weights were found.")
    report: bool = Field(description="Whether /models/NAME/report has something to show.")
    corrections: int = Field(description="How many corrections it was taught.")


class Language(BaseModel):
    """A source language and what it can be translated to."""

    code: str = Field(description="Its code, such as en.")
    name: str = Field(description="Its English name.")
    targets: list[str] = Field(description="Codes of the languages it is translated to.")


class CorrectionEntry(BaseModel):
    """A correction that is in force."""

    id: int = Field(description="Its number, to take it back by.")
    kind: Literal["term", "sentence"] = Field(
        description="Whether it holds for some words or for a whole sentence."
    )
    source: str = Field(description="Source words, or a source sentence.")
    target: str = Field(description="How it is translated.")
    created: str = Field(description="When it was made.")


class Health(BaseModel):
    """Whether the server serves."""

    status: Literal["ok", "stopping"] = Field(description="Whether it takes requests.")
    version: str = Field(description="The version of Dragoman.")
    models: int = Field(description="How many models there are.")
    waiting: int = Field(description="How many sentences wait to be translated.")
