"""What `make demo` runs: train on the bundled phrasebook and look at the result."""

from __future__ import annotations

from pathlib import Path

from dragoman import training
from dragoman.cli.summary import print_outcomes, print_scores
from dragoman.evaluation.metric import evaluate
from dragoman.evaluation.metrics import make_metric
from dragoman.progress import to_terminal
from dragoman.translation.translator import Translator

PHRASEBOOK = Path(__file__).resolve().parent / "phrasebook"
MODEL = Path("demo-model")
SHOWN = 6


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
    print_scores(MODEL)

    sources, references = (
        (PHRASEBOOK / f"test.{language}").read_text("utf-8").splitlines()
        for language in ("en", "fr")
    )
    translations = Translator.open(MODEL).translate(sources)
    print("\nSome of the test sentences:\n")
    for index in range(0, len(sources), len(sources) // SHOWN):
        print(f"  source       {sources[index]}")
        print(f"  translation  {translations[index]}")
        print(f"  reference    {references[index]}\n")
    print(evaluate(make_metric("bleu", tokenize="none"), translations, [references]))
    print(
        f"\nHow the training went: open {MODEL / 'report.html'} in a browser.\n\nTry next:\n"
        "  echo 'Where is the station ?' | .venv/bin/dragoman translate demo-model\n"
        "  .venv/bin/dragoman inspect sentence demo-model 'Where is the station ?'\n"
        "  .venv/bin/dragoman inspect phrases demo-model 'the station'\n"
        "  .venv/bin/dragoman train -s YOUR.en -t YOUR.fr --from en --to fr -o my-model\n"
        "  .venv/bin/dragoman --help"
    )


if __name__ == "__main__":
    main()
