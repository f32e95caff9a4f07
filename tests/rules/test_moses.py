"""Moses' files in and out."""

import gzip
import math

import pytest
from tests.rules.corpora import make_bitext

from dragoman.errors import FileError, InputError
from dragoman.rules.config import RulesConfig
from dragoman.rules.extract import extract_table
from dragoman.rules.moses import (
    export_tables,
    handed_over,
    import_tables,
    ini_text,
    is_left_out,
    read_ini,
    reordering_model_of,
)
from dragoman.rules.table import PhraseTable, reordering_features
from dragoman.unknown.sources import FEATURES as SOURCES

TABLE = """\
das ||| that ||| 1 0.5 0.333333 0.25 ||| 0-0 ||| 1 3 1
das ||| the ||| 1 0.6 0.666667 0.75 ||| 0-0 ||| 2 3 2
das haus ||| the house ||| 1 0.6 1 0.7 ||| 1-1 0-0 ||| 2 2 2
haus ||| house ||| 1 1e-07 1 1 ||| 0-0 ||| 3 3 3
"""
REORDERING = """\
das ||| that ||| 0.6 0.2 0.2 0.3 0.3 0.4
das ||| the ||| 0.7 0.1 0.2 0.2 0.1 0.7
haus ||| house ||| 0.1 0.1 0.8 0.5 0.25 0.25
"""


def import_text(directory, table=TABLE, reordering=None, **options):
    (directory / "phrase-table").write_text(table)
    tables = {}
    if reordering is not None:
        tables["word"] = directory / "reordering-table"
        tables["word"].write_text(reordering)
    files = [directory / name for name in ("table", "source.vocab", "target.vocab")]
    result = import_tables(directory / "phrase-table", tables, *files, **options)
    return result, PhraseTable.open(*files)


def test_scores_counts_and_links_arrive(tmp_path):
    (count, missing), table = import_text(tmp_path, reordering=REORDERING)
    assert (count, missing) == (4, 1)
    the, that = table.translations("das")
    assert (the.target, that.target) == ("the", "that")
    assert the.scores["tm.bwd"] == 0
    assert the.scores["lex.bwd"] == pytest.approx(math.log(0.6))
    assert the.scores["tm.fwd"] == pytest.approx(math.log(0.666667))
    assert the.scores["lex.fwd"] == pytest.approx(math.log(0.75))
    assert (the.count, the.source_count, the.target_count) == (2, 3, 2)
    assert [the.scores[name] for name in reordering_features("word")] == pytest.approx(
        [math.log(p) for p in (0.7, 0.1, 0.2, 0.2, 0.1, 0.7)]
    )
    (house,) = table.translations("das haus")
    assert house.alignment == ((0, 0), (1, 1))
    assert house.scores["reorder.word.forward.swap"] == pytest.approx(math.log(1 / 3))


def test_weights_decide_the_order(tmp_path):
    _, table = import_text(tmp_path, weights={"tm.fwd": -1.0})
    assert [t.target for t in table.translations("das")] == ["that", "the"]


def test_the_old_phrase_penalty_is_dropped(tmp_path):
    _, table = import_text(tmp_path, "a ||| b ||| 0.1 0.2 0.3 0.4 2.718\n")
    assert table.translations("a")[0].scores["lex.fwd"] == pytest.approx(math.log(0.4))


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ("a ||| b ||| 0.1 0.2 0.3\n", 1, "3 scores; expected 4"),
        ("a ||| b ||| 0.1 0.2 0.3 0.4 0.5\n", 1, "5 scores"),
        (TABLE + "x ||| y ||| 0.1 0.2 nan 0.4\n", 5, "nan is no probability"),
        (TABLE + "x ||| y ||| 0.1 0 0.3 0.4\n", 5, "the score 0 is no probability above 0"),
        (TABLE + "x ||| y ||| 0.1 0.2 0.3 1.5\n", 5, "1.5 is no probability"),
        ("a ||| b ||| 0.1 -0.2 0.3 0.4\n", 1, "-0.2 is no probability"),
        ("a ||| b ||| 0.1 0,2 0.3 0.4\n", 1, "'0,2' is no number"),
        ("a b 0.1\n", 1, "is this a phrase table"),
        ("\n", 1, "expected 'source"),
        ("a |||  ||| 1 1 1 1\n", 1, "an empty phrase"),
        ("a ||| b ||| 1 1 1 1 ||| 0-1\n", 1, "0-1 points outside"),
        ("a ||| b ||| 1 1 1 1 ||| 0:0\n", 1, "'0:0' is not of the form"),
        ("a ||| b ||| 1 1 1 1 ||| 0-0 ||| 1 x 1\n", 1, "'x' is no count"),
        (f"{'a ' * 256}||| b ||| 1 1 1 1\n", 1, "a phrase of 256 words"),
        (TABLE + "haus ||| house ||| 1 1 1 1\n", 5, "stands already in line 4"),
        (TABLE + "das ||| this ||| 1 1 1 1\n", 5, "not sorted: 'das' stands already in line [12]"),
    ],
)
def test_bad_lines_are_named_and_nothing_is_written(tmp_path, lines, line, message):
    with pytest.raises(InputError, match=rf"phrase-table:{line}: .*{message}"):
        import_text(tmp_path, lines)
    assert [path.name for path in tmp_path.iterdir()] == ["phrase-table"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("das ||| the ||| 0.5 0.5 0.5\n", "1: 3 scores; expected 6"),
        ("das ||| the ||| 0.5 0.5 0 0.1 0.1 0.8\n", "1: the score 0 is no probability"),
        (REORDERING + "x ||| y ||| 0.1 0.1 0.8 0.1 0.1 0.8\n", "4: .*'x ||| y' is not in"),
        (REORDERING + REORDERING, "4: .*twice"),
        ("das the 0.1\n", "1: .*is this a reordering table"),
    ],
)
def test_bad_reordering_lines(tmp_path, lines, message):
    with pytest.raises(InputError, match="reordering-table:" + message.replace("|", r"\|")):
        import_text(tmp_path, reordering=lines)


