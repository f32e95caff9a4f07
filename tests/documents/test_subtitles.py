"""Subtitles: texts are translated, times stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.made import LANGUAGES, backwards, echo, shout

from dragoman.documents.cues import balanced
from dragoman.documents.srt import translate_srt
from dragoman.documents.vtt import translate_vtt
from dragoman.errors import InputError

SRT = """1
00:00:01,000 --> 00:00:04,000
<i>Where is</i>
the station?

2
00:00:05,000 --> 00:00:07,500 X1:1 X2:2
- Here.
- {\\an8}No, there!

3
00:00:08,000 --> 00:00:09,000
♪♪
"""

VTT = """WEBVTT - a title

STYLE
::cue { color: red }

NOTE a note
of two lines

first cue
00:01.000 --> 00:04.000 align:start line:0%
<v Roger>Where is the <c.big>station</c> &amp; the bus?

00:00:05.000 --> 00:00:06.000
Here
"""


def test_srt(write):
    done = translate_srt(write("a.srt", SRT), LANGUAGES, shout, False)
    assert done.filled == 3
    assert done.content.decode() == SRT.replace("Where is", "WHERE IS").replace(
        "the station?", "THE STATION?"
    ).replace("Here.", "HERE.").replace("No, there!", "NO, THERE!")
    windows = SRT.replace("\n", "\r\n").rstrip()
    same = translate_srt(write("b.srt", "\ufeff" + windows), LANGUAGES, echo, False)
    assert same.content.decode("utf-8") == "\ufeff" + windows


def test_dashes_of_speakers_are_not_translated(write):
    text = "1\n00:00:01,000 --> 00:00:02,000\n- Here.\n<i>– There!</i>\n-Where is it?\n"
    sent = []

    def seen(passages):
        sent.extend(one.text for passage in passages for one in passage.cut().sentences)
        return backwards(passages)

    done = translate_srt(write("a.srt", text), LANGUAGES, seen, False)
    assert sent == ["Here.", "There!", "Where is it?"]
    assert done.content.decode() == text.replace("Where is it?", "it? is Where")


def test_vtt(write):
    done = translate_vtt(write("a.vtt", VTT), LANGUAGES, shout, False)
    assert done.filled == 2
    assert done.content.decode() == VTT.replace("Where is the", "WHERE IS THE").replace(
        ">station<", ">STATION<"
    ).replace("the bus?", "THE BUS?").replace("\nHere", "\nHERE")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n00:00:01 --> 00:00:02\na\n", r"a\.srt:2: '00:00:01 --> 00:00:02' should be"),
        ("1\n00:00:05,000 --> 00:00:02,000\na\n", ":2: .* ends before it begins"),
        ("1\n", ":1: the file ends behind a number"),
        ("1\n00:00:01,000 --> 00:00:02,000\na\n\nb\n", ":5: 'b' should be the number"),
        ("1\n\n00:00:01,000 --> 00:00:02,000\n", ":2: '' should be the times"),
    ],
)
def test_srt_with_broken_times(write, text, message):
    with pytest.raises(InputError, match=message):
        translate_srt(write("a.srt", text), LANGUAGES, echo, False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: no WebVTT"),
        ("WEBVTTX\n", "no WebVTT"),
        ("WEBVTT\n\n00:01 --> 00:02\na\n", ":3: '00:01 --> 00:02' should be the times"),
        ("WEBVTT\n\n00:61.000 --> 00:62.000\na\n", "should be the times"),
        ("WEBVTT\n\nname\n", ":3: 'name' stands there without times"),
        ("WEBVTT\n\n00:09.000 --> 00:02.000\na\n", "ends before it begins"),
    ],
)
def test_vtt_with_broken_times(write, text, message):
    with pytest.raises(InputError, match=message):
        translate_vtt(write("a.vtt", text), LANGUAGES, echo, False)


def test_lines_of_about_one_length():
    assert balanced("a b c d", 2) == ["a b", "c d"]
    assert balanced("one", 3) == ["one"]
    assert balanced("a bbbbbb c", 2) == ["a bbbbbb", "c"]


@given(st.lists(st.text("ab", min_size=1, max_size=9), min_size=1), st.integers(1, 4))
def test_a_balanced_text_has_no_more_lines_than_asked(words, count):
    lines = balanced(" ".join(words), count)
    assert " ".join(lines) == " ".join(words)
    assert len(lines) <= count
    # No other cut has a shorter longest line: with one character less it would take more lines.
    width = max(map(len, lines))
    greedy, line = 1, ""
    for word in words:
        line = f"{line} {word}" if line else word
        if len(line) > width - 1:
            greedy, line = greedy + 1, word
    assert greedy > count or len(max(words, key=len)) == width or greedy > len(lines)
