"""Languages: their codes, and their names as clients show them."""

from __future__ import annotations

UNKNOWN = "und"

_NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "br": "Breton", "ca": "Catalan",
    "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "gu": "Gujarati",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian",
    "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ka": "Georgian",
    "kk": "Kazakh", "kn": "Kannada", "ko": "Korean", "la": "Latin", "lt": "Lithuanian",
    "lv": "Latvian", "mk": "Macedonian", "ml": "Malayalam", "mr": "Marathi", "ms": "Malay",
    "mt": "Maltese", "nb": "Norwegian Bokmål", "nl": "Dutch", "nn": "Norwegian Nynorsk",
    "no": "Norwegian", "pa": "Punjabi", "pl": "Polish", "pt": "Portuguese", "qu": "Quechua",
    "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian",
    "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "th": "Thai",
    "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
    "zh": "Chinese", "zu": "Zulu", UNKNOWN: "Unnamed language",
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
