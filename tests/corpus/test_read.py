"""Reading each format: what comes out, and what is said when nothing can."""

import bz2
import gzip
import lzma
import sys

import numpy as np
import pytest

from dragoman.corpus.read import ParallelFile, read_lines, read_pairs
from dragoman.corpus.read.drift import find_drift, traits_of
from dragoman.corpus.read.lines import MAX_LINE_BYTES
from dragoman.errors import DragomanError, FileError, InputError, UsageError


def pairs(kind, path, source="", target="", columns=(1, 2)):
    return list(ParallelFile(kind, (path,), columns).read(source, target))


def test_plain_files(write):
    file = ParallelFile.plain(write("s", "a\n\nb c\r\n"), write("t", "x\ny\nz"))
    assert list(read_pairs([file])) == [("a", "x"), ("", "y"), ("b c", "z")]


def test_several_inputs_follow_each_other(write):
    files = [
        ParallelFile.plain(write("s", "a\n"), write("t", "x\n")),
        ParallelFile("tsv", (write("p.tsv", "b\ty\n"),)),
    ]
    assert list(read_pairs(files)) == [("a", "x"), ("b", "y")]


def zstd_compress(content):
    """As the program does, with a checksum."""
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    zstd = pytest.importorskip(name)
    return zstd.compress(content, options={zstd.CompressionParameter.checksum_flag: 1})


COMPRESSORS = [gzip.compress, bz2.compress, lzma.compress, zstd_compress]


@pytest.mark.parametrize("compress", COMPRESSORS)
def test_compressed_files_whatever_their_name(write, compress):
    assert list(read_lines(write("f", compress("é\nz\n".encode())))) == ["é", "z"]


@pytest.mark.parametrize("compress", COMPRESSORS)
@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_damaged_archives(write, compress, damage):
    archive = bytearray(compress(b"hello world\n" * 1000))
    if damage == "cut":
        del archive[len(archive) // 2 :]
    else:
        # Of Zstandard the checksum at the end: a changed letter comes out before it is noticed.
        archive[-2 if compress is zstd_compress else len(archive) // 2] ^= 0xFF
    with pytest.raises(InputError, match="f: the compressed file is cut or damaged"):
        list(read_lines(write("f", bytes(archive))))


def test_zstandard_needs_a_package_before_python_3_14(write, monkeypatch):
    archive = write("f.zst", b"\x28\xb5\x2f\xfd whatever follows")
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=r"f\.zst: compressed with Zstandard.*dragoman\[zstd\]"):
        list(read_lines(archive))


def test_byte_order_mark_is_dropped(write):
    assert list(read_lines(write("f", "\ufeffa\n"))) == ["a"]


def test_only_line_feeds_end_lines(write):
    assert list(read_lines(write("f", "a\u2028b\x0cc\rd\n"))) == ["a\u2028b\x0cc\rd"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"ok\nab\xff\n", "f:2: invalid UTF-8: byte 0xff at byte 3 of the line"),
        (b"ok\n\nx\0y\n", "f:3: NUL byte at byte 2"),
        (b"x" * (MAX_LINE_BYTES + 1), "f:1: longer than 524,288 bytes"),
        (b"ok\n" + b"x" * 1_000_000, "f:2: longer than"),
    ],
)
def test_lines_that_are_no_text(write, content, message):
    with pytest.raises(InputError, match=message):
        list(read_lines(write("f", content)))


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(FileError, match="absent: No such file"):
        list(read_lines(tmp_path / "absent"))
    with pytest.raises(FileError, match="Is a directory"):
        list(read_lines(tmp_path))


def test_empty_files(write):
    with pytest.raises(InputError, match="s: is empty, and so is .*t"):
        list(ParallelFile.plain(write("s", ""), write("t", "")).read("", ""))


def test_unequal_files_say_where_they_drift(write):
    lines = [f"this is sentence {n} {'of many ' * (n % 7)}." for n in range(200)]
    source = write("s", "\n".join(lines) + "\n")
    target = write("t", "\n".join(lines[:120] + lines[121:]) + "\n")
    with pytest.raises(InputError) as caught:
        list(ParallelFile.plain(source, target).read("", ""))
    assert "has 200 lines but" in str(caught.value)
    assert "has 199" in str(caught.value)
    assert "drift apart at about line 121" in str(caught.value)


def test_drift_at_the_end_and_drift_that_cannot_be_seen():
    lines = [f"sentence {n} {'x' * (n % 5)}" for n in range(50)]
    assert find_drift(traits_of(lines), traits_of(lines[:45])) == 45
    same = traits_of(["same"] * 50)
    assert find_drift(same, same[:45]) in (None, 45)
    noise = np.random.default_rng(1).random((50, 4))
    assert find_drift(noise, np.random.default_rng(2).random((45, 4))) in (None, 45)
    assert find_drift(same, same) is None


