"""``dragoman tokenise`` and ``dragoman detokenise``: text into words and back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from dragoman.cli.declared import Given, Offer, offering
from dragoman.errors import FileError, InputError
from dragoman.text.config import TextConfig

_Input = Annotated[
    Path | None,
    typer.Option(
        "--input", "-i", metavar="FILE", help="The file to read, instead of standard input."
    ),
]
_Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="The file to write, instead of standard output."
    ),
]


@offering("given", Offer(TextConfig, only=("tokeniser",)))
def tokenise(
    language: Annotated[
        str, typer.Argument(metavar="[LANG]", help="The language, e.g. en.", show_default=False)
    ] = "",
    input_file: _Input = None,
    output_file: _Output = None,
    given: Given = {},  # noqa: B006 - stands for declared options
    model: Annotated[
        Path | None,
        typer.Option(metavar="MODEL", help="Cut text as this model does."),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Leave out the marks that dragoman detokenise needs.")
    ] = False,
) -> None:
    """Cut text into words, a sentence a line.

    Tokens that stood together begin with ￭, so that detokenise gives the text again, byte by byte
    in Unicode NFC.

    Example: dragoman tokenise en < text.en > tokens.en
    """
    from dragoman.declared import from_mapping
    from dragoman.errors import UsageError
    from dragoman.text.marked import composed, marked_tokens, plain_tokeniser

    if model is not None:
        from dragoman.model.directory import ModelDirectory

        if language or given:
            raise UsageError("--model says which language and tokeniser; give nothing beside it")
        tokeniser = ModelDirectory.open(model).text_form().source_tokeniser
    else:
        name = from_mapping(TextConfig, given, "option").tokeniser
        tokeniser = plain_tokeniser(name, language)

    def cut(line: str) -> str:
        tokens = tokeniser.cut(composed(line)).tokens if plain else marked_tokens(tokeniser, line)
        return " ".join(tokens)

    _each_line(input_file, output_file, cut)


def detokenise(
    input_file: _Input = None,
    output_file: _Output = None,
    model: Annotated[
        Path | None,
        typer.Option(metavar="MODEL", help="Join tokens without marks as this model does."),
    ] = None,
) -> None:
    """Join tokens into text again, those of tokenise or of a model.

    Example: dragoman detokenise < tokens.en > text.en
    """
    from dragoman.text.marked import detokenise as joined

    if model is None:
        _each_line(input_file, output_file, lambda line: joined(line.split(" ") if line else []))
        return
    from dragoman.model.directory import ModelDirectory

    form = ModelDirectory.open(model).text_form()
    _each_line(input_file, output_file, lambda line: form.joined(line.split()))


def _each_line(
    input_file: Path | None, output_file: Path | None, change: Callable[[str], str]
) -> None:
    from dragoman.files import written_whole

    name = input_file if input_file is not None else "standard input"
    with ExitStack() as stack:
        try:
            source: BinaryIO = sys.stdin.buffer
            if input_file is not None:
                source = stack.enter_context(input_file.open("rb"))
            target: BinaryIO = sys.stdout.buffer
            if output_file is not None:
                place = stack.enter_context(written_whole(output_file))
                target = stack.enter_context(place.open("wb"))
        except OSError as problem:
            raise FileError.of(problem) from problem
        for number, raw in enumerate(source, 1):
            try:
                line = raw.decode("utf-8").removesuffix("\n")
                target.write(change(line).encode("utf-8") + b"\n")
            except UnicodeDecodeError as problem:
                raise InputError.at(name, number, "not UTF-8") from problem
            except InputError as problem:
                raise InputError.at(name, number, str(problem)) from problem
