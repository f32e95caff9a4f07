"""Edges of document formats, each a small file and what it must become, to the byte."""

import pytest
from tests.documents.test_fill import LANGUAGES, shout

from dragoman.corpus.read.po import read_entries
from dragoman.documents.po import fill_po
from dragoman.documents.tmx import fill_tmx
from dragoman.documents.xliff import fill_xliff
from dragoman.errors import InputError

REVIEW = ' state="needs-review-translation" state-qualifier="leveraged-mt"'
FINAL = ' state="translated" state-qualifier="leveraged-mt"'


def unit(inside):
    return (
        f'<xliff version="1.2"><file><body><trans-unit>{inside}</trans-unit></body></file></xliff>'
    )


SEGMENTED = '<seg-source><mrk mtype="seg" mid="1">a</mrk></seg-source>'


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        # The target comes behind a segmented source, wherever the note is.
        (f"<source>a</source>{SEGMENTED}<note>n</note>",
         f"<source>a</source>{SEGMENTED}<target{REVIEW}>A</target><note>n</note>"),
        (f"{SEGMENTED}<source>a</source>",
         f"{SEGMENTED}<source>a</source><target{REVIEW}>A</target>"),
        ("<source>a</source><note>n</note>",
         f"<source>a</source><target{REVIEW}>A</target><note>n</note>"),
        # A target that is there stays where it is, with its other attributes.
        (f"<source>a</source><target xml:lang='fr'/>{SEGMENTED}",
         f"<source>a</source><target xml:lang='fr'{REVIEW}>A</target>{SEGMENTED}"),
        ("<source>a</source><target> \n</target>",
         f"<source>a</source><target{REVIEW}>A</target>"),
        ('<source>a</source>'
         '<target state-qualifier="x" state="needs-translation" id="7">b</target>',
         f'<source>a</source><target id="7"{REVIEW}>A</target>'),
        # Nothing to do.
        ('<source>a</source><target state="needs-review-translation">b</target>', None),
        ("<source>a</source><target>b</target>", None),
        ("<source></source>", None),
        ("<source> </source>", None),
        ("<note>no source</note>", None),
        # Alternatives are not the unit's own.
        ("<source>a</source><target>b</target><alt-trans><source>c</source></alt-trans>", None),
    ],
)  # fmt: skip
def test_units_of_xliff_1(write, inside, expected):
    done = fill_xliff(write("a.xlf", unit(inside)), LANGUAGES, shout, False)
    assert done.content.decode() == unit(expected or inside)
    assert done.filled == (expected is not None)
    assert done.kept == (expected is None and ">b</target>" in inside)


def test_final_targets_of_xliff_1(write):
    done = fill_xliff(write("a.xlf", unit("<source>a</source>")), LANGUAGES, shout, True)
    assert done.content.decode() == unit(f"<source>a</source><target{FINAL}>A</target>")


def segment(tag, inside):
    around = '<xliff version="2.1" srcLang="en"><file><unit>', "</segment></unit></file></xliff>"
    return f"{tag}{inside}".join(around)


@pytest.mark.parametrize(
    ("tag", "inside", "final", "new_tag", "new_inside"),
    [
        ("<segment>", "<source>a</source>", False,
         '<segment state="translated">', "<source>a</source><target>A</target>"),
        ("<segment>", "<source>a</source>", True,
         '<segment state="final">', "<source>a</source><target>A</target>"),
        ("<segment id='1' state='initial'>", "<source>a</source><target>b</target>", False,
         "<segment id='1' state=\"translated\">", "<source>a</source><target>A</target>"),
        ('<segment state="reviewed">', "<source>a</source><target>b</target>", False,
         '<segment state="reviewed">', "<source>a</source><target>b</target>"),
    ],
)  # fmt: skip
def test_segments_of_xliff_2(write, tag, inside, final, new_tag, new_inside):
    done = fill_xliff(write("a.xlf", segment(tag, inside)), LANGUAGES, shout, final)
    assert done.content.decode() == segment(new_tag, new_inside)


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ("1.2", '<file><body><group translate="no"><trans-unit><source>a</source></trans-unit>'
                "</group></body></file>"),
        ("2.0", '<file><unit translate="no"><segment><source>a</source></segment></unit></file>'),
        ("2.0", '<file translate="no"><unit><segment><source>a</source></segment></unit></file>'),
    ],
)  # fmt: skip
def test_what_lies_in_what_is_not_to_be_translated_is_not(write, version, text):
    whole = f'<xliff version="{version}" srcLang="en">{text}</xliff>'
    done = fill_xliff(write("a.xlf", whole), LANGUAGES, shout, False)
    assert (done.filled, done.content.decode()) == (0, whole)
    # Unless it says otherwise itself.
    name = "trans-unit" if version == "1.2" else "unit"
    allowed = whole.replace(f"<{name}", f'<{name} translate="yes"', 1).replace(
        'translate="yes" translate="no"', 'translate="yes"'
    )
    assert fill_xliff(write("a.xlf", allowed), LANGUAGES, shout, False).filled == 1


