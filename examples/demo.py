"""What `make demo` runs: train on the bundled phrasebook and look at the result."""

from __future__ import annotations

from pathlib import Path

import dragoman

PHRASEBOOK = Path(__file__).resolve().parent / "phrasebook"
MODEL = Path("demo-model")
SHOWN = 6


def files(part: str) -> tuple[Path, Path]:
    """Both sides of a part of the phrasebook."""
    return PHRASEBOOK / f"{part}.en", PHRASEBOOK / f"{part}.fr"


def main() -> None:
    print("Training on examples/phrasebook, English to French, into demo-model/\n")
    translator = dragoman.train(
        files("train"),
        MODEL,
        dev=files("dev"),
        test=files("test"),
        source_language="en",
        target_language="fr",
        tokeniser="whitespace",
        progress=True,
    )
    tuned = translator.directory.dev_scores()
    if tuned is not None:
        metric, before, after = tuned
        print(f"\n{metric} on the dev set: {before:.2f} before tuning, {after:.2f} after")

    sources, references = (path.read_text("utf-8").splitlines() for path in files("test"))
    translations = translator.translate_lines(sources)
    print("\nSome of the test sentences:\n")
    for index in range(0, len(sources), len(sources) // SHOWN):
        print(f"  source       {sources[index]}")
        print(f"  translation  {translations[index]}")
        print(f"  reference    {references[index]}\n")
    scores = dragoman.evaluate(translations, references, metrics=["bleu"], tokenize="none")
    print(f"On the test set: {scores}\n")

    best, second, *_ = translator.nbest(sources[0])
    print(f"The first of them scores {best.score:.3f}. The next best translation,")
    print(f"  {second}\nscores {second.score:.3f}.")
    print(
        f"\nHow the training went: open {MODEL / 'report.html'} in a browser.\n\nTry next:\n"
        "  echo 'Where is the station ?' | .venv/bin/dragoman translate demo-model\n"
        "  .venv/bin/dragoman inspect sentence demo-model 'Where is the station ?'\n"
        "  .venv/bin/dragoman inspect phrases demo-model 'the station'\n"
        "  .venv/bin/dragoman serve demo-model     then open http://127.0.0.1:8000\n"
        "  .venv/bin/dragoman train -s YOUR.en -t YOUR.fr --from en --to fr -o my-model\n"
        "  .venv/bin/dragoman --help"
    )


if __name__ == "__main__":
    main()
