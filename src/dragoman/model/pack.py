"""A model as one file: what translating needs, packed, with checksums.

A pack is a ZIP archive that begins with a list of its files, their sizes and SHA-256. It holds
data only, nothing that could be executed. It is unpacked when it is first opened, into a cache
under a name made from its content, and mapped into memory from there; so a pack is checked once,
and opened from then on as fast as a directory.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman import layout
from dragoman.archives import Archive, open_archive
from dragoman.errors import DragomanError, FileError, InputError, ModelError, UsageError
from dragoman.files import parse_toml, require_place, sealed, sha256, written_whole
from dragoman.progress import SILENT, Progress

if TYPE_CHECKING:
    from dragoman.model.directory import ModelDirectory

FORMAT_VERSION = 1
_LIST_BYTES = 1 << 20
# Tables shrink to a third or a tenth; what grows more than this is no model.
_MOST_GROWTH = 300
_NAME = re.compile(
    r"(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9._-]{0,99}(?:/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}){0,4}"
)
_DATE = (1980, 1, 1, 0, 0, 0)  # the same model gives the same bytes


@dataclass(frozen=True)
class Packed:
    """What went into a pack, and what did not."""

    kept: Mapping[str, int]  # names and bytes
    left_out: Mapping[str, int]
    bytes: int  # of the pack


def pack(
    model: str | Path | ModelDirectory, output: str | Path, *, progress: Progress = SILENT
) -> Packed:
    """Write what translating with a model needs to one file."""
    from dragoman.model.directory import ModelDirectory

    directory = ModelDirectory.open(model)
    directory.model_files()  # a model that cannot translate is not packed
    if directory.packed:
        raise ModelError(f"{directory}: is packed already; copy the file, or pack a whole model")
    place = Path(output)
    require_place(place)
    kept, left_out = _sorted_out(directory)
    files = {
        name: {"size": size, "sha256": sha256(directory.file(name))} for name, size in kept.items()
    }
    with written_whole(place) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        archive.writestr(zipfile.ZipInfo(layout.PACK, _DATE), _listed(files, left_out))
        with progress.task("packing", total=sum(kept.values()), unit="bytes") as task:
            for name in kept:
                info = zipfile.ZipInfo(name, _DATE)
                info.compress_type = zipfile.ZIP_DEFLATED
                with (
                    directory.file(name).open("rb") as source,
                    archive.open(info, "w", force_zip64=True) as member,
                ):
                    while piece := source.read(1 << 20):
                        member.write(piece)
                        task.advance(len(piece))
    return Packed(kept, left_out, place.stat().st_size)


def unpack(path: str | Path, output: str | Path, *, progress: Progress = SILENT) -> None:
    """Make a model directory of a pack; it translates, and cannot be tuned or trained further."""
    place = Path(output)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise UsageError(f"{place}: is there already; give a new directory")
    if not is_pack(Path(path)):
        raise ModelError(f"{path}: no pack of a model ('dragoman pack' makes one)")
    place.parent.mkdir(parents=True, exist_ok=True)
    _unpack_to(Path(path), place, progress)


def is_pack(path: Path) -> bool:
    """Whether a file begins like a pack."""
    name = layout.PACK.encode()
    try:
        with path.open("rb") as file:
            begin = file.read(30 + len(name))
    except OSError:
        return False
    return begin.startswith(b"PK\3\4") and begin.endswith(name)


def unpacked(path: Path) -> Path:
    """The directory of a pack in the cache, made if it is not there."""
    with open_archive(path, "pack of a model") as archive:
        listed = archive.read(layout.PACK, _LIST_BYTES)
    place = _cache() / hashlib.sha256(listed).hexdigest()
    if not (place / layout.MANIFEST).is_file():
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise FileError(
                f"{place.parent}: packs are unpacked there, but {problem.strerror}; set "
                "DRAGOMAN_CACHE to another place"
            ) from problem
        # Whoever tidies up caches may have begun with this one.
        shutil.rmtree(place, ignore_errors=True)
        _unpack_to(path, place, SILENT)
    return place


def _cache() -> Path:
    said = os.environ.get("DRAGOMAN_CACHE")
    if said:
        return Path(said)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(base) / "dragoman" / "packs"


def _sorted_out(directory: ModelDirectory) -> tuple[dict[str, int], dict[str, int]]:
    """The files of a model, its members' included, that translating needs, and the others."""
    from dragoman.model.directory import ModelDirectory

    kept: dict[str, int] = {}
    left_out: dict[str, int] = {}
    tables = {"": directory.table_in_use()}
    tables |= {
        f"{name}/": ModelDirectory(directory.file(name)).table_in_use()
        for name in directory.shape.members
    }
    for name, size in directory.sizes().items():
        within = next((one for one in tables if one and name.startswith(one)), "")
        own = name.removeprefix(within)
        stranger = not within and name.startswith(f"{layout.MEMBERS}/")
        unused = own == layout.PHRASES != tables[within]
        out = stranger or unused or own in layout.TRAINING_ONLY
        # As of a member: a training without a network has forgotten it.
        out = out or (name == layout.NETWORK and "neural" not in directory.manifest.stages)
        out = out or own.split("/")[0] in (layout.SWEEP, layout.TUNED_MODEL, layout.CLUSTER_REPORT)
        (left_out if out else kept)[name] = size
    return kept, left_out