@pytest.mark.parametrize(
    ("source", "target", "agrees"),
    [
        ("en", "fr", True),
        ("en-GB", "fr-CA", True),
        ("fr", "en", False),
        ("de", "fr", False),
    ],
)
def test_xliff_of_other_languages_is_refused(write, source, target, agrees):
    text = (
        f'<xliff version="1.2"><file source-language="{source}" target-language="{target}"><body>'
        "<trans-unit><source>a</source></trans-unit></body></file></xliff>"
    )
    path = write("a.xlf", text)
    if agrees:
        assert fill_xliff(path, LANGUAGES, shout, False).filled == 1
    else:
        with pytest.raises(InputError, match=f"holds {source}"):
            fill_xliff(path, LANGUAGES, shout, False)


def test_a_model_that_does_not_say_its_language_takes_any(write):
    text = unit("<source>a</source>").replace("<file>", '<file source-language="de">')
    path = write("a.xlf", text)
    assert fill_xliff(path, ("", "fr"), shout, False).filled == 1
    with pytest.raises(InputError, match="holds de"):
        fill_xliff(path, ("en", ""), shout, False)


def memory(*variants):
    inside = "".join(f'<tuv xml:lang="{lang}"><seg>{text}</seg></tuv>' for lang, text in variants)
    return f'<tmx version="1.4"><header/><body><tu>{inside}</tu></body></tmx>'


NEW = '<tuv xml:lang="fr" creationid="dragoman"><seg>%s</seg></tuv>'


@pytest.mark.parametrize(
    ("variants", "filled", "expected"),
    [
        # Exactly the language goes before a variety of it, whichever comes first.
        ([("en-GB", "lorry"), ("en", "truck")], 1, ("truck</seg></tuv>", NEW % "TRUCK")),
        ([("en", "truck"), ("en-GB", "lorry")], 1, ("truck</seg></tuv>", NEW % "TRUCK")),
        ([("EN", "truck"), ("en-GB", "lorry")], 1, ("truck</seg></tuv>", NEW % "TRUCK")),
        # Of varieties the first.
        ([("en-GB", "lorry"), ("en-US", "truck")], 1, ("lorry</seg></tuv>", NEW % "LORRY")),
        # A translation into a variety is one; an empty one is filled.
        ([("en", "truck"), ("fr-CA", "camion")], 0, None),
        ([("en", "truck"), ("fr", " ")], 1, ("<seg> </seg>", "<seg>TRUCK</seg>")),
        # An empty exact one goes before a variety that is full.
        ([("en", "truck"), ("fr-CA", "camion"), ("fr", "")], 1,
         ("<seg></seg>", "<seg>TRUCK</seg>")),
        ([("en", " "), ("fr", "camion")], 0, None),
        ([("de", "laster")], 0, None),
        ([], 0, None),
    ],
)  # fmt: skip
def test_variants_of_tmx(write, variants, filled, expected):
    text = memory(*variants)
    done = fill_tmx(write("a.tmx", text), LANGUAGES, shout, False)
    assert done.filled == filled
    if expected is None:
        assert done.content.decode() == text
        return
    old, new = expected
    after = old + new if new.startswith("<tuv") else new
    assert done.content.decode() == text.replace(old, after)


def test_tmx_by_its_old_attribute_and_without_a_mark(write):
    text = '<tmx><body><tu><tuv lang="en"><seg>a</seg></tuv><tuv lang="fr"/></tu></body></tmx>'
    done = fill_tmx(write("a.tmx", text), LANGUAGES, shout, True)
    assert done.content.decode() == text.replace(
        "a</seg></tuv>", 'a</seg></tuv><tuv xml:lang="fr"><seg>A</seg></tuv>'
    )
    assert (done.filled, done.kept) == (1, 0)


