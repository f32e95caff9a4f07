"""Documents: empty units are filled, the rest is left alone."""

from pathlib import Path

import pytest
from tests.translation.through import restored
from translate.storage import po, tmx
from translate.storage.xliff import xlifffile

from dragoman.corpus.read.po import read_po
from dragoman.corpus.read.tmx import read_tmx
from dragoman.corpus.read.xliff import read_xliff
from dragoman.documents.document import document_format, translate_document
from dragoman.documents.po import fill_po
from dragoman.documents.tmx import fill_tmx
from dragoman.documents.xliff import fill_xliff
from dragoman.errors import InputError, UsageError
from dragoman.translation.result import SaidPassage

LANGUAGES = ("en", "fr")


def shout(passages):
    """A translator that does not need a model."""
    cut = [passage.cut() for passage in passages]
    return [
        passage.assemble([restored(one, one.text.upper()) for one in passage.sentences])
        for passage in cut
    ]


PO = """# A comment
msgid ""
msgstr ""
"Language: fr\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

#: a.c:1
#, c-format
msgid "Hello %s, welcome"
msgstr ""

# kept
msgid "Done"
msgstr "Fait"

#, fuzzy
msgid "Maybe"
msgstr "Peut-etre"

msgctxt "menu"
msgid ""
"\\n"
"Two lines.\\n"
"Here \\"quoted\\".\\n"
msgstr ""

msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""

#~ msgid "old"
#~ msgstr ""
"""


def test_po(write):
    path = write("a.po", PO)
    done = fill_po(path, LANGUAGES, shout, False)
    assert (done.filled, done.kept) == (4, 2)
    content = done.content
    text = content.decode()
    assert (
        '#: a.c:1\n#, fuzzy, c-format\nmsgid "Hello %s, welcome"\nmsgstr "HELLO %s, WELCOME"\n'
        in text
    )
    assert 'msgstr ""\n"\\n"\n"TWO LINES.\\n"\n"HERE \\"QUOTED\\".\\n"\n' in text
    assert '#, fuzzy\nmsgctxt "menu"' in text
    assert '#, fuzzy\nmsgid "%d file"' in text
    assert 'msgstr[0] "%d FILE"\nmsgstr[1] "%d FILES"\n' in text
    assert '# kept\nmsgid "Done"\nmsgstr "Fait"\n' in text
    assert text.endswith('#~ msgid "old"\n#~ msgstr ""\n')
    store = po.pofile.parsestring(content)
    assert [str(unit.target) for unit in store.units if unit.source == "Maybe"] == ["Peut-etre"]
    again = fill_po(write("b.po", content), LANGUAGES, shout, False)
    assert again.content == content
    assert (again.filled, again.kept) == (0, 6)
    final = fill_po(path, LANGUAGES, shout, True)
    pairs = dict(read_po(write("c.po", final.content)))
    assert pairs["Hello %s, welcome"] == "HELLO %s, WELCOME"
    windows = fill_po(write("d.po", PO.replace("\n", "\r\n")), LANGUAGES, shout, False)
    assert windows.content == content.replace(b"\n", b"\r\n")


def test_po_of_another_encoding(write):
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\n'
    text = header + 'msgid "café"\nmsgstr ""\n'
    done = fill_po(write("a.po", text.encode("latin-1")), LANGUAGES, shout, True)
    assert 'msgstr "CAFÉ"' in done.content.decode("latin-1")

    def unwritable(passages):
        return ["駅" for _ in passages]

    with pytest.raises(InputError, match="cannot be written"):
        fill_po(write("a.po", text.encode("latin-1")), LANGUAGES, unwritable, True)


XLIFF_1 = """<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
 <file original="a" source-language="en" target-language="fr" datatype="plaintext"><body>
  <trans-unit id="1" note='a>b'>
   <source>Click <g id="1">here</g><x id="2"/> &amp; go</source>
  </trans-unit>
  <trans-unit id="2"><source>Done</source><target state="final">Fait</target></trans-unit>
  <trans-unit id="3"><source>Old</source><target state="new">Old</target></trans-unit>
  <trans-unit id="4"><source>Empty</source><target/></trans-unit>
  <trans-unit id="5" translate="no"><source>Never</source></trans-unit>
 </body></file>
</xliff>
"""


def test_xliff_1(write):
    path = write("a.xlf", XLIFF_1)
    done = fill_xliff(path, LANGUAGES, shout, False)
    assert (done.filled, done.kept) == (3, 1)
    content = done.content
    text = content.decode()
    mark = ' state="needs-review-translation" state-qualifier="leveraged-mt"'
    assert (
        f'</source>\n   <target{mark}>CLICK <g id="1">HERE</g><x id="2"/> &amp; GO</target>\n'
        in text
    )
    assert '<target state="final">Fait</target>' in text
    assert f"<source>Old</source><target{mark}>OLD</target>" in text
    assert f"<source>Empty</source><target{mark}>EMPTY</target>" in text
    assert '<trans-unit id="5" translate="no"><source>Never</source></trans-unit>' in text
    assert "<!-- a comment -->" in text
    assert [unit.source for unit in xlifffile.parsestring(content).units][1] == "Done"
    pairs = list(read_xliff(write("b.xlf", content), "en", "fr"))
    assert ("Done", "Fait") in pairs
    assert ("Empty", "EMPTY") in pairs
    assert fill_xliff(write("b.xlf", content), LANGUAGES, shout, False).content == content


