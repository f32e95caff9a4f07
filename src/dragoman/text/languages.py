"""Languages: their codes, their names as clients show them, and how their words are found."""

from __future__ import annotations

import difflib
import re
from typing import Literal

from dragoman.errors import UsageError

UNKNOWN = "und"

# ISO 639-1, and what small languages that people have text of are called. Any other code of
# three letters is taken as well: ISO 639-3 has thousands.
_NAMES = {
    "aa": "Afar", "ab": "Abkhazian", "ae": "Avestan", "af": "Afrikaans", "ak": "Akan",
    "am": "Amharic", "an": "Aragonese", "ar": "Arabic", "as": "Assamese", "av": "Avaric",
    "ay": "Aymara", "az": "Azerbaijani", "ba": "Bashkir", "be": "Belarusian", "bg": "Bulgarian",
    "bi": "Bislama", "bm": "Bambara", "bn": "Bengali", "bo": "Tibetan", "br": "Breton",
    "bs": "Bosnian", "ca": "Catalan", "ce": "Chechen", "ch": "Chamorro", "co": "Corsican",
    "cr": "Cree", "cs": "Czech", "cu": "Church Slavonic", "cv": "Chuvash", "cy": "Welsh",
    "da": "Danish", "de": "German", "dv": "Divehi", "dz": "Dzongkha", "ee": "Ewe", "el": "Greek",
    "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque",
    "fa": "Persian", "ff": "Fulah", "fi": "Finnish", "fj": "Fijian", "fo": "Faroese",
    "fr": "French", "fy": "Western Frisian", "ga": "Irish", "gd": "Scottish Gaelic",
    "gl": "Galician", "gn": "Guarani", "gu": "Gujarati", "gv": "Manx", "ha": "Hausa",
    "he": "Hebrew", "hi": "Hindi", "ho": "Hiri Motu", "hr": "Croatian", "ht": "Haitian",
    "hu": "Hungarian", "hy": "Armenian", "hz": "Herero", "ia": "Interlingua", "id": "Indonesian",
    "ie": "Interlingue", "ig": "Igbo", "ii": "Sichuan Yi", "ik": "Inupiaq", "io": "Ido",
    "is": "Icelandic", "it": "Italian", "iu": "Inuktitut", "ja": "Japanese", "jv": "Javanese",
    "ka": "Georgian", "kg": "Kongo", "ki": "Kikuyu", "kj": "Kuanyama", "kk": "Kazakh",
    "kl": "Greenlandic", "km": "Khmer", "kn": "Kannada", "ko": "Korean", "kr": "Kanuri",
    "ks": "Kashmiri", "ku": "Kurdish", "kv": "Komi", "kw": "Cornish", "ky": "Kyrgyz",
    "la": "Latin", "lb": "Luxembourgish", "lg": "Ganda", "li": "Limburgish", "ln": "Lingala",
    "lo": "Lao", "lt": "Lithuanian", "lu": "Luba-Katanga", "lv": "Latvian", "mg": "Malagasy",
    "mh": "Marshallese", "mi": "Maori", "mk": "Macedonian", "ml": "Malayalam", "mn": "Mongolian",
    "mr": "Marathi", "ms": "Malay", "mt": "Maltese", "my": "Burmese", "na": "Nauru",
    "nah": "Nahuatl", "nb": "Norwegian Bokmål", "nd": "North Ndebele", "ne": "Nepali",
    "ng": "Ndonga", "nl": "Dutch", "nn": "Norwegian Nynorsk", "no": "Norwegian",
    "nr": "South Ndebele", "nv": "Navajo", "ny": "Chichewa", "oc": "Occitan", "oj": "Ojibwa",
    "om": "Oromo", "or": "Oriya", "os": "Ossetian", "pa": "Punjabi", "pi": "Pali", "pl": "Polish",
    "ps": "Pashto", "pt": "Portuguese", "qu": "Quechua", "rm": "Romansh", "rn": "Rundi",
    "ro": "Romanian", "ru": "Russian", "rw": "Kinyarwanda", "sa": "Sanskrit", "sc": "Sardinian",
    "sd": "Sindhi", "se": "Northern Sami", "sg": "Sango", "si": "Sinhala", "sk": "Slovak",
    "sl": "Slovenian", "sm": "Samoan", "sn": "Shona", "so": "Somali", "sq": "Albanian",
    "sr": "Serbian", "ss": "Swati", "st": "Southern Sotho", "su": "Sundanese", "sv": "Swedish",
    "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "tg": "Tajik", "th": "Thai", "ti": "Tigrinya",
    "tk": "Turkmen", "tl": "Tagalog", "tn": "Tswana", "to": "Tongan", "tr": "Turkish",
    "ts": "Tsonga", "tt": "Tatar", "tw": "Twi", "ty": "Tahitian", "ug": "Uyghur",
    "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "ve": "Venda", "vi": "Vietnamese",
    "vo": "Volapük", "wa": "Walloon", "wo": "Wolof", "xh": "Xhosa", "yi": "Yiddish",
    "yo": "Yoruba", "yue": "Cantonese", "za": "Zhuang", "zh": "Chinese", "zu": "Zulu",
    UNKNOWN: "Unnamed language",
}  # fmt: skip

