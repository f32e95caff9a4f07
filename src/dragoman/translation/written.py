"""A translation in tokens, written as people write: words whole, spaced and with their capitals,
items and tags in their places, the accelerator set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dragoman._core import PhraseTranslation
from dragoman.search.options import AnyOptions
from dragoman.search.result import MARK, target_text
from dragoman.text.accelerators import set_accelerator
from dragoman.text.form import SourceLine, Tag, TextForm, begins_with_item
from dragoman.text.items import item_kind
from dragoman.text.quotes import with_matching_quotes
from dragoman.text.tokenise import CONTINUED, joined_word, spelt, whole_words
from dragoman.text.truecase import Truecaser, inner_begins
from dragoman.translation.result import Prepared
from dragoman.translation.trace import alignment_of


def write_dictated(prepared: Prepared, text: str) -> str:
    """A translation that somebody has dictated, for this sentence or one in another case."""
    source = prepared.source
    if prepared.dictated is None:  # it was stored for exactly this sentence
        return source.held.escape(text)
    if prepared.line.source.pattern == "upper":
        text = text.upper()
    if source.accelerator is not None:
        text = set_accelerator(text, source.accelerator)
    return source.held.escape(text)


def write_out(
    form: TextForm, prepared: Prepared, entry: PhraseTranslation, options: AnyOptions
) -> str:
    """The text of a translation."""
    line, source = prepared.line.source, prepared.source
    if not form.classed:
        tokens = target_text(entry, options).split()
        tokens = with_capitals(form, line, tokens)
        tokens = [line.items.get(token, token) for token in tokens]
        text = source.held.spaced(form.spaced(tokens))
    else:
        text = _Writer(form, prepared, entry, options).text()
    if source.accelerator is not None:
        text = set_accelerator(text, source.accelerator)
    return source.held.spelt(text)


@dataclass(frozen=True)
class _Writer:
    form: TextForm
    prepared: Prepared
    entry: PhraseTranslation
    options: AnyOptions

    def text(self) -> str:
        line = self.prepared.line.source
        tokens = self._copied(self.entry.target.split(), line)
        spans = _without_strangers(whole_words(tokens), tokens, line)
        words = [joined_word(tokens[begin:end]) for begin, end in spans]
        words = with_capitals(self.form, line, words)
        words = self._marked(with_matching_quotes(words), spans)
        if self.form.target_tokeniser.join is not None:
            gaps = [""] * max(0, len(words) - 1)
            words = [self.form.target_tokeniser.join([word]) for word in words]
        else:
            gaps = self.form.gaps(words, seen_gaps(line))
        before, behind = self._tags(spans)
        out = ""
        for place, word in enumerate(words):
            gap = gaps[place - 1] if place else ""
            out += behind[place] + gap + before[place] + line.items.get(word, spelt(word))
        return out + behind[len(words)]

    def _copied(self, tokens: list[str], line: SourceLine) -> list[str]:
        """Words that nothing is known of, as they were written."""
        order = self.prepared.line.order
        for step in self.entry.steps:
            begin, end = step.target_span
            if step.unknown and end == begin + 1:
                place = step.source[0] if order is None else order[step.source[0]]
                word = line.written[place]
                if word.lower() == tokens[begin].lower():
                    common = self.form.truecases and not _in_a_name(line.written, place)
                    tokens[begin] = self.form.writing.case.copied(word) if common else word
        return tokens

    def _marked(self, words: list[str], spans: Sequence[tuple[int, int]]) -> list[str]:
        """Words that nothing is known of with brackets, if the options say so."""
        if self.options.unknown != "mark":
            return words
        copied = {
            place
            for step in self.entry.steps
            if step.unknown
            for place in range(*step.target_span)
        }
        items = self.prepared.line.source.items
        return [
            MARK.format(word)
            if any(place in copied for place in range(*span)) and word not in items
            else word
            for word, span in zip(words, spans, strict=True)
        ]

    def _tags(self, spans: Sequence[tuple[int, int]]) -> tuple[list[str], list[str]]:
        """What of markup stands before each word, behind its gap, and what behind the word
        before, before the gap."""
        before, behind = [""] * (len(spans) + 1), [""] * (len(spans) + 1)
        line = self.prepared.line.source
        if not line.tags:
            return before, behind
        links = alignment_of(self.entry, self.prepared.line.order)
        word_of = {t: word for word, span in enumerate(spans) for t in range(*span)}
        # Inner elements come first, and an outer one goes around them.
        for tag in line.tags:
            begin, end = self._place(tag, links, word_of, len(spans))
            opening, closing = self._with_spaces(tag)
            if begin < end:
                before[begin] = opening + before[begin]
                behind[end] += closing
            elif begin and not self.prepared.source.held[tag.opening].space_before:
                behind[begin] += opening + closing
            else:
                space = " " if self.prepared.source.held[tag.closing].space_after else ""
                before[begin] = opening + closing + space + before[begin]
        # There is no word behind the last one that could carry what stands before it.
        behind[-1] += before[-1]
        return before, behind

    def _with_spaces(self, tag: Tag) -> tuple[str, str]:
        """Two tags with the white space that they have inside."""
        held = self.prepared.source.held
        return (
            tag.opening + (" " if held[tag.opening].space_after else ""),
            (" " if held[tag.closing].space_before else "") + tag.closing,
        )

    def _place(
        self, tag: Tag, links: Sequence[tuple[int, int]], word_of: dict[int, int], words: int
    ) -> tuple[int, int]:
        """The words of the translation that an element encloses."""
        inside = [word_of[t] for s, t in links if tag.begin <= s < tag.end and t in word_of]
        if inside:
            return min(inside), max(inside) + 1
        # One that encloses nothing stays behind the word that it stands behind.
        earlier = [(s, word_of[t]) for s, t in links if s < tag.begin and t in word_of]
        place = max(earlier)[1] + 1 if earlier else 0
        return min(place, words), min(place, words)


def with_capitals(form: TextForm, line: SourceLine, words: list[str]) -> list[str]:
    """The words of a translation with the capitals that its source asks for."""
    if not form.truecases:
        return words
    if not form.classed:
        return Truecaser.restore(words)
    return form.writing.case.restored(
        words,
        line.pattern,
        item_first=begins_with_item(line.written),
        inner=any(line.written[p] != line.written[p].lower() for p in inner_begins(line.written)),
    )


def written_pieces(form: TextForm, prepared: Prepared, tokens: Sequence[str]) -> list[str]:
    """A translation in pieces, one for each token, with what stands before it; no tags."""
    line, held = prepared.line.source, prepared.source.held

    def said(word: str) -> str:
        return held.spelt(line.items[word]) if word in line.items else held.escape(spelt(word))

    if not tokens:
        return []
    spans = whole_words(tokens)
    words = with_capitals(form, line, [joined_word(tokens[begin:end]) for begin, end in spans])
    join = form.target_tokeniser.join
    if join is not None:
        # What stands between two tokens is known when they are put together.
        ends = [len(join(words[:count])) for count in range(len(words) + 1)]
        text = join(words)
        pieces = [text[a:b] for a, b in pairwise(ends)]
        return [
            said(word) if word in line.items else p for word, p in zip(words, pieces, strict=True)
        ]
    gaps = ["", *form.gaps(words, seen_gaps(line))]
    pieces = []
    for (begin, end), gap, word in zip(spans, gaps, words, strict=True):
        at = len(tokens[begin])
        pieces.append(gap + said(word if end == begin + 1 else word[:at]))
        for token in tokens[begin + 1 : end]:
            length = len(token.removeprefix(CONTINUED))
            pieces.append(said(word[at : at + length]))
            at += length
    return pieces


def _in_a_name(words: Sequence[str], place: int) -> bool:
    """Whether a word begins a sentence, or has another with a capital beside it."""
    beside = [near for near in (place - 1, place + 1) if 0 < near < len(words)]
    return place == 0 or any(words[near][0].isupper() for near in beside)


def _without_strangers(
    spans: Sequence[tuple[int, int]], tokens: Sequence[str], line: SourceLine
) -> list[tuple[int, int]]:
    """Words without items that the source has not, or had once already: a phrase of the model
    may bring one along."""
    found: list[tuple[int, int]] = []
    left = set(line.items)
    for span in spans:
        token = tokens[span[0]]
        if item_kind(token):
            if token not in left:
                continue
            left.remove(token)
        found.append(span)
    return found


def seen_gaps(line: SourceLine) -> dict[tuple[str, str], str]:
    """What stood between words of the source, and beside its symbols."""
    found: dict[tuple[str, str], str] = {}
    for (left, right), gap in zip(pairwise(line.written), line.gaps[1:], strict=False):
        found[left, right] = gap
        if not any(map(str.isalnum, right)):
            found["", right] = gap
        if not any(map(str.isalnum, left)):
            found[left, ""] = gap
    return found
