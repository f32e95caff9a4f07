"""The model directory as one object: what it is, what it can do, where its files are.

Everything in it is written under a temporary name and renamed when whole, so what bears its
proper name is complete. Nobody else reads ``model.toml`` or puts paths together.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dragoman import arguments, layout
from dragoman.declared import Options, declared, from_mapping
from dragoman.errors import DragomanError, FileError, InputError, ModelError
from dragoman.file_lock import FileLock
from dragoman.files import is_leftover, read_json, sealed, sha256, written_whole
from dragoman.model.files import ModelFiles
from dragoman.model.manifest import Manifest
from dragoman.model.shape import Kind, Shape
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm, form_files

if TYPE_CHECKING:
    from dragoman.rules.table import PhraseTable

Group = TypeVar("Group", bound=Options)

PACK_ENDING = ".dragoman"


class ModelDirectory:
    """A model directory, existing or to be made; the manifest is read once."""

    def __init__(self, path: str | Path) -> None:
        """`path` may be a pack: then the directory is the one that it is unpacked to."""
        self.given = arguments.path(path, "model")
        self._manifest: Manifest | None = None

    @classmethod
    def of(cls, model: str | Path | ModelDirectory) -> ModelDirectory:
        """The directory at a path; one that is open already stays what it is."""
        return model if isinstance(model, ModelDirectory) else cls(model)

    @classmethod
    def open(cls, model: str | Path | ModelDirectory) -> ModelDirectory:
        """A directory that holds a model; raises ModelError when there is none."""
        directory = cls.of(model)
        if not directory.exists():
            where = directory.file(layout.MANIFEST) if directory.path.is_dir() else directory
            raise ModelError(f"{where}: no model there; make one with 'dragoman train'")
        return directory

    def __str__(self) -> str:
        return str(self.given)

    def __repr__(self) -> str:
        return f"ModelDirectory({str(self.given)!r})"

    @cached_property
    def path(self) -> Path:
        """The directory itself."""
        if not self.given.is_file():
            return self.given
        from dragoman.model.pack import is_pack, unpacked

        return unpacked(self.given) if is_pack(self.given) else self.given

    @property
    def name(self) -> str:
        """What people call it: the name of its directory, or of its pack without the ending."""
        name = self.given.resolve().name
        return name if self.given.is_dir() else name.removesuffix(PACK_ENDING)

    @property
    def packed(self) -> bool:
        """Whether it came out of a pack: it translates, and has not what training needs."""
        return self.has(layout.PACK)

    @property
    def corrections_file(self) -> Path:
        """Where what users have taught is kept: in the directory, or beside the pack."""
        if self.path == self.given:
            return self.file(layout.CORRECTIONS)
        return self.given.with_name(f"{self.given.name}.{layout.CORRECTIONS}")

    def require_whole(self, what: str) -> None:
        """Raise ModelError unless the model has what it was trained from."""
        if self.packed:
            raise ModelError(
                f"{self}: is packed for translating; {what} needs the directory that it was "
                "packed from"
            )

    # What it is.

    @property
    def manifest(self) -> Manifest:
        """What has made it; an empty one when nothing has run here."""
        if self._manifest is None:
            self._manifest = Manifest.read(self.file(layout.MANIFEST))
        return self._manifest

    @property
    def shape(self) -> Shape:
        """What kind of model it is."""
        kind = self._kind()
        return Shape(
            kind,
            preordered=self._preordered(),
            bilingual=kind == "phrase" and self._made(layout.BILINGUAL_MODEL, layout.PHRASES),
            classes=self._made(layout.CLASS_MODEL, layout.LANGUAGE_MODEL),
            context=kind == "phrase"
            and "context" in self.manifest.stages
            and self.has(layout.CONTEXT_LEXICON),
            language_models=tuple(
                path.relative_to(self.path).as_posix() for path in self.language_models()
            ),
            search=self.has(layout.SEARCH),
            members=self._members(),
            unknown="unknown" in self.manifest.stages and self.has(*layout.UNKNOWN_FILES),
        )

    def _kind(self) -> Kind:
        stages = self.manifest.stages.values()
        if any(layout.PHRASES in record.outputs for record in stages):
            return "phrase"
        if any(layout.HIERO in record.outputs for record in stages):
            return "hiero"
        return "hiero" if self.has(layout.HIERO) and not self.has(layout.PHRASES) else "phrase"

    def _members(self) -> tuple[str, ...]:
        """Where its members are; a training without them since has forgotten them."""
        record = self.manifest.stages.get("consensus")
        names = record.parameters.get("members", ()) if record is not None else ()
        return tuple(layout.member_directory(str(name)) for name in names)

    def _made(self, name: str, beside: str) -> bool:
        """Whether it has a file that its training may make beside another one. It may be left of
        a training with it, before one without."""
        stages = self.manifest.stages.values()
        recorded = any(beside in record.outputs for record in stages)
        made = any(name in record.outputs for record in stages)
        return self.has(name) and (made or not recorded)

    def _preordered(self) -> bool:
        """It may have been trained with preordering once, and without it since."""
        ordered = self.manifest.stages.get("preorder")
        rules = self.manifest.stages.get("rules")
        if ordered is None or rules is None:
            return False
        return rules.inputs.get("bitext") == ordered.outputs.get(layout.PREORDERED_BITEXT)

    @property
    def orders_along_trees(self) -> bool:
        """Whether it puts words in order along trees of the sentences."""
        return self.shape.preordered and self.has(layout.CLASSIFIER)

    @property
    def members(self) -> tuple[ModelDirectory, ...]:
        """The models that it agrees with when it translates; none for most models."""
        return tuple(ModelDirectory(self.file(name)) for name in self.shape.members)

    @property
    def learnt_from_everything(self) -> bool:
        """Whether it was trained on all pairs, with the weights of a model that was not."""
        record = self.manifest.stages.get("tune")
        kept = record is not None and record.parameters.get("method") == "kept"
        return kept and self.has(f"{layout.TUNED_MODEL}/{layout.MANIFEST}")

    @property
    def dev_set_given(self) -> bool:
        """Whether it was tuned on a dev set that the user gave, not on pairs set aside."""
        record = self.manifest.stages.get("prepare")
        return record is not None and any(name.startswith("dev ") for name in record.inputs)

    @property
    def parser(self) -> str:
        """The spaCy pipeline that parses what a preordered model translates; may be empty."""
        record = self.manifest.stages.get("preorder")
        return str(record.parameters.get("parser", "")) if record is not None else ""

    @property
    def text(self) -> TextConfig | None:
        """How its text is written; None when it takes tokens only, as imported models do."""
        found = self.recorded("prepare", TextConfig)
        if found is None and "import-moses" in self.manifest.stages:
            said = self.manifest.stages["import-moses"].parameters.get("text")
            where = f"{self.path / layout.MANIFEST}: import-moses"
            return from_mapping(TextConfig, said, where) if said else None
        if found is None or "source_tokeniser" in self.manifest.stages["prepare"].parameters:
            return found
        # Made by Dragoman 0.1, which knew one tokeniser for both sides and truecased for one.
        found = replace(found, item_kinds=False)
        if found.truecase != "auto":
            return found
        return replace(found, truecase="yes" if found.tokeniser == "moses" else "no")

    @property
    def languages(self) -> tuple[str, str]:
        """Codes of the source and the target language; empty when they were not given."""
        text = self.text
        return (text.source_language, text.target_language) if text is not None else ("", "")

    def text_form(self) -> TextForm:
        """How text becomes tokens and tokens become text."""
        text = self.text
        if text is None:
            imported = "import-moses" in self.manifest.stages
            return TextForm.nobody_said() if imported else TextForm.tokenised()
        return TextForm(text, {name: self.sound_file(name) for name in form_files(text)})

    def recorded(self, stage: str, group: type[Group]) -> Group | None:
        """The options of a group that a stage ran with; None when it has not run."""
        record = self.manifest.stages.get(stage)
        if record is None:
            return None
        names = {one.name for one in declared(group)}
        own = {key: value for key, value in record.parameters.items() if key in names}
        return from_mapping(group, own, f"{self.path / layout.MANIFEST}: {stage}")

    # Its files.

    def file(self, name: str) -> Path:
        """Where a file of dragoman.layout lies."""
        return self.path / name

    def sound_file(self, name: str) -> Path:
        """Where a small file lies that is as its stage has left it. Large ones are binary and
        carry checksums of their own."""
        path, recorded = self.file(name), self.manifest.digest(name)
        if recorded is not None and sha256(path) != recorded:
            raise ModelError(
                f"{path}: damaged: its checksum is not the one in {layout.MANIFEST}; restore the "
                "file, or train again"
                + (" (other weights are given with --weights)" if name == layout.WEIGHTS else "")
            )
        return path

    def has(self, *names: str) -> bool:
        """Whether all these files are there."""
        return all(self.file(name).is_file() for name in names)

    def table_in_use(self) -> str:
        """The name of the table to translate with: the sorted one, when it was made from the
        phrase table and the weights that are there."""
        shape = self.shape
        record = self.manifest.stages.get("resort")
        if shape.hierarchical or record is None:
            return shape.table
        fresh = all(self.manifest.digest(name) == digest for name, digest in record.inputs.items())
        return layout.SORTED_PHRASES if fresh else shape.table

    def model_files(self, *, full_table: bool = False) -> ModelFiles:
        """What a search needs; `full_table`: with the table before sorting and thinning out."""
        if not self.path.is_dir():
            raise ModelError(f"{self.path}: no model there; make one with 'dragoman train'")
        shape = self.shape
        table = shape.table if full_table else self.table_in_use()
        what = "table of rules" if shape.hierarchical else "phrase table"
        for kind, name in (
            (what, table),
            ("source vocabulary", layout.SOURCE_VOCABULARY),
            ("target vocabulary", layout.TARGET_VOCABULARY),
        ):
            if not self.has(name):
                if full_table:
                    self.require_whole("translating with other weights")
                raise ModelError(
                    f"{self.file(name)}: the model has no {kind}; its training has not been "
                    "finished, or the file is gone"
                )
        self._require_written(table)
        weights = self.sound_file(layout.WEIGHTS) if self.has(layout.WEIGHTS) else None
        if shape.unknown:
            self.sound_file(layout.UNKNOWN_SOURCES)
        return ModelFiles.of(shape.search_files(table), self.file, weights)

    def _require_written(self, table: str) -> None:
        """Raise ModelError where a file is gone that a stage has written: without weights or
        options of its own, a model would translate all the same, and otherwise."""
        tables = {layout.PHRASES, layout.HIERO, layout.SORTED_PHRASES} - {table}
        # A consensus asks for its own files itself; a model alone does without.
        spared = {layout.CONSENSUS, layout.NETWORK, *tables, *layout.TRAINING_ONLY}
        written = [name for one in self.manifest.stages.values() for name in one.outputs]
        if not self.exists() and self.has(layout.WRITING):
            written = [layout.MANIFEST]
        for name in written:
            if name not in layout.TOLD_ONLY | spared and not self.has(name):
                raise ModelError(
                    f"{self.file(name)}: is gone, though training has written it; restore the "
                    "file, or train again"
                )

    def language_models(self) -> tuple[Path, ...]:
        """The language models of the target language, in the order of their features."""
        first = [self.file(layout.LANGUAGE_MODEL)] if self.has(layout.LANGUAGE_MODEL) else []
        return (*first, *sorted(self.path.glob(layout.EXTRA_LANGUAGE_MODELS)))

    def phrase_table(self) -> PhraseTable:
        """The whole table of phrases, or of rules, to look things up in."""
        from dragoman.rules.table import PhraseTable

        # A pack has only what is left of it under the model's own weights.
        files = self.model_files(full_table=not self.packed)
        return PhraseTable.open(files.table, files.source_vocabulary, files.target_vocabulary)

    def sizes(self) -> dict[str, int]:
        """The bytes of each file, by name."""
        found = {path.relative_to(self.path): path for path in sorted(self.path.rglob("*"))}
        return {
            name.as_posix(): path.stat().st_size
            for name, path in found.items()
            if path.is_file() and not any(part.startswith(".") for part in name.parts)
        }

    def story(self, name: str) -> Any:
        """What a JSON file says, such as the report on the corpus; None when it is not there."""
        try:
            return read_json(self.file(name))
        except DragomanError:
            return None  # training of this model has not got that far

    def dev_scores(self) -> tuple[str, float, float] | None:
        """Metric, and the dev score before and after tuning; None when nothing was tuned."""
        history = self.story(layout.TUNING_HISTORY)
        rounds = [entry["score"] for entry in history["iterations"]] if history else []
        return (history["metric"], rounds[0], history["score"]) if rounds else None

    def test_results(self) -> dict[str, Any]:
        """Scores of the test set, signatures and the share of unknown words, as the manifest has
        them; empty when nothing was tested."""
        record = self.manifest.stages.get("test")
        return dict(record.results) if record is not None else {}

    # Making and changing it.

    def exists(self) -> bool:
        """Whether there is a model here."""
        return self.file(layout.MANIFEST).exists()

    @contextmanager
    def created(self) -> Iterator[None]:
        """The directory is there; one with other people's files in it is refused.

        After an error, one that was made here and holds nothing yet goes again, and after an
        error in what the user gave also what was begun with it.
        """
        if self.path != self.given:
            self.require_whole("writing to a model")
        existed = self.path.exists()
        try:
            self._create()
            self.file(layout.PACK).unlink(missing_ok=True)  # a training makes it whole
            yield
        except DragomanError as problem:
            if not existed and not self._holds_files(begun=not isinstance(problem, InputError)):
                shutil.rmtree(self.path, ignore_errors=True)
            raise

    def _holds_files(self, *, begun: bool) -> bool:
        """Whether anything was written here; `begun`: finished or not."""
        ours = {layout.LOCK} if begun else {layout.LOCK, layout.STAGING}
        files = (path.relative_to(self.path) for path in self.path.rglob("*") if path.is_file())
        return any(path.parts[0] not in ours for path in files)

    def _create(self) -> None:
        known = (layout.STAGING, layout.LOCK, layout.TUNED_MODEL)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            names = [item.name for item in self.path.iterdir()]
            # What a run that was killed has left is ours.
            strangers = [n for n in names if n not in known and not is_leftover(n)]
        except FileExistsError as problem:
            raise ModelError(
                f"{self.path}: is a file, and a model is a directory; give another name"
            ) from problem
        except OSError as problem:
            raise FileError.of(problem, self.path) from problem
        if strangers and not self.exists():
            raise ModelError(
                f"{self.path}: holds other files ({sorted(strangers)[0]}, ...) and no model; "
                "give an empty or a new directory"
            )

    def staging(self, stage: str) -> Path:
        """Where `stage` puts what is not finished."""
        return self.path / layout.STAGING / stage

    def write_manifest(self, manifest: Manifest) -> None:
        """Say anew what has made it."""
        with written_whole(self.file(layout.MANIFEST)) as temporary:
            temporary.write_text(sealed(manifest.to_toml()), "utf-8")
        self._manifest = manifest

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep a second process from writing here at the same time."""
        try:
            lock = FileLock(self.path / layout.LOCK)
        except BlockingIOError as problem:
            raise DragomanError(
                f"{self.path}: another dragoman process is writing to this model"
            ) from problem
        except OSError as problem:
            raise FileError.of(problem, self.path) from problem
        with lock:
            self._manifest = None  # somebody else may have written since
            self._remove_leftovers()
            yield

    def _remove_leftovers(self) -> None:
        """Files that a run which was killed did not get to finish; nobody else is writing."""
        for place in (self.path, *(path for path in self.path.iterdir() if path.is_dir())):
            for path in place.iterdir():
                if path.is_file() and is_leftover(path.name):
                    path.unlink(missing_ok=True)