def test_bad_files(tmp_path):
    files = [tmp_path / name for name in ("table", "source.vocab", "target.vocab")]
    with pytest.raises(FileError, match="absent"):
        import_tables(tmp_path / "absent", {}, *files)
    (tmp_path / "t.gz").write_bytes(b"not gzip")
    with pytest.raises(InputError, match="gzip"):
        import_tables(tmp_path / "t.gz", {}, *files)
    (tmp_path / "t.gz").write_bytes(gzip.compress(TABLE.encode())[:-20])
    with pytest.raises(InputError, match="gzip"):
        import_tables(tmp_path / "t.gz", {}, *files)
    (tmp_path / "latin").write_bytes(TABLE.encode() + b"caf\xe9 ||| c ||| 1 1 1 1\n")
    with pytest.raises(InputError, match="latin:5: not UTF-8"):
        import_tables(tmp_path / "latin", {}, *files)
    (tmp_path / "empty").write_text("")
    with pytest.raises(InputError, match="no phrase pairs"):
        import_tables(tmp_path / "empty", {}, *files)


def test_tables_are_written_step_by_step(tmp_path, monkeypatch):
    words = "abcdefghij"
    bitext, links = make_bitext(tmp_path, [([w], [w.upper()], {(0, 0)}) for w in words])
    extract_table(bitext, links, tmp_path / "table", RulesConfig(reordering=("word",)))
    files = [tmp_path / name for name in ("table", "source.vocab", "target.vocab")]
    table = PhraseTable.open(*files)
    for steps in (64, 3):
        monkeypatch.setattr("dragoman.rules.moses.FIRST_WORDS_PER_STEP", steps)
        for path in export_tables(table, tmp_path / "moses"):
            if path.suffix == ".gz":
                lines = gzip.decompress(path.read_bytes()).decode().splitlines()
                assert sorted(line.split(" ||| ")[0] for line in lines) == [*words]


def test_what_is_exported_comes_back(tmp_path):
    pairs = [
        (["das", "alte", "haus"], ["the", "old", "house"], {(0, 0), (1, 1), (2, 2)}),
        (["das", "haus", "da"], ["that", "house"], {(0, 0), (1, 1)}),
        (["haus", "|"], ["house", "bars", "|x"], {(0, 0), (1, 1), (1, 2)}),
    ]
    bitext, links = make_bitext(tmp_path, pairs)
    config = RulesConfig(reordering=("word", "phrase", "hierarchical"), smoothing="kneser-ney")
    extract_table(bitext, links, tmp_path / "table", config)
    files = [tmp_path / name for name in ("table", "source.vocab", "target.vocab")]
    table = PhraseTable.open(*files)
    weights = {"tm.fwd": 0.1, "words": -0.4, "unknown": -100.0, "distortion": 0.25}
    out = tmp_path / "moses"
    paths = export_tables(table, out, weights=weights)
    again = tmp_path / "again"
    again.mkdir()
    ini = read_ini(out / "moses.ini")
    assert ini.phrase_table == paths[0]
    assert ini.weights.items() >= weights.items()
    new_files = [again / path.name for path in files]
    import_tables(paths[0], ini.reordering, *new_files)
    back = PhraseTable.open(*new_files)
    assert len(back) == len(table)
    for source, _, _ in pairs:
        for begin in range(len(source)):
            for end in range(begin + 1, len(source) + 1):
                phrase = " ".join(source[begin:end])
                old = {t.target: t for t in table.translations(phrase)}
                new = {t.target: t for t in back.translations(phrase)}
                assert old.keys() == new.keys()
                for target, translation in old.items():
                    assert new[target].scores == pytest.approx(
                        translation.scores, rel=1e-6, abs=1e-9
                    )
                    assert new[target].alignment == translation.alignment
                    assert new[target].count == translation.count
    # And once more: from now on nothing changes at all.
    export_tables(back, tmp_path / "third", weights=weights)
    lines = [
        sorted(gzip.decompress((directory / "phrase-table.gz").read_bytes()).splitlines())
        for directory in (out, tmp_path / "third")
    ]
    assert lines[0] == lines[1]


