"""Where a sentence ends."""

import pytest

from dragoman.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Mr. Smith met J. Bach. He left.", ["Mr. Smith met J. Bach.", "He left."]),
        ("It costs 3.50 now. See No. 5 there.", ["It costs 3.50 now.", "See No. 5 there."]),
        ('"Why?" She left. (So.) Then…', ['"Why?"', "She left.", "(So.)", "Then…"]),
        ("e.g. this one, etc. and so on.", ["e.g. this one, etc. and so on."]),
        ("駅はどこですか。ありがとう！", ["駅はどこですか。", "ありがとう！"]),
        ("Where is it ? Here .", ["Where is it ?", "Here ."]),
        ("no end", ["no end"]),
        ("", [""]),
    ],
)
def test_sentences(text, parts):
    found = split_sentences(text, "en")
    assert found[::2] == parts
    assert "".join(found) == text


def test_tags_behind_the_end_belong_to_the_sentence():
    note, name = "\U000f0000", "\U000f0001"
    line = f"One.{note} Two.{name} Three {note}four. {note}Five."
    assert split_sentences(line, tags=note)[::2] == [
        f"One.{note}",
        f"Two.{name} Three {note}four.",
        f"{note}Five.",
    ]
