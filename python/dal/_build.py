"""Networks that dalsynth has built, in a folder that all programs of a user share.

An entry is a link NAME to a folder NAME.XXXXXXXX with what dalsynth made. A new build becomes the
entry in one step, so that nobody sees half of it. Who looks or builds holds the lock with others;
who removes old entries holds it alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Callable, Iterator, List, Sequence, Tuple, TypeVar

from ._errors import Error

MOST_ENTRIES = 64
# What dalsynth and the compilers see beside the files. What the sources are, --verify tells.
_VARIABLES = (
    *("CC", "CXX", "CPPFLAGS", "CFLAGS", "CXXFLAGS", "LDFLAGS", "LD", "OBJCOPY", "PATH"),
    *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"),
    *("DAL_CFLAGS", "DAL_LIBS", "DAL_REGISTERS", "PKG_CONFIG", "PKG_CONFIG_PATH"),
)

Result = TypeVar("Result")


def program(name: str) -> str:
    """Returns the path of a program of dal: beside $DALSYNTH, or in PATH."""
    named = os.environ.get("DALSYNTH")
    if named:
        found = named if name == "dalsynth" else os.path.join(os.path.dirname(named), name)
        if name == "dalsynth" or os.access(found, os.X_OK):
            return os.path.abspath(found)
    path = shutil.which(name)
    if not path:
        raise Error(f"{name} is not in PATH" + (", and DALSYNTH is not set" if not named else ""))
    return os.path.abspath(path)


def call(name: str, arguments: Sequence[str], place: str) -> "subprocess.CompletedProcess[str]":
    """Runs a program of dal to its end, in a folder from where files are named."""
    path = program(name)
    try:
        return subprocess.run(
            [path, *arguments],
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise Error(f"{path}: {error.strerror}") from None


def ask(name: str, arguments: Sequence[str], place: str) -> str:
    """Runs a program of dal, and returns what it prints."""
    done = call(name, arguments, place)
    if done.returncode:
        raise Error(done.stderr.strip() or f"{name} ended with status {done.returncode}")
    return done.stdout


def cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base, "dal", "networks")


def machine() -> Path:
    """Returns a file that describes this machine. It is another when the machine is another."""
    text = ask("dalinfo", ["--architecture"], os.getcwd())
    folder = cache().absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"machine-{hashlib.sha256(text.encode()).hexdigest()[:20]}.xml"
    if not path.exists():
        with tempfile.NamedTemporaryFile(
            "w", dir=folder, delete=False, encoding="utf-8"
        ) as file:
            file.write(text)
        os.replace(file.name, path)
    return path


@contextlib.contextmanager
def _locked(folder: Path, how: int) -> Iterator[None]:
    with open(folder / "lock", "a") as lock:
        fcntl.flock(lock, how)
        yield


def _key(files: Sequence[str], defines: Sequence[str], place: str) -> str:
    path = os.path.realpath(program("dalsynth"))
    try:
        state = os.stat(path)
    except OSError as error:
        raise Error(f"{path}: {error.strerror}") from None
    parts = [path, str(state.st_mtime_ns), str(state.st_size)]
    parts += [f"{name}={os.environ.get(name, '')}" for name in _VARIABLES]
    parts += [place, *files, "--", *defines]
    digest = hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()
    return f"{Path(files[0]).stem}-{digest[:20]}"


def _is_as_made(entry: Path, arguments: List[str], place: str) -> bool:
    """Does dalsynth say that the entry was made from what is there now?"""
    libraries = list(entry.glob("lib*.so"))
    if not libraries:
        return False
    made = str(entry / libraries[0].stem[3:])
    return call("dalsynth", ["--verify", made, *arguments], place).returncode == 0


def _make(entry: Path, arguments: List[str], place: str) -> None:
    folder = tempfile.mkdtemp(prefix=f"{entry.name}.", dir=entry.parent)
    try:
        ask("dalsynth", ["--library", "-o", folder, *arguments], place)
        link = f"{folder}.link"
        os.symlink(os.path.basename(folder), link)
        os.replace(link, entry)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _remove_old(folder: Path) -> None:
    """Removes the oldest entries, and folders that are none any more; not while others look."""
    links = sorted(
        (path for path in folder.iterdir() if path.is_symlink()),
        key=lambda path: path.lstat().st_mtime_ns,
        reverse=True,
    )
    for link in links[MOST_ENTRIES:]:
        link.unlink()
    kept = {os.readlink(link) for link in links[:MOST_ENTRIES]}
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink() and path.name not in kept:
            shutil.rmtree(path, ignore_errors=True)


def build(
    files: Sequence[str], defines: Sequence[str], place: str, use: Callable[[Path], Result]
) -> Tuple[Result, bool]:
    """Finds or builds a network. Returns what `use` makes of its folder, and whether it was built.

    The folder may be gone when this returns.
    """
    folder = cache().absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    arguments = [*defines, *files]
    entry = folder / _key(files, defines, place)
    with _locked(folder, fcntl.LOCK_SH):
        made = not _is_as_made(entry, arguments, place)
        if made:
            _make(entry, arguments, place)
        os.utime(entry, follow_symlinks=False)
        result = use(entry.resolve())
    if made:
        with contextlib.suppress(BlockingIOError), _locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB):
            _remove_old(folder)
    return result, made
