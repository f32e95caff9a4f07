"""Writes the phrasebook as people write text: a translation memory, and files to tune and test on.

Run as  python examples/memory.py  in the folder that is to hold them: phrasebook.tmx (the training
part, English and French), dev.en, dev.fr, test.en, test.fr, and messages.po, a small program's
messages that wait for a translation.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import escape

PHRASEBOOK = Path(__file__).parent / "phrasebook"
MESSAGES = (
    "Where is the station?",
    "I have lost my passport.",
    "There is a good restaurant behind the airport.",
    "The train to %(name)s leaves at eight o'clock.",
)


def main() -> None:
    """Write all of it."""
    write_memory(Path("phrasebook.tmx"), lines("train", "en"), lines("train", "fr"))
    for part in ("dev", "test"):
        for language in ("en", "fr"):
            text = "".join(f"{line}\n" for line in lines(part, language))
            Path(f"{part}.{language}").write_text(text, "utf-8")
    head = 'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    units = "".join(f'\nmsgid "{text}"\nmsgstr ""\n' for text in MESSAGES)
    Path("messages.po").write_text(head + units, "utf-8")
    print("wrote phrasebook.tmx, dev.en, dev.fr, test.en, test.fr and messages.po")


def lines(part: str, language: str) -> list[str]:
    """The sentences of a part of the phrasebook, written as people write them."""
    tokens = (PHRASEBOOK / f"{part}.{language}").read_text("utf-8").splitlines()
    return [written(line, language) for line in tokens]


def written(tokens: str, language: str) -> str:
    """Tokens put together: do n't, l' hôtel, voulez -vous, and a stop at the end."""
    text = re.sub(r" (n't|'\w+|-[\w-]+|[.,])", r"\1", tokens)
    text = re.sub(r"(\w') (?=\w)", r"\1", text) if language == "fr" else text
    return re.sub(
        r" ([?!;:])", "\N{NARROW NO-BREAK SPACE}\\1" if language == "fr" else r"\1", text
    )


def write_memory(path: Path, sources: list[str], targets: list[str]) -> None:
    """A translation memory of English and French."""
    units = "".join(
        f'<tu><tuv xml:lang="en"><seg>{escape(source)}</seg></tuv>'
        f'<tuv xml:lang="fr"><seg>{escape(target)}</seg></tuv></tu>\n'
        for source, target in zip(sources, targets, strict=True)
    )
    head = '<header srclang="en" datatype="plaintext" segtype="sentence"/>'
    path.write_text(f'<tmx version="1.4">{head}<body>\n{units}</body></tmx>\n', "utf-8")


if __name__ == "__main__":
    main()