# Codes of countries that people take for those of languages.
_COUNTRIES = {
    "jp": "ja", "cn": "zh", "tw": "zh", "cz": "cs", "gr": "el", "dk": "da", "ua": "uk",
    "vn": "vi", "by": "be", "us": "en", "gb": "en", "at": "de", "ir": "fa", "il": "he",
    "in": "hi", "rs": "sr", "si": "sl", "ee": "et", "ge": "ka", "am": "hy", "kz": "kk",
    "mx": "es", "ph": "tl", "pk": "ur", "kh": "km", "mm": "my", "la": "lo", "al": "sq",
}  # fmt: skip

_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")

# Where words are cut at apostrophes: behind those of l'eau, before those of John's. Elsewhere
# the apostrophe is a letter, or stands in for one.
_ELIDING = frozenset({"ca", "co", "fr", "fur", "it", "lij", "oc", "scn", "vec", "wa"})
_CLITIC = frozenset({"en", ""})

Segmentation = Literal["words", "mecab", "jieba", "segmenter"]
_SEGMENTED: dict[str, Segmentation] = {
    "ja": "mecab", "zh": "jieba", "yue": "jieba", "th": "segmenter", "lo": "segmenter",
    "km": "segmenter", "my": "segmenter", "bo": "segmenter", "dz": "segmenter",
}  # fmt: skip


def language_name(code: str) -> str:
    """The English name of a language; its code when we know none."""
    return _NAMES.get(primary(code), code)


def primary(code: str) -> str:
    """ "en" of "en-GB"."""
    return code.replace("_", "-").split("-")[0].lower()


def matches(wanted: str, found: str) -> bool:
    """Whether text marked `found` answers a request for `wanted`: "en" asks for "en-GB" too,
    "en-GB" only for itself."""
    wanted, found = wanted.lower().replace("_", "-"), found.lower().replace("_", "-")
    return found == wanted or found.startswith(wanted + "-")


def check_language(code: str) -> None:
    """Raise UsageError for what is no code of a language; empty is fine."""
    if not code:
        return
    main = primary(code)
    if main in _NAMES or (len(main) == 3 and _CODE.fullmatch(code)):
        return
    by_name = {name.lower(): known for known, name in _NAMES.items()}
    near = difflib.get_close_matches(main, by_name, n=1, cutoff=0.75)
    guess = _COUNTRIES.get(main) or (by_name[near[0]] if near else "")
    hint = f"; did you mean {guess!r} ({_NAMES[guess]})?" if guess else ""
    raise UsageError(f"{code!r} is no code of a language{hint or ', such as en or pt-BR'}")


def apostrophe_rule(code: str) -> Literal["inside", "before", "behind"]:
    """Where words of a language are cut at apostrophes."""
    main = primary(code)
    return "behind" if main in _ELIDING else "before" if main in _CLITIC else "inside"


def segmentation(code: str) -> Segmentation:
    """What finds the words of a language."""
    return _SEGMENTED.get(primary(code), "words")