def test_tsv_columns(write):
    path = write("p.tsv", "1\ta\tx\n2\tb\ty\n")
    assert pairs("tsv", path, columns=(3, 2)) == [("x", "a"), ("y", "b")]
    with pytest.raises(InputError, match=r"p\.tsv:1: 3 columns, but column 4"):
        pairs("tsv", path, columns=(1, 4))
    with pytest.raises(InputError, match="1 column, but column 2 is wanted; tabs separate"):
        pairs("tsv", write("q.tsv", "a b\n"))


TMX = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en-US"><seg>Press <bpt i="1">&lt;b></bpt>OK<ept i="1">&lt;/b></ept>.</seg></tuv>
    <tuv xml:lang="fr"><seg>Cliquez sur <hi>OK</hi>.</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>only English</seg></tuv></tu>
<tu><tuv lang="EN"><seg>Yes</seg></tuv><tuv lang="FR-ca"><seg>Oui</seg></tuv></tu>
</body></tmx>"""


def test_tmx_takes_the_direction_from_the_languages(write):
    path = write("m.tmx", TMX)
    forward = [("Press OK.", "Cliquez sur OK."), ("Yes", "Oui")]
    assert pairs("tmx", path, "en", "fr") == forward
    assert pairs("tmx", path, "fr", "en") == [(t, s) for s, t in forward]
    assert pairs("tmx", path, "en-us", "fr") == forward[:1]


@pytest.mark.parametrize(
    ("variants", "source"),
    [
        ([("en-GB", "lorry"), ("en", "truck")], "truck"),  # exactly the language comes first
        ([("en", "truck"), ("en-GB", "lorry")], "truck"),
        ([("en-GB", "lorry"), ("EN", "truck")], "truck"),
        ([("en-GB", "lorry"), ("en-US", "truck")], "lorry"),  # of varieties the first
        ([("enm", "carte"), ("en-GB", "lorry")], "lorry"),  # another language
    ],
)
def test_tmx_with_varieties_of_a_language(write, variants, source):
    told = "".join(f'<tuv xml:lang="{code}"><seg>{text}</seg></tuv>' for code, text in variants)
    unit = f'<tu>{told}<tuv xml:lang="fr"><seg>camion</seg></tuv></tu>'
    path = write("m.tmx", f'<tmx version="1.4"><header/><body>{unit}</body></tmx>')
    assert pairs("tmx", path, "en", "fr") == [(source, "camion")]


def test_tmx_without_the_language_lists_what_it_holds(write):
    with pytest.raises(InputError, match=r"both en and de; the file holds en-US \(1\), fr \(1\)"):
        pairs("tmx", write("m.tmx", TMX), "en", "de")
    with pytest.raises(UsageError, match="--from and --to"):
        pairs("tmx", write("m.tmx", TMX))


def test_tmx_in_utf16(write):
    text = TMX.replace('encoding="UTF-8"', 'encoding="UTF-16"')
    assert len(pairs("tmx", write("m.tmx", text.encode("utf-16")), "en", "fr")) == 2


XLIFF_12 = """<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file source-language="en" target-language="fr-FR" datatype="plaintext" original="x"><body>
<trans-unit id="1"><source>Open <g id="1">file</g><x id="2"/></source>
  <target>Ouvrir <g id="1">le fichier</g><x id="2"/></target></trans-unit>
<trans-unit id="2"><source>Not yet</source><target state="needs-translation">Not yet</target>
</trans-unit>
<trans-unit id="3"><source>None</source></trans-unit>
<trans-unit id="4"><source>One. Two.</source>
  <seg-source><mrk mtype="seg" mid="0">One.</mrk> <mrk mtype="seg" mid="1">Two.</mrk></seg-source>
  <target><mrk mtype="seg" mid="0">Un.</mrk> <mrk mtype="seg" mid="1">Deux.</mrk></target>
</trans-unit>
</body></file></xliff>"""

XLIFF_2 = """<xliff version="2.0" srcLang="en" trgLang="fr"
  xmlns="urn:oasis:names:tc:xliff:document:2.0"><file id="f"><unit id="1">
<segment><source>Hello <pc id="1">you</pc><ph id="2"/></source>
  <target>Salut <pc id="1">toi</pc><ph id="2"/></target></segment>
