"""Networks: how they are built, what is known of them, and arrays as a whole."""

from __future__ import annotations

import html
import json
import os
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Union
from xml.etree import ElementTree

import numpy as np

from . import _build
from ._errors import Error
from ._library import Library
from ._run import Run, setting
from ._types import File, PortInfo


def _own_mapping(network: File) -> Optional[str]:
    """Returns the mapping that a network names for itself, or None."""
    try:
        _, root = next(ElementTree.iterparse(network, ("start",)))
    except (OSError, ElementTree.ParseError, StopIteration):
        return None  # dalsynth says it
    name = root.get("mapping")
    return name and os.path.join(os.path.dirname(os.fsdecode(network)), name)


class Explanation(Dict[str, Any]):
    """What dalsynth says of a plan: a dict, which prints as its tables."""

    text = ""

    def __str__(self) -> str:
        return self.text


class Network:
    """A network with ports, built by dalsynth.

    With neither an architecture nor a mapping, it runs on the cores of this machine; a mapping
    alone is to this machine, as dalinfo describes it. Other keywords are variables of the network.
    What is built stays in a cache, and is built again when a source or a file has changed.

    >>> net = dal.Network("gain.xml", factor=3)
    >>> net(samples=np.ones(64, "float32"))["louder"][:2]
    array([3., 3.], dtype=float32)

    `dtypes` says what the elements of a port are where the network cannot, or an array's shape.
    With build=False nothing is built before it is needed, so that a network that cannot be built
    may be analyzed and drawn.

    >>> net = dal.Network("gain.xml", dtypes={"samples": ("f4", (2, 32))})
    Traceback (most recent call last):
        ...
    dal._errors.Error: port samples has tokens of 4 bytes: no whole elements of ('<f4', (2, 32))
    """

    def __init__(
        self,
        network: File,
        architecture: Optional[File] = None,
        mapping: Optional[File] = None,
        *,
        dtypes: Optional[Mapping[str, Any]] = None,
        build: bool = True,
        **variables: int,
    ):
        self._named = [os.fsdecode(network)]
        if mapping is None and architecture is not None:
            mapping = _own_mapping(network)
            if mapping is None:
                raise TypeError("an architecture wants a mapping, too")
        self._named += [os.fsdecode(file) for file in (architecture, mapping) if file is not None]
        self._place = os.getcwd()  # the files are named from here
        self._defines = [f"-D{setting(name, value)}" for name, value in sorted(variables.items())]
        self._dtypes = dict(dtypes or {})
        self._library: Optional[Library] = None
        self.built = False  # by this object, and not found in the cache
        if build:
            self.build()

    def __repr__(self) -> str:
        return f"dal.Network({', '.join(map(repr, [*self._named, *self._defines]))})"

    def __getstate__(self) -> Dict[str, Any]:
        """A copy, or a network out of a pickle, finds its library again when it needs it."""
        return {**self.__dict__, "_library": None, "built": False}

    @property
    def _files(self) -> List[str]:
        """The files for the programs of dal: a mapping alone is to this machine."""
        if len(self._named) != 2:
            return self._named
        return [self._named[0], str(_build.machine()), self._named[1]]

    def build(self) -> None:
        """Builds the network now, or finds it in the cache."""
        self._library, self.built = _build.build(
            self._files, self._defines, self._place, lambda folder: Library(folder, self._dtypes)
        )

    def _loaded(self) -> Library:
        if self._library is None:
            self.build()
        assert self._library
        return self._library

    @property
    def ports(self) -> Dict[str, PortInfo]:
        """The ports by name, in the order of the network."""
        return dict(self._loaded().ports)

    def open(
        self,
        parameters: Optional[Mapping[str, Any]] = None,
        *,
        log: Optional[Callable[[str, str], None]] = None,
        max_memory: int = 0,
        strict: bool = False,
        all_cores: bool = False,
        files: Optional[Mapping[str, File]] = None,
        **more: Any,
    ) -> Run:
        """Starts the network, and returns the run.

        `parameters` are those of processes, and so are `more`. `log` is called with the level
        ("error", "warning", "note") and the text of each message, by any thread. Channels may grow
        by `max_memory` bytes; 0 is 1 GB. With `strict`, a device that is missing is an error. With
        `all_cores`, all cores of a binding take part. `files` are of ports: those of --PORT=FILE of
        a program, and so "-" is standard input or output. Nobody calls such a port.

        >>> with net.open({"Gain.add": 5}) as run:
        ...     count = run.samples.write(np.zeros(64, "float32"))
        ...     run.louder.read(2)
        array([5., 5.], dtype=float32)
        >>> net.open(**{"Gain.add": 5}).close()
        """
        parameters = parameters or {}
        twice = sorted({*parameters} & {*more})
        if twice:
            raise TypeError(f"parameters are given twice: {', '.join(twice)}")
        given = {**parameters, **more}
        return Run(self._loaded(), given, log, max_memory, strict, all_cores, files or {})

    def __call__(
        self, parameters: Optional[Mapping[str, Any]] = None, /, **arrays: Any
    ) -> Dict[str, np.ndarray]:
        """Runs the network over whole arrays, and returns those of all outputs by name.

        Each port has a thread of its own, so no order of reads and writes can hold it up.

        >>> net({"Gain.add": 1}, samples=np.zeros(128, "float32"))["louder"].sum()
        128.0
        """
        library = self._loaded()
        inputs = [port.name for port in library.ports.values() if not port.is_output]
        for name in arrays:
            if name not in inputs:
                raise Error(f"no input {name!r}: the network has {', '.join(inputs) or 'none'}")
        for name in inputs:
            if name not in arrays:
                raise Error(f"input {name} has no array")
        tokens = {name: library.ports[name].check(array) for name, array in arrays.items()}
        with self.open(parameters) as run:
            return _move_all(run, tokens)

    def analyze(self) -> Dict[str, Any]:
        """Returns what the analysis finds: consistency, deadlock, capacities, period, latency.

        >>> net.analyze()["consistent"]
        True
        """
        arguments = ["--analyze=json", *self._defines, *self._files]
        return json.loads(_build.ask("dalsynth", arguments, self._place))

    def explain(self, dump: Optional[str] = None) -> Union["Explanation", str]:
        """Returns what runs where, and why, as a dict; or the plan as text behind a pass, as "plan".

        The dict has "network", "processes" and "channels"; printed, it is dalsynth's tables.

        >>> [(p["process"], p["firings"]) for p in net.explain()["processes"]][1]
        ('Gain', 1)
        >>> print(str(net.explain()).splitlines()[0].split(";")[0])
        network gain: 3 processes, 2 channels
        >>> net.explain("plan").splitlines()[0]
        'plan gain'
        """
        if dump is None:
            arguments = ["--check", "--explain=json", *self._defines, *self._files]
            found = Explanation(json.loads(_build.ask("dalsynth", arguments, self._place)))
            found.text = found.pop("text")
            return found
        arguments = ["check", f"--dump={dump}", *self._defines, *self._files]
        return _build.ask("dal", arguments, self._place)

    def picture(self, ending: str = ".svg", fold: Optional[str] = None) -> str:
        """Returns a picture (".svg", by Graphviz), a page (".html") or data (".json").

        Parts whose names fit `fold` are drawn as one box each; "*" fits all.
        """
        with tempfile.TemporaryDirectory(prefix="dal-") as folder:
            file = Path(folder, f"network{ending}")
            folds = [] if fold is None else [f"--fold={fold}"]
            arguments = ["-o", str(file), *folds, *self._defines, *self._files]
            # What is wrong is drawn, too, with a status.
            done = _build.call("dalview", arguments, self._place)
            if not file.exists():
                raise Error(done.stderr.strip() or "dalview draws nothing")
            return file.read_text()

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.picture(".svg")
        except Error:
            return None

    def _repr_html_(self) -> Optional[str]:
        if shutil.which("dot"):
            return None
        page = html.escape(self.picture(".html"))
        return f'<iframe srcdoc="{page}" width="100%" height="480" style="border:0"></iframe>'


def _move_all(run: Run, arrays: Mapping[str, np.ndarray]) -> Dict[str, np.ndarray]:
    """Writes and reads all ports at once, each to its end."""
    results: Dict[str, np.ndarray] = {}
    failures: List[BaseException] = []

    def write(name: str) -> None:
        run.ports[name].write(arrays[name])  # type: ignore[union-attr]
        run.ports[name].end()

    def read(name: str) -> None:
        results[name] = run.ports[name].read()  # type: ignore[union-attr]

    def guarded(move: Callable[[str], None], name: str) -> None:
        try:
            move(name)
        except BaseException as error:
            failures.append(error)
            run.abort()

    threads = [
        threading.Thread(target=guarded, args=(write if name in arrays else read, name))
        for name in run.ports
    ]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException:  # Ctrl-C
        run.abort()
        for thread in threads:
            if thread.ident:
                thread.join()
        raise
    if failures:
        raise failures[0]
    return {name: results[name] for name in run.ports if name in results}