HEADER = 'msgid ""\nmsgstr "Language: fr\\n"\n\n'


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        # Plural forms: the first is the singular's, all others the plural's.
        ('msgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""\n',
         '#, fuzzy\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d FILE"\n'
         'msgstr[1] "%d FILES"\nmsgstr[2] "%d FILES"\n'),
        ('msgid "a"\nmsgid_plural "b"\nmsgstr[0] "x"\nmsgstr[1] ""\n',
         '#, fuzzy\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "x"\nmsgstr[1] "B"\n'),
        # Flags: once, and before others; references and notes stay.
        ('#, fuzzy\nmsgid "a"\nmsgstr ""\n', '#, fuzzy\nmsgid "a"\nmsgstr "A"\n'),
        ('# n\n#: f:1\n#, c-format\n#| msgid "b"\nmsgid "a"\nmsgstr ""\n',
         '# n\n#: f:1\n#, fuzzy, c-format\n#| msgid "b"\nmsgid "a"\nmsgstr "A"\n'),
        ('# n\nmsgctxt "c"\nmsgid "a"\nmsgstr ""\n',
         '# n\n#, fuzzy\nmsgctxt "c"\nmsgid "a"\nmsgstr "A"\n'),
        # A message of several lines in the file becomes one line again.
        ('msgid "a"\nmsgstr ""\n""\n', '#, fuzzy\nmsgid "a"\nmsgstr "A"\n'),
        # Both ends have their line feeds.
        ('msgid "\\na\\n"\nmsgstr ""\n', '#, fuzzy\nmsgid "\\na\\n"\nmsgstr ""\n"\\n"\n"A\\n"\n'),
        ('msgid "a\\n"\nmsgstr ""\n', '#, fuzzy\nmsgid "a\\n"\nmsgstr "A\\n"\n'),
        ('msgid "a\\"\\t\\\\"\nmsgstr ""\n',
         '#, fuzzy\nmsgid "a\\"\\t\\\\"\nmsgstr "A\\"\\t\\\\"\n'),
        # One of several lines, however short, has them below each other.
        ('msgid "a\\nb"\nmsgstr ""\n', '#, fuzzy\nmsgid "a\\nb"\nmsgstr ""\n"A\\n"\n"B"\n'),
        # Nothing to do.
        ('#, fuzzy\nmsgid "a"\nmsgstr "x"\n', None),
        ('#~ msgid "a"\n#~ msgstr ""\n', None),
    ],
)  # fmt: skip
def test_messages_of_po(write, message, expected):
    done = fill_po(write("a.po", HEADER + message), LANGUAGES, shout, False)
    assert done.content.decode() == HEADER + (expected or message)


def test_a_flag_belongs_to_its_own_message(write):
    text = HEADER + '#, c-format\nmsgid "a"\nmsgstr "x"\n\nmsgid "b"\nmsgstr ""\n'
    done = fill_po(write("a.po", text), LANGUAGES, shout, False)
    assert done.content.decode() == text.replace(
        'msgid "b"\nmsgstr ""', '#, fuzzy\nmsgid "b"\nmsgstr "B"'
    )
    assert fill_po(write("a.po", text), LANGUAGES, shout, True).content.decode() == text.replace(
        'msgid "b"\nmsgstr ""', 'msgid "b"\nmsgstr "B"'
    )


@pytest.mark.parametrize("length", [68, 69, 70, 71, 72, 73, 80, 200])
def test_long_messages_of_po_are_cut_at_spaces(write, length):
    words = ("abcd " * 60)[: length - 1] + "x"
    done = fill_po(write("a.po", f'{HEADER}msgid "{words}"\nmsgstr ""\n'), LANGUAGES, shout, True)
    lines = done.content.decode().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("msgstr") and i > 2)
    written = lines[start:]
    assert all(len(line) <= 80 for line in written)
    single = len(f'msgstr "{words}"') <= 80
    assert (len(written) == 1) == single
    if not single:
        assert written[0] == 'msgstr ""'
        # As much on each line as goes, cut behind a space.
        assert all(line.endswith(' "') for line in written[1:-1])
        assert all(len(line) - 2 > 70 for line in written[1:-1])
    again = list(read_entries(write("b.po", done.content)))[-1]
    assert again.fields["msgstr"] == words.upper()


def test_malformed_xml_is_named_with_its_line(write):
    path = write("a.tmx", "<tmx>\n<body>\n</tmx>\n")
    with pytest.raises(InputError, match=r"a\.tmx:3: malformed XML"):
        fill_tmx(path, LANGUAGES, shout, False)
