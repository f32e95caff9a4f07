"""What `make demo` runs: train on the bundled phrasebook and look at the result."""

from __future__ import annotations

import shutil
from pathlib import Path

from dragoman import training
from dragoman.cli.summary import print_outcomes
from dragoman.progress import to_terminal

PHRASEBOOK = Path(__file__).resolve().parent / "phrasebook"
MODEL = Path("demo-model")


def main() -> None:
    print("Training on examples/phrasebook, English to French, into demo-model/\n")
    outcomes = training.train(
        PHRASEBOOK / "train.en",
        PHRASEBOOK / "train.fr",
        MODEL,
        dev=(PHRASEBOOK / "dev.en", PHRASEBOOK / "dev.fr"),
        test=(PHRASEBOOK / "test.en", PHRASEBOOK / "test.fr"),
        source_language="en",
        target_language="fr",
        tokeniser="whitespace",
        progress=to_terminal(),
    )
    print_outcomes(outcomes, dry_run=False, as_json=False)

    bitext = training.open_bitext(MODEL)
    width = shutil.get_terminal_size().columns
    print(f"\n{len(bitext):,} sentence pairs to learn from; the first five:")
    for index in range(5):
        print(f"  {bitext.source_text(index)}  =  {bitext.target_text(index)}"[:width])
    print(
        "\nTry next:\n"
        "  .venv/bin/dragoman corpus show demo-model --first 100\n"
        "  .venv/bin/dragoman train -s YOUR.en -t YOUR.fr --from en --to fr -o my-model\n"
        "  .venv/bin/dragoman --help"
    )


if __name__ == "__main__":
    main()
