"""Slot fillers and their forms: articles, plurals, agreement, counters."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from notation import LANGUAGES, NotationError

_HEADER = re.compile(r"\[([\w-]+)(.*)\]$")

# An aspirated h is marked by a star in slots.txt; these also resist elision.
_NO_ELISION = ("*", "onze", "huit", "oui")
_VOWELS = "aàâäeéèêëiîïoôöuùûühœæ"

_ENGLISH_A_BEFORE = ("uni", "eu", "use")


@dataclass(frozen=True)
class Filler:
    """One line of a slot: its forms per language, French gender, Japanese counter."""

    forms: dict[str, dict[str, str]]
    gender: str = ""
    counter: str = ""
    name: str = ""
    inflected: bool = False


@dataclass(frozen=True)
class Slot:
    name: str
    fillers: list[Filler] = field(default_factory=list)


def elides(word: str) -> bool:
    """Whether a French word makes the word before it lose its vowel."""
    lowered = word.lower()
    return lowered[0] in _VOWELS and not lowered.startswith(_NO_ELISION)


def _english_plural(noun: str) -> str:
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(s|x|ch|sh)$", noun) else "s")


def _french_plural(noun: str) -> str:
    """Adds the plural ending to the first word, and to a bare adjective after it."""
    if " " in noun:
        head, _, rest = noun.partition(" ")
        if re.match(r"(de|d'|à|au|aux|en|photo)\b", rest):
            return f"{_french_plural(head)} {rest}"
        return f"{_french_plural(head)} {_french_plural(rest)}"
    noun, slash, gloss = noun.partition("/")
    if not re.search(r"[sxz]$", noun):
        noun += "x" if re.search(r"(eau|eu)$", noun) else "s"
    return noun + slash + gloss


def _english_noun(text: str) -> dict[str, str]:
    singular, _, plural = (part.strip() for part in text.partition(","))
    vowel = singular[0] in "aeiou" and not singular.startswith(_ENGLISH_A_BEFORE)
    return {
        "": singular,
        "pl": plural or _english_plural(singular),
        "the": f"the {singular}",
        "a": f"{'an' if vowel else 'a'} {singular}",
        "poss": f"{singular} 's",
    }


def _french_noun(text: str, gender: str) -> dict[str, str]:
    singular, _, plural = (part.strip() for part in text.partition(","))
    plural = plural or _french_plural(singular)
    forms = {"": singular, "pl": plural, "les": f"les {plural}", "des": f"des {plural}"}
    if gender.endswith("p"):
        table = {"le": "les", "un": "des", "à": "aux", "de": "des", "du": "des", "ce": "ces"}
        table |= {"mon": "mes", "ton": "tes", "son": "ses", "votre": "vos", "notre": "nos"}
    else:
        feminine, vowel = gender == "f", elides(singular)
        article = "l'" if vowel else ("la" if feminine else "le")
        contracted = not vowel and not feminine
        table = {
            "le": article,
            "un": "une" if feminine else "un",
            "à": "au" if contracted else f"à {article}",
            "de": "du" if contracted else f"de {article}",
            "du": "du" if contracted else f"de {article}",
            "ce": "cette" if feminine else ("cet" if vowel else "ce"),
            "votre": "votre",
            "notre": "notre",
        }
        for stem in "mts":
            table[f"{stem}on"] = f"{stem}a" if feminine and not vowel else f"{stem}on"
    for form, determiner in table.items():
        forms[form] = f"{determiner} {singular}"
    return forms


def _noun(texts: list[str], name: str) -> Filler:
    english, french, japanese = texts
    french, _, gender = french.rpartition(" ")
    if gender not in ("m", "f", "mp", "fp"):
        raise NotationError(f"the French noun {french!r} needs a gender, not {gender!r}")
    japanese, _, counter = (part.strip() for part in japanese.partition("@"))
    forms = {
        "en": _english_noun(english),
        "fr": _french_noun(french, gender),
        "ja": {"": japanese},
    }
    return Filler(forms, gender, counter, name)


def _listed(texts: list[str], names: dict[str, list[str]], name: str) -> Filler:
    forms: dict[str, dict[str, str]] = {}
    for language, text in zip(LANGUAGES, texts, strict=True):
        given = [part.strip() for part in text.split(",")]
        wanted = names.get(language, ["it"])
        if len(given) != len(wanted):
            raise NotationError(f"{text!r} should give the forms {', '.join(wanted)}")
        forms[language] = dict(zip(wanted, given, strict=True)) | {"": given[0]}
        if "te" in forms[language]:
            te = forms[language]["te"]
            forms[language]["ta"] = te[:-1] + {"て": "た", "で": "だ"}[te[-1]]
    return Filler(forms, name=name, inflected=len(names.get("ja", [])) > 1)


def read_slots(path: Path) -> dict[str, Slot]:
    """Reads slots.txt; its head explains the format."""
    slots: dict[str, Slot] = {}
    slot = Slot("")
    is_noun = False
    names: dict[str, list[str]] = {}
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    for number, line in enumerate(lines, start=1):
        if not line or line.startswith("#"):
            continue
        try:
            if header := _HEADER.match(line):
                slot = slots[header[1]] = Slot(header[1])
                rest = header[2].split()
                is_noun = rest == ["noun"]
                if rest[:1] == ["="]:
                    for other in rest[1:]:
                        slot.fillers.extend(slots[other].fillers)
                elif not is_noun:
                    names = {
                        language: forms.split(",")
                        for language, forms in (item.split("=") for item in rest)
                    }
                continue
            texts = [part.strip() for part in line.split("|")]
            if len(texts) != 3:
                raise NotationError("a filler has three parts: English | French | Japanese")
            key = texts[0]
            filler = _noun(texts, key) if is_noun else _listed(texts, names, key)
            slot.fillers.append(filler)
        except (NotationError, KeyError) as error:
            raise NotationError(f"{path.name}:{number}: {error}") from error
    return slots