def _listed(files: Mapping[str, Any], left_out: Mapping[str, int]) -> str:
    import tomli_w

    content = {"format": FORMAT_VERSION, "left_out": sorted(left_out), "files": files}
    return sealed(tomli_w.dumps(content))


def _unpack_to(path: Path, place: Path, progress: Progress) -> None:
    """Unpack beside a place and rename, so that what is there is whole."""
    temporary = Path(tempfile.mkdtemp(prefix=f".{place.name[:40]}.", dir=place.parent))
    try:
        with open_archive(path, "pack of a model") as archive:
            files = _checked_list(archive)
            _check_sizes(archive, files, place.parent)
            total = sum(size for size, _ in files.values())
            with progress.task("unpacking", total=total, unit="bytes") as task:
                for name, (size, digest) in files.items():
                    _extract(archive, name, size, digest, temporary / name)
                    task.advance(size)
            (temporary / layout.PACK).write_bytes(archive.read(layout.PACK, _LIST_BYTES))
        temporary.chmod(0o755)
        try:
            temporary.replace(place)
        except OSError:
            if not (place / layout.MANIFEST).is_file():  # else somebody was quicker
                raise
    except InputError as problem:
        raise ModelError(str(problem)) from problem
    except OSError as problem:
        raise FileError.of(problem, place) from problem
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _checked_list(archive: Archive) -> dict[str, tuple[int, str]]:
    """Names, sizes and checksums of the files in a pack; none may lie elsewhere than in it."""
    content = parse_toml(archive.read(layout.PACK, _LIST_BYTES), archive.path)
    version = content.get("format")
    if version != FORMAT_VERSION:
        raise ModelError(
            f"{archive.path}: pack format version {version}, but this Dragoman reads version "
            f"{FORMAT_VERSION}; pack the model again"
        )
    try:
        files = {
            str(name): (int(entry["size"]), str(entry["sha256"]))
            for name, entry in content["files"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise archive.damaged(f"its list of files: {problem!r}") from problem
    for name in files:
        if not _NAME.fullmatch(name) or name == layout.PACK:
            raise archive.damaged(f"{name[:100]!r} is no name of a file of a model")
        if name not in archive.names:
            raise archive.damaged(f"{name} is listed and not in it")
    if layout.MANIFEST not in files:
        raise archive.damaged(f"there is no {layout.MANIFEST} in it")
    return files


def _check_sizes(archive: Archive, files: Mapping[str, tuple[int, str]], place: Path) -> None:
    total = sum(size for size, _ in files.values())
    packed = archive.path.stat().st_size
    if any(size < 0 for size, _ in files.values()) or total > _MOST_GROWTH * packed:
        raise archive.damaged(f"{packed:,} bytes that would unpack to {total:,}")
    free = shutil.disk_usage(place).free
    if total > free:
        raise DragomanError(
            f"{archive.path}: unpacks to {total:,} bytes, and {place} has room for {free:,}; set "
            "DRAGOMAN_CACHE to another place"
        )


def _extract(archive: Archive, name: str, size: int, digest: str, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    hashed, written = hashlib.sha256(), 0
    with place.open("wb") as file:
        for piece in archive.pieces(name, size):
            hashed.update(piece)
            written += len(piece)
            file.write(piece)
    if written != size or hashed.hexdigest() != digest:
        raise archive.damaged(f"{name} does not match its checksum; get the pack again")