<segment state="initial"><source>Bye</source><target>Bye</target></segment>
<segment><source>Gone</source></segment>
</unit></file></xliff>"""


def test_xliff_12(write):
    expected = [("Open file", "Ouvrir le fichier"), ("One.", "Un."), ("Two.", "Deux.")]
    path = write("x.xlf", XLIFF_12)
    assert pairs("xliff", path) == expected
    assert pairs("xliff", path, "en", "fr") == expected
    assert pairs("xliff", path, "fr", "en") == [(t, s) for s, t in expected]
    with pytest.raises(InputError, match="holds en to fr-FR, not en to de"):
        pairs("xliff", path, "en", "de")


def test_xliff_2(write):
    assert pairs("xliff", write("x.xlf", XLIFF_2), "en", "fr") == [("Hello you", "Salut toi")]


def test_xml_that_is_something_else(write):
    with pytest.raises(InputError, match="not XLIFF"):
        pairs("xliff", write("x.xlf", "<html/>"))


BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]><tmx><body><tu><tuv xml:lang='en'><seg>&i;</seg></tuv></tu></body></tmx>"
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<tmx><body><tu></body></tmx>", "m.tmx:1: malformed XML: mismatched tag"),
        ("not xml at all", "malformed XML"),
        ("", "malformed XML: no element found"),
        ('<?xml version="1.0" encoding="klingon"?><tmx/>', "unknown encoding klingon"),
        (BOMB, "declares XML entities"),
        ('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>', "XML entities"),
    ],
)
@pytest.mark.parametrize("kind", ["tmx", "xliff"])
def test_bad_xml(write, kind, content, message):
    with pytest.raises(InputError, match=message):
        pairs(kind, write("m.tmx", content), "en", "fr")


def test_deeply_nested_xml_is_no_problem(write):
    depth = 20_000
    seg = "<hi>" * depth + "deep" + "</hi>" * depth
    text = (
        f'<tmx><body><tu><tuv xml:lang="en"><seg>{seg}</seg></tuv>'
        '<tuv xml:lang="fr"><seg>profond</seg></tuv></tu></body></tmx>'
    )
    assert pairs("tmx", write("m.tmx", text), "en", "fr") == [("deep", "profond")]


PO = r"""# translators
msgid ""
msgstr ""
"Language: fr\n"
"Content-Type: text/plain; charset=UTF-8\n"

#: file.c:1
msgid "Open \"%s\"\n"
"now"
msgstr "Ouvrir « %s »\n"
"maintenant"

#, fuzzy
msgid "guess"
msgstr "devine"

msgctxt "menu"
msgid "none yet"
msgstr ""

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d fichier"
msgstr[1] "%d fichiers"
#~ msgid "old"
#~ msgstr "vieux"
"""


def test_po(write):
    expected = [
        ('Open "%s"\nnow', "Ouvrir « %s »\nmaintenant"),
        ("%d file", "%d fichier"),
        ("%d files", "%d fichiers"),
    ]
    path = write("m.po", PO)
    assert pairs("po", path) == expected
    assert pairs("po", path, "en", "fr") == expected
    assert pairs("po", path, "fr", "en") == [(t, s) for s, t in expected]
    with pytest.raises(InputError, match="translates to fr, not to de"):
        pairs("po", path, "en", "de")


def test_po_in_another_encoding(write):
    text = PO.replace("UTF-8", "ISO-8859-1")
    assert pairs("po", write("m.po", text.encode("latin-1")))[0][1].startswith("Ouvrir «")
    with pytest.raises(InputError, match="unknown encoding KLINGON"):
        pairs("po", write("m.po", PO.replace("UTF-8", "KLINGON")))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('msgid "a"\nmsgstr "b\n', "m.po:2: a string has no closing quote"),
        ('msgid "a"\nwhat is this\n', "m.po:2: not PO syntax"),
        ('msgid "a"\nmsgid "b"\n', "m.po:2: msgid twice"),
        ('msgid "a"\n', "ends in the middle of a message"),
        ('"lost"\n', "m.po:1: not PO syntax"),
    ],
)
def test_bad_po(write, content, message):
    with pytest.raises(InputError, match=message):
        pairs("po", write("m.po", content))


@pytest.mark.parametrize("kind", ["tmx", "po", "xliff"])
def test_agrees_with_translate_toolkit(write, kind):
    """An independent reader of the same formats finds the same translations."""
    factory = pytest.importorskip("translate.storage.factory", reason="needs translate-toolkit")
    content = {"tmx": TMX, "po": PO, "xliff": XLIFF_12}[kind]
    path = write({"tmx": "m.tmx", "po": "m.po", "xliff": "x.xlf"}[kind], content)
    if kind == "xliff":  # the toolkit reads segments as one unit
        content = content[: content.index('<trans-unit id="4"')] + "</body></file></xliff>"
        path = write("x.xlf", content)
    theirs = {
        str(unit.target)
        for unit in factory.getobject(str(path)).units
        if unit.istranslated() and not unit.isheader() and not unit.isobsolete()
    }
    ours = {target for _, target in pairs(kind, path, "en", "fr")}
    assert {text.replace("\n", "") for text in ours} >= {
        text.replace("\n", "") for text in theirs if "<" not in text and text != "Not yet"
    } - {""}


def test_every_reader_survives_mutilated_files(write):
    """Whatever the bytes, there are pairs or a DragomanError, nothing else."""
    random = np.random.default_rng(7)
    samples = {"tmx": TMX, "po": PO, "xliff": XLIFF_12, "tsv": "a\tb\n" * 5}
    for kind, text in samples.items():
        for _ in range(150):
            raw = bytearray(text.encode())
            for _ in range(random.integers(1, 6)):
                place = int(random.integers(len(raw)))
                match random.integers(3):
                    case 0:
                        raw[place] = int(random.integers(256))
                    case 1:
                        del raw[place : place + int(random.integers(20))]
                    case _:
                        raw[place:place] = bytes(random.integers(0, 256, 4, dtype=np.uint8))
                if not raw:
                    break
            try:
                pairs(kind, write("mutant", bytes(raw)), "en", "fr")
            except DragomanError as problem:
                assert "mutant" in str(problem)