def test_the_ini_of_moses(tmp_path):
    ini = tmp_path / "moses.ini"
    ini.write_text(
        """# from train-model.perl
[input-factors]
0
[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=/m/phrase-table.gz
LexicalReordering name=LexicalReordering0 num-features=6 type=hier-msd-bidirectional-fe-allff path=r.gz
Distortion
KENLM lazyken=0 name=LM0 factor=0 path=/m/lm.arpa order=5
[weight]
UnknownWordPenalty0= 1
WordPenalty0= -1.5
PhrasePenalty0= 0.2
TranslationModel0= 0.1 0.2 0.3 0.4
LexicalReordering0= 1 2 3 4 5 6
Distortion0= 0.3
LM0= 0.5
"""  # noqa: E501
    )
    read = read_ini(ini)
    assert str(read.phrase_table) == "/m/phrase-table.gz"
    assert read.reordering == {"hierarchical": tmp_path / "r.gz"}
    assert [str(path) for path in read.language_models] == ["/m/lm.arpa"]
    assert read.weights == {
        "unknown": -100,
        "words": 1.5,
        "phrases": 0.2,
        "tm.bwd": 0.1,
        "lex.bwd": 0.2,
        "tm.fwd": 0.3,
        "lex.fwd": 0.4,
        "distortion": 0.3,
        "lm": 0.5,
        **dict(zip(reordering_features("hierarchical"), range(1, 7), strict=True)),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing", "is this a moses.ini"),
        ("[feature]\nGlobalLexicalModel\n", ":2: .*no counterpart"),
        (
            "[feature]\nLexicalReordering type=wbe-mslr-bidirectional-fe path=x\n",
            ":2: .*'wbe-mslr",
        ),
        ("[feature]\nPhraseDictionaryMemory input-factor=0\n", ":2: the phrase table has no path"),
        ("[feature]\nLexicalReordering type=wbe-msd-bidirectional-fe\n", ":2: .*has no path"),
        ("[feature]\nDistortion\n[weight]\nDistortion0: 1\n", ":4: .*not of the form"),
        ("[feature]\nDistortion\n[weight]\nDistortion0= 1 2\n", "2 weights; expected 1"),
    ],
)
def test_a_bad_ini(write, text, message):
    with pytest.raises(InputError, match=message):
        read_ini(write("moses.ini", text))


def test_names():
    assert reordering_model_of("x/reordering-table.wbe-msd-bidirectional-fe.gz") == "word"
    assert reordering_model_of("reordering-table.hier-msd-bidirectional-fe") == "hierarchical"
    with pytest.raises(InputError, match="mslr"):
        reordering_model_of("reordering-table.hier-mslr-bidirectional-fe.gz")
    assert "LM0= 0.5" in ini_text([], {}, "lm.arpa")


def test_models_that_stay_behind_leave_their_weights():
    weights = {
        "lm": 0.1,
        "lm.2": 0.2,
        "lm.classes": 0.3,
        "bilm": 0.4,
        "tm.fwd": 0.01,
        "words": 0.5,
    }
    weights |= {"context.words": 0.02, "context.none": 7.0, "unknown.copy": 8.0, "unknown": -1.0}
    assert handed_over(weights) == pytest.approx(
        {"lm": 1.0, "tm.fwd": 0.03, "words": 0.5, "unknown": -1.0}
    )
    assert handed_over({"bilm": 1.0, "words": 2.0}) == {"words": 2.0}  # nobody is there
    plain = {"lm": 0.1, "tm.fwd": 0.2}
    assert handed_over(plain) == plain


def test_what_an_ini_has_no_place_for():
    has = ["unknown", "words", "phrases", "distortion", "tm.fwd", "lex.bwd", "lm"]
    has += reordering_features("word")
    assert not [name for name in has if is_left_out(name)]
    assert all(map(is_left_out, ["bilm", "lm.2", "lm.classes", "context.words", *SOURCES]))