def test_xliff_2(write):
    text = (
        '<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en-GB">'
        '<x:file id="f"><x:unit id="u"><x:segment state="initial"><x:source>One <x:pc id="1">two'
        "</x:pc></x:source></x:segment><x:segment><x:source>Three</x:source>"
        "<x:target>Trois</x:target></x:segment></x:unit></x:file></x:xliff>"
    )
    done = fill_xliff(write("a.xlf", text), LANGUAGES, shout, False)
    assert (done.filled, done.kept) == (1, 1)
    assert done.content.decode() == text.replace(
        '<x:segment state="initial">', '<x:segment state="translated">'
    ).replace(
        "</x:pc></x:source>", '</x:pc></x:source><x:target>ONE <x:pc id="1">TWO</x:pc></x:target>'
    )
    with pytest.raises(InputError, match="holds en-GB"):
        fill_xliff(write("a.xlf", text), ("de", "fr"), shout, False)


TMX = """<?xml version="1.0" encoding="UTF-16"?>
<tmx version="1.4"><header srclang="en"/><body>
 <tu>
  <tuv xml:lang="en-US"><seg>Press <ph x="1">&lt;b&gt;</ph>it &amp; go</seg></tuv>
 </tu>
 <tu><tuv xml:lang="en"><seg>Done</seg></tuv><tuv xml:lang="fr"><seg>Fait</seg></tuv></tu>
 <tu><tuv xml:lang="de"><seg>Nur Deutsch</seg></tuv></tu>
</body></tmx>
"""


def test_tmx(write):
    path = write("a.tmx", TMX.encode("utf-16"))
    done = fill_tmx(path, LANGUAGES, shout, False)
    assert (done.filled, done.kept) == (1, 1)
    content = done.content
    text = content.decode("utf-16")
    segment = '<seg>PRESS <ph x="1">&lt;b&gt;</ph>IT &amp; GO</seg>'
    new = f'<tuv xml:lang="fr" creationid="dragoman">{segment}</tuv>'
    assert f"</tuv>\n  {new}\n </tu>" in text
    assert text.replace(f"\n  {new}", "") == TMX
    assert dict(read_tmx(write("b.tmx", content), "en", "fr")) == {
        "Press it & go": "PRESS IT & GO",
        "Done": "Fait",
    }
    assert len(tmx.tmxfile.parsestring(content).units) == 3
    with pytest.raises(UsageError):
        fill_tmx(path, ("", "fr"), shout, False)


@pytest.mark.parametrize("fill", [fill_tmx, fill_xliff])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<a>", "malformed"),
        ("<a/>", "but not"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "entities"),
        (b"\xff\xff<a/>", "not valid"),
    ],
)
def test_bad_documents(write, fill, text, message):
    with pytest.raises(InputError, match=message):
        fill(write("a", text), LANGUAGES, shout, False)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.po", "po"), ("b.POT", "po"), ("c.xlf", "xliff"), ("d.xliff", "xliff"), ("e.tmx", "tmx")],
)
def test_the_name_of_a_file_says_what_it_is(name, kind):
    assert document_format(Path(name)) == kind


def test_a_document_is_marked_for_review_unless_told(write):
    class Shouting:
        languages = LANGUAGES
        consensus = confidence = None

        def document_demands(self):
            return None

        def find_passages(self, passages, demands, wants, progress):
            assert not wants.confidence
            return [SaidPassage(text) for text in shout(passages)]

    path = write("a.po", 'msgid "a"\nmsgstr ""\n')
    assert translate_document(path, Shouting()).content == b'#, fuzzy\nmsgid "a"\nmsgstr "A"\n'
    done = translate_document(path, Shouting(), final=True)
    assert done.content == b'msgid "a"\nmsgstr "A"\n'
    named = translate_document(
        write("b.txt", path.read_bytes()), Shouting(), kind="po", final=True
    )
    assert named.content == done.content


def test_from_the_command_line(trained, write, tmp_path, run):
    text = PO.replace("Hello %s, welcome", "Where is %s, please?")
    path = write("a.po", text)
    out = tmp_path / "out.po"
    done = run("fill", trained, path, "-o", out, "--final")
    assert done.returncode == 0, done.stderr
    assert "4 filled, 2 translated already" in done.stderr
    assert path.read_text() == text
    pairs = dict(read_po(out))
    assert "%s" in pairs["Where is %s, please?"]
    assert pairs["Done"] == "Fait"
    strange = write("a.txt", text)
    refused = run("fill", trained, strange)
    assert refused.returncode == 2
    assert f"{strange}: has no units to fill; translate it with" in refused.stderr
    named = run("fill", trained, strange, "--format", "po", "--final")
    assert named.stdout == out.read_text()
    assert run("fill", trained, path, "--nbest", 3).returncode == 2
