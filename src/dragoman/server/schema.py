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

    source: Phrase
    target: Phrase
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


class TranslateRequest(ModelChoice):
    """Text to translate. `q`, `source`, `target`, `format`, `alternatives` and `api_key` are as
    in LibreTranslate."""

    # LibreTranslate's clients may send fields of their own.
    model_config = ConfigDict(extra="ignore")

    q: Text | list[Text]
    format: Literal["text", "html"] = "text"
    alternatives: Annotated[int, Field(ge=0, le=10), WHOLE] = 0
    nbest: Annotated[int, Field(ge=0, le=100), WHOLE] = Field(
        0, description="So many of the best translations of each sentence."
    )
    alignment: bool = Field(False, description="Links between the tokens of both sides.")
    trace: bool = Field(False, description="Phrases with their features and rivals.")
    terms: Annotated[list[Term], Field(max_length=200)] = []
    markup: bool = Field(
        False, description="Obey <t term=...>, <zone> and <wall/>; every line is a sentence."
    )
    confidence: bool = Field(False, description="How sure translations and their words are.")
    memory: MatchesName = Field("off", description=_MEMORY_HELP)
    search: SearchSettings | None = None


class TranslateForm(Asked):
    """The same from an HTML form, with LibreTranslate's fields."""

    model_config = ConfigDict(extra="ignore")

    q: Text
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

    translatedFileUrl: str  # noqa: N815 - LibreTranslate's name


class Forced(Asked):
    """Tokens [begin, end) of a sentence are to be translated so."""

    sentence: Annotated[int, Field(ge=0, le=10_000), WHOLE] = 0
    begin: Annotated[int, Field(ge=0, le=10_000), WHOLE]
    end: Annotated[int, Field(ge=1, le=10_000), WHOLE]
    target: Annotated[str, Field(max_length=2000)]


class InspectRequest(ModelChoice):
    """Sentences whose translation is to be explained."""

    q: Text
    forced: Annotated[list[Forced], Field(max_length=200)] = []
    terms: Annotated[list[Term], Field(max_length=200)] = []
    markup: bool = Field(False, description="As in /translate.")
    nbest: Annotated[int, Field(ge=0, le=100), WHOLE] = 10
    memory: MatchesName = Field("off", description=_MEMORY_HELP)
    search: SearchSettings | None = None


class SearchRequest(ModelChoice):
    """A sentence whose search is to be drawn, once for each algorithm."""

    q: Text
    searches: Annotated[list[SearchName], Field(min_length=1, max_length=4)] = [
        "pharaoh",
        "estimate",
        "early",
    ]
    search: SearchSettings | None = None


class SuggestRequest(ModelChoice):
    """A sentence, and the beginning of its translation that somebody has typed."""

    q: Text
    prefix: Text = Field("", description="What is typed already.")
    most: Annotated[int, Field(ge=1, le=20), WHOLE] = Field(
        1, description="How many ways to go on are given, best first."
    )
    terms: Annotated[list[Term], Field(max_length=200)] = []


class CorrectionRequest(Asked):
    """A term, or a whole sentence, and how to translate it from now on."""

    model: Name = ""
    kind: Literal["term", "sentence"] = "term"
    source: Phrase
    target: Phrase


class Problem(BaseModel):
    """Why a request was refused."""

    error: str


class DetectedLanguage(BaseModel):
    """The language that was taken for "auto"."""

    language: str
    confidence: float = Field(description="Which part of the words the model knows, in percent.")


class Rival(BaseModel):
    """Another translation of the same words."""

    target: str
    worth: float = Field(description="Weighted sum of its table features.")
    features: dict[str, float]
    count: float = Field(description="How often the pair was seen in training.")
    behind: float | None = Field(
        description="How much worse the best sentence with it is; null: the search lost it."
    )


class TracedPhrase(BaseModel):
    """One phrase pair of a translation."""

    source: str
    source_span: list[int]
    target: str
    target_span: list[int]
    alignment: list[list[int]]
    unknown: bool
    given: bool = Field(description="Whether somebody dictated it.")
    never_seen: str = Field(
        description="How a word that training never saw was translated: schnee + mobilen, like "
        "geparkte, by its sound, copied; empty for other phrases."
    )
    features: dict[str, float]
    score: float
    rivals: list[Rival]


