"""Words of the glossary explain themselves on every page of the site (docs/glossary.py)."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PLACE = "../glossary.html"
ROWS = """| word | what it means here |
|---|---|
| beam, stack | the hypotheses that a search *keeps* ([reference](search.md#searches)) |
| order (of a language model) | how many words its longest n-grams have |
| phrase | a run of `words` |
| phrase table | the "phrases" of a model |
"""


@pytest.fixture(scope="module")
def glossary():
    spec = importlib.util.spec_from_file_location("glossary", ROOT / "docs" / "glossary.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def words(glossary):
    return glossary.read_glossary(ROWS)


def test_words_of_a_row_share_its_anchor_and_meaning(words):
    meaning = "the hypotheses that a search *keeps*"
    assert words == {
        "beam": ("term-beam-stack", meaning),
        "stack": ("term-beam-stack", meaning),
        "order": ("term-order-of-a-language-model", "how many words its longest n-grams have"),
        "phrase": ("term-phrase", "a run of words"),
        "phrase table": ("term-phrase-table", 'the "phrases" of a model'),
    }


@pytest.mark.parametrize(
    ("page", "linked"),
    [
        ("<p>A phrase, two phrases.</p>", ["term-phrase phrase"]),
        (
            "<p>Phrases of phrase tables.</p>",
            ["term-phrase Phrases", "term-phrase-table phrase tables"],
        ),
        ("<p>The beam is a stack.</p>", ["term-beam-stack beam"]),  # a row is explained once
        ("<p>rephrase, phrase-based, phrased</p>", []),
        ("<p>in order of size</p>", []),  # the everyday sense
        ("<h2>Phrase</h2><p><code>phrase</code> <a href='x'>phrase</a></p>", []),
        ("<pre><span>phrase</span></pre><p>phrase</p>", ["term-phrase phrase"]),
    ],
)
def test_the_first_mention_is_linked(glossary, words, page, linked):
    made = glossary.explained(page, words, PLACE)
    found = re.findall(
        rf'<a class="glossary" href="{PLACE}#([\w-]+)" title="[^"]+">(.*?)</a>', made
    )
    assert [" ".join(one) for one in found] == linked
    assert re.sub(r'<a class="glossary"[^>]*>(.*?)</a>', r"\1", made) == page


def test_a_meaning_cannot_break_out_of_its_attribute(glossary, words):
    made = glossary.explained("<p>phrase table</p>", words, PLACE)
    assert 'title="phrase table: the &quot;phrases&quot; of a model"' in made


def test_rows_of_the_glossary_can_be_led_to(glossary):
    table = "<tr>\n<td>MERT, <em>MIRA</em></td>\n<td>methods</td>\n</tr>"
    assert glossary.with_anchors(table).startswith('<tr id="term-mert-mira">\n<td>MERT, <em>MIRA')


def test_every_anchor_that_is_linked_stands_in_the_glossary(glossary):
    text = (ROOT / "docs" / glossary.GLOSSARY).read_text("utf-8")
    words = glossary.read_glossary(text)
    rows = re.findall(r"^\| (?!word)([^|-][^|]*) \|", text, re.M)
    assert {row for row, _ in words.values()} == {glossary.anchor(row) for row in rows}
    assert len(words) > 70
    assert set(words) >= glossary.EVERYDAY