class Candidate(BaseModel):
    """One of the best translations."""

    target: str
    score: float
    phrases: list[list[int | str]] = Field(description="Begin, end, target of each phrase.")


class MemoryMatch(BaseModel):
    """What the translation memory has for a sentence."""

    score: int = Field(description="Percent; 100: the same segment.")
    source: str
    target: str = Field(description="With the numbers and placeholders of the sentence.")
    count: int = Field(description="How often the memory has the pair.")
    adapted: bool = Field(description="Whether numbers or placeholders were exchanged.")
    differences: list[tuple[Change, str]] = Field(
        description="From the stored source to the sentence: words that are the same, gone, new."
    )


class SentenceDetails(BaseModel):
    """A sentence, as far as it was asked for."""

    source: str
    target: str
    source_tokens: list[str] | None = None
    target_tokens: list[str] | None = None
    alignment: list[list[int]] | None = None
    nbest: list[Candidate] | None = None
    matches: list[MemoryMatch] | None = None
    confidence: float | None = Field(
        None, description="The share of words that is expected to be right."
    )
    word_confidences: list[float] | None = Field(None, description="By target_tokens.")
    score: float | None = None
    features: dict[str, float] | None = None
    phrases: list[TracedPhrase] | None = None
    evaluated: int | None = None
    dictated: bool | None = None


class TextDetails(BaseModel):
    """The sentences of one text."""

    sentences: list[SentenceDetails]


class TranslateResponse(BaseModel):
    """Translations; lists if `q` was a list."""

    translatedText: str | list[str]  # noqa: N815 - LibreTranslate's name
    alternatives: list[str] | list[list[str]] | None = None
    detectedLanguage: DetectedLanguage | None = None  # noqa: N815
    details: list[TextDetails] | None = None


class InspectResponse(BaseModel):
    """How the sentences were translated."""

    model: str
    weights: dict[str, float]
    sentences: list[SentenceDetails]


class SuggestedText(BaseModel):
    """How to go on with a translation."""

    text: str
    pieces: list[str] = Field(description="Word by word, with the white space before each.")
    score: float


class SuggestResponse(BaseModel):
    """Ways to go on, best first."""

    suggestions: list[SuggestedText]


class StackCounts(BaseModel):
    """What happened to hypotheses that cover so many words."""

    covered: int
    evaluated: int
    recombined: int
    pruned_threshold: int
    pruned_limit: int
    survived: int


class PicturedHypothesis(BaseModel):
    """A partial translation that survived."""

    stack: int
    back: int | None
    total: float
    source_span: list[int]
    target: str
    coverage: str
    best: bool


class SearchPicture(BaseModel):
    """One search."""

    search: str
    target: str | None = Field(description="Null if no translation was found.")
    score: float | None
    evaluated: int
    recombined: int
    retried: bool
    early: dict[str, int]
    stacks: list[StackCounts]
    hypotheses: list[PicturedHypothesis]


class SearchResponse(BaseModel):
    """The same sentence, searched in several ways."""

    tokens: list[str]
    settings: dict[str, Any]
    searches: list[SearchPicture]


class ModelSummary(BaseModel):
    """A model that can be asked."""

    name: str
    source: str
    target: str
    kind: Literal["phrases", "hierarchical", "consensus"]
    tuned: bool
    phrases: int = Field(description="Pairs of phrases, or rules.")
    memory: bool = Field(description="Whether it keeps a translation memory.")


class ModelDescription(ModelSummary):
    """All about a model."""

    source_words: int
    target_words: int
    features: list[str]
    weights: dict[str, float]
    search: dict[str, Any]
    files: dict[str, int] = Field(description="Bytes of each file.")
    stages: dict[str, dict[str, Any]]
    corpus: dict[str, Any] | None
    tuning: dict[str, Any] | list[Any] | None
    report: bool = Field(description="Whether /models/NAME/report has something to show.")
    corrections: int


class Language(BaseModel):
    """A source language and what it can be translated to."""

    code: str
    name: str
    targets: list[str]


class CorrectionEntry(BaseModel):
    """A correction that is in force."""

    id: int
    kind: Literal["term", "sentence"]
    source: str
    target: str
    created: str


class Health(BaseModel):
    """Whether the server serves."""

    status: Literal["ok", "stopping"]
    version: str
    models: int
    waiting: int
