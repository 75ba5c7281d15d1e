"""A network that runs, and its ports.

Calls that wait do so in slices, so that Ctrl-C gets through in the main thread.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import ctypes
import json
import math
import operator
import os
import sys
import threading
import time
import warnings
import weakref
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Union

import numpy as np

from ._errors import Error, SmallCallsWarning
from ._library import FOREVER, LOG, Library, Options
from ._types import File, PortInfo

_SLICE_NS = 100_000_000
_PIECE_BYTES = 1 << 20  # of a read to the end
_SMALL_BYTES = 4096  # a call that moves fewer costs more than its bytes
_SMALL_CALLS, _SMALL_S = 10_000, 2.0  # so many in such a time are a loop that wants larger ones
_EXIT_S = 10.0  # that an exit waits for runs that are being freed


class Port:
    """A port of a run. One thread at a time uses it; others wait."""

    def __init__(self, run: "Run", info: PortInfo):
        self.info = info
        self._run = run
        self._library = run._library
        self._make_locks()
        self._small_left, self._small_since = _SMALL_CALLS, 0.0

    def _make_locks(self) -> None:
        self._lock = threading.Lock()
        self._has_window = False
        self._no_window = threading.Condition(self._lock)

    def __repr__(self) -> str:
        return f"<{self.info!r}>"

    @property
    def is_over(self) -> bool:
        """Does nothing more come, or go?"""
        with self._lock:
            return bool(self._library.is_over(self._handle(), self.info.number))

    def fileno(self) -> int:
        """Returns a descriptor for select, selectors and asyncio, which the run closes.

        It is readable when a token can be moved, at an input too; at the end; and after an error.
        It may be so once in vain.

        >>> import select
        >>> with net.open() as run:
        ...     readable, _, _ = select.select([run.samples], [], [])
        ...     readable == [run.samples]
        True
        """
        with self._lock:
            return self._check(self._library.fd(self._handle(), self.info.number))

    def end(self) -> None:
        """Ends the port. At an input the stream ends; at an output nobody reads any more."""
        with self._lock:
            self._check(self._library.end(self._handle(), self.info.number))

    def window(self, most: Optional[int] = None, timeout: Optional[float] = None) -> "Window":
        """Returns a window of the channel, to be used by `with`: an array without a copy."""
        return Window(self, most, timeout)

    def _handle(self) -> ctypes.c_void_p:
        """Returns the run's handle for a call; with the lock."""
        handle = self._run._handle
        if handle is None:
            raise Error("the run is closed")
        if self._has_window:
            raise Error(f"port {self.info.name} has a window that is open")
        return handle

    def _check(self, result: int) -> int:
        if result < 0:
            raise Error(self._run._message())
        return result

    def _move(
        self,
        call: Callable[..., int],
        tokens: np.ndarray,
        timeout: Optional[float],
        to_end: bool = False,
    ) -> int:
        """Writes or reads tokens until all are through, the time is over, or the port is.

        To the end, the error of a network that has failed is raised behind tokens, too.
        """
        with self._lock:
            handle, number = self._handle(), self.info.number
            address, count, done = tokens.__array_interface__["data"][0], len(tokens), 0
            for wait_ns in _slices(timeout):
                at = address + done * self.info.token_bytes
                done += self._check(call(handle, number, at, count - done, wait_ns))
                if done == count:
                    break
                if self._library.is_over(handle, number):
                    if to_end:
                        self._check(call(handle, number, at, 0, 0))
                    break
            self._note_call(done)
            return done

    def _note_call(self, tokens: int) -> None:
        """Warns once of a loop that moves few bytes a call, as fast as it can."""
        if not self._small_left or not 0 < tokens * self.info.token_bytes < _SMALL_BYTES:
            return
        if self._small_left == _SMALL_CALLS:
            self._small_since = time.monotonic()
        self._small_left -= 1
        if self._small_left:
            return
        if time.monotonic() - self._small_since >= _SMALL_S:
            self._small_left = _SMALL_CALLS
            return
        most = max(1, 16 * _SMALL_BYTES // self.info.token_bytes)
        warnings.warn(
            f"port {self.info.name}: {_SMALL_CALLS} calls moved few tokens each; "
            f"{most} at once are faster by far",
            SmallCallsWarning,
            stacklevel=_level_outside(),
        )


class Input(Port):
    """A port that is written."""

    def write(self, tokens: Any, timeout: Optional[float] = None) -> int:
        """Writes an array, and returns how many tokens went in.

        Waits until all have, or for so many seconds. Fewer is a timeout, or nobody reads any more
        (`is_over`); none is dropped. A list is converted, an array must have the type of the
        port.

        >>> with net.open() as run:
        ...     run.samples.write(np.zeros((2, 64), "float32"))
        Traceback (most recent call last):
            ...
        ValueError: port samples has arrays of shape (N,), not (2, 64)
        """
        return self._move(self._library.write, self.info.check(tokens), timeout)


class Output(Port):
    """A port that is read. Iteration gives arrays of what is there, until the end."""

    def read(
        self,
        count: Optional[int] = None,
        timeout: Optional[float] = None,
        out: Optional[np.ndarray] = None,
    ) -> np.ndarray:
        """Reads so many tokens; without a count, all until the end.

        Waits for them, or for so many seconds. Fewer is a timeout, or the end (`is_over`).
        With `out`, an array of the port's type, tokens are read into that, and its part with
        tokens is returned.

        >>> with net.open() as run:
        ...     run.louder.read(4, timeout=0.01)
        array([], dtype=float32)
        """
        if out is not None:
            self.info.check(out)
            flags = out.flags if isinstance(out, np.ndarray) else None
            if flags is None or not (flags.c_contiguous and flags.writeable):
                raise ValueError(f"port {self.info.name}: out is not one piece that can be written")
            if count is not None and not 0 <= (count := operator.index(count)) <= len(out):
                raise ValueError(
                    f"port {self.info.name}: out has room for {len(out)} tokens, not {count}"
                )
            tokens = out if count is None else out[:count]
        elif count is None:
            return self._read_all(timeout)
        else:
            tokens = self.info.empty(count)
        return tokens[: self._move(self._library.read, tokens, timeout)]

    def blocks(self, count: int) -> Iterator[np.ndarray]:
        """Iterates over arrays of so many tokens, the last of which may have fewer.

        >>> with net.open() as run:
        ...     count = run.samples.write(np.ones(192, "float32"))
        ...     run.samples.end()
        ...     [len(block) for block in run.louder.blocks(100)]
        [100, 92]
        """
        while len(block := self.read(count)):
            yield block

    def __iter__(self) -> Iterator[np.ndarray]:
        while True:
            with self.window() as window:
                block = window.copy()
            if not len(block):
                return
            yield block

    def _read_all(self, timeout: Optional[float]) -> np.ndarray:
        until = None if timeout is None else time.monotonic() + timeout
        piece = max(1, _PIECE_BYTES // self.info.token_bytes)
        blocks: List[np.ndarray] = [self.info.empty(0)]
        while len(blocks) == 1 or len(blocks[-1]) == piece:
            tokens = self.info.empty(piece)
            left = None if until is None else until - time.monotonic()
            blocks.append(tokens[: self._move(self._library.read, tokens, left, to_end=True)])
        return np.concatenate(blocks)


class Window:
    """A part of a channel, without a copy. `with` gives the array, or an empty one as read() does.

    At the end of the block all of it counts as written or read, or as much as `used` says; nothing
    does after an exception. The array is empty then: copy what is to stay. Parts of it, as
    `tokens[1:]`, lie in the channel still, and must not be used any more.

    >>> with net.open() as run:
    ...     with run.samples.window(most=64) as space:
    ...         space[:] = 1
    ...     with run.louder.window() as tokens:
    ...         float(tokens.sum())
    128.0
    """

    def __init__(self, port: Port, most: Optional[int], timeout: Optional[float]):
        if most is not None and (most := operator.index(most)) < 0:
            raise ValueError(f"port {port.info.name}: a window has no {most} tokens at most")
        self.used: Optional[int] = None
        self._port = port
        self._most = most
        self._timeout = timeout
        self._count = 0
        self._handle: Optional[ctypes.c_void_p] = None  # while it is open
        self._array: Optional[np.ndarray] = None

    def __enter__(self) -> np.ndarray:
        port = self._port
        with port._lock:
            handle = port._handle()
            at = ctypes.c_void_p()
            for wait_ns in _slices(self._timeout):
                where = ctypes.byref(at)
                count = port._check(port._library.window(handle, port.info.number, where, wait_ns))
                if count or port._library.is_over(handle, port.info.number):
                    break
            self._count = count if self._most is None else min(count, self._most)
            port._has_window = count > 0
            self._handle = handle if count else None
            self._array = self._view(at.value) if self._count else port.info.empty(0)
        return self._array

    def __exit__(self, kind: Any, *_: Any) -> None:
        port, array, self._array = self._port, self._array, None
        handle, self._handle = self._handle, None
        if handle is None or not port._has_window:  # or it is that of a run before a fork
            return
        with port._lock:  # who has it sees by the array whether a window is open
            if array is not None:  # it refers to the channel no more, whoever has it
                array.__setstate__((1, (0, *port.info.shape), array.dtype, False, b""))
            port._has_window = False
            used = 0 if kind else self._count if self.used is None else self.used
            result = port._library.advance(handle, port.info.number, used)
            port._no_window.notify_all()
        if not kind:
            port._check(result)

    def _view(self, address: Optional[int]) -> np.ndarray:
        info = self._port.info
        memory = (ctypes.c_char * (self._count * info.token_bytes)).from_address(address or 0)
        self._port._run._memories[id(memory)] = memory
        memory._run = self._port._run  # type: ignore[attr-defined] # stays as long as the array
        view = np.frombuffer(memory, info.dtype).reshape(self._count, *info.shape)
        view.flags.writeable = not info.is_output
        return view


class Run:
    """A network that runs. Its ports are in `ports`, and attributes: `run.samples`.

    Those that have files are not among them. `with` closes it. After an exception in the block, as
    Ctrl-C, it is aborted.

    >>> with net.open() as run:
    ...     run.nothing
    Traceback (most recent call last):
        ...
    AttributeError: no port 'nothing': the run has samples, louder
    """

    def __init__(
        self,
        library: Library,
        parameters: Mapping[str, Any],
        log: Optional[Callable[[str, str], None]],
        max_memory: int,
        strict: bool,
        all_cores: bool,
        files: Mapping[str, File],
    ):
        if not 0 <= max_memory < 1 << 64:
            raise ValueError(f"max_memory is a number of bytes, not {max_memory}")
        self._library = library
        self._make_locks()
        self._handle: Optional[ctypes.c_void_p] = None
        self._running: Optional[ctypes.c_void_p] = None  # the same, until close() has waited
        # What arrays of windows are views of, by id.
        self._memories: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._log = LOG(_tell(log)) if log else LOG()
        options = Options(
            parameters="\n".join(setting(*item) for item in parameters.items()).encode(),
            log=self._log,
            max_memory=max_memory,
            strict=strict,
            all_cores=all_cores,
            files=b"\n".join(_file(*item) for item in files.items()),
        )
        handle = ctypes.c_void_p()
        if library.open(ctypes.byref(handle), library.net, ctypes.byref(options)) < 0:
            raise Error(library.said())
        self._handle = self._running = handle
        self.ports: Dict[str, Union[Input, Output]] = {
            name: (Output if info.is_output else Input)(self, info)
            for name, info in library.ports.items()
            if name not in files
        }
        locks = [*(port._lock for port in self.ports.values()), self._waiting, self._lock]
        self._abandoned = weakref.finalize(
            self, _abandon, library, handle, locks, self._memories, self._log
        )
        _runs.add(self)

    def _make_locks(self) -> None:
        self._lock = threading.RLock()  # of _handle against close(); log may call back
        self._waiting = threading.Lock()  # while a wait has the handle

    def _forget(self) -> None:
        """Counts as closed in a child by fork(), which has none of the network's threads."""
        self._handle = self._running = None
        self._abandoned.detach()
        for part in (self, *self.ports.values()):  # other threads may have held the locks
            part._make_locks()

    def __getattr__(self, name: str) -> Any:
        ports = self.__dict__.get("ports", {})
        if name in ports:
            return ports[name]
        raise AttributeError(f"no port {name!r}: the run has {', '.join(ports) or 'none'}")

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self.ports]

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if not kind:
            self.close()
            return
        self.abort()
        with contextlib.suppress(Error):
            self.close()

    def close(self) -> None:
        """Stops, ends all ports, waits for the end of the network, and raises its first error.

        Calls of other threads are waited for, with windows that they get meanwhile: a write that
        cannot go on holds it up until abort(). A file is read no further: to have all of it, wait()
        comes first.
        """
        self._refuse_windows()
        with self._lock:
            handle, self._handle = self._handle, None
        if handle is None:
            return
        self._abandoned.detach()
        _close_apart(self, handle)

    def _refuse_windows(self) -> None:
        if any(port._has_window for port in self.ports.values()):
            raise Error("a run is not closed while a window of it is open")

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until the network has ended, or for so many seconds. Raises its first error.

        Returns whether it has ended. It does when its files have come to their ends, and when ports
        that the program calls have ended: by end(), or read to the end. Files that it wrote are in
        their places then.

        >>> np.save("ones.npy", np.ones(64, "float32"))
        >>> with net.open(files={"samples": "ones.npy", "louder": "twos.npy"}) as run:
        ...     run.wait()
        True
        >>> np.load("twos.npy")[:2]
        array([2., 2.], dtype=float32)
        """
        for wait_ns in _slices(timeout):
            with self._waiting:
                ended = self._library.wait(self._opened(), wait_ns)
            if ended:
                break
        if ended < 0:
            raise Error(self._message())
        return bool(ended)

    def stop(self) -> None:
        """Asks the network to end, from any thread, and does not wait.

        Its sources end, and files are read no further. What is inside comes out. A port that the
        program writes is ended by the program.
        """
        with self._lock:
            if self._running is not None:
                self._library.stop(self._running)

    def abort(self) -> None:
        """Ends the network now, from any thread: calls that wait raise an error, close() too.

        Files that it was to write are not there.
        """
        with self._lock:
            if self._running is not None:
                self._library.break_(self._running)

    def set(self, parameter: str, value: Any) -> None:
        """Changes a live parameter before the next iteration, from any thread.

        >>> with net.open() as run:
        ...     run.set("Gain.add", 7)
        ...     count = run.samples.write(np.zeros(64, "float32"))
        ...     float(run.louder.read(1)[0])
        7.0
        """
        with self._lock:
            if self._library.set(self._opened(), setting(parameter, value).encode()) < 0:
                raise Error(self._library.said(self._handle))

    def stats(self) -> Dict[str, Any]:
        """Returns counters of processes, channels, promised latencies and periodic processes.

        Times of firings, and waits, are measured and there if DAL_STATS is "1" in os.environ when
        the run is opened.

        >>> with net.open() as run:
        ...     [process["name"] for process in run.stats()["processes"]]
        ['samples', 'Gain', 'louder']
        """
        with self._lock:
            handle, room = self._opened(), 0
            while True:
                text = ctypes.create_string_buffer(room + 1)
                count = self._library.stats(handle, text, room + 1)
                if count < 0:
                    raise Error("no memory for the counters")
                if count <= room:
                    return json.loads(text.value)
                room = 2 * count

    def _opened(self) -> ctypes.c_void_p:
        if self._handle is None:
            raise Error("the run is closed")
        return self._handle

    def _message(self) -> str:
        with self._lock:
            handle = self._running
            return (handle and self._library.said(handle)) or "the run was aborted"


def _slices(timeout: Optional[float]) -> Iterator[int]:
    """Gives nanoseconds to wait, again and again until the seconds are over."""
    if timeout is not None and math.isnan(timeout):
        raise ValueError("timeout is a number of seconds, not nan")
    while timeout is None or timeout * 1e9 > FOREVER:
        yield _SLICE_NS
    until_ns = time.monotonic_ns() + int(max(0.0, timeout) * 1e9)
    while (left_ns := until_ns - time.monotonic_ns()) > _SLICE_NS:
        yield _SLICE_NS
    yield max(0, left_ns)


def _level_outside() -> int:
    """Returns the level, for a warning of the caller, of the line that is not in this file."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename == __file__:
        level, frame = level + 1, frame.f_back
    return level


def setting(name: str, value: Any) -> str:
    text = f"{name}={int(value) if isinstance(value, (bool, np.bool_)) else value}"
    if "\n" in text or "\0" in text:
        raise ValueError(f"parameter {name!r} has a line end or a zero")
    return text


def _file(port: str, file: File) -> bytes:
    line = os.fsencode(f"{port}={os.fsdecode(file)}")
    if b"\n" in line or b"\0" in line:
        raise ValueError(f"the file of port {port!r} has a line end or a zero in its name")
    return line


def _tell(log: Callable[[str, str], None]) -> Callable[[Any, bytes, bytes], None]:
    def tell(_: Any, level: bytes, message: bytes) -> None:
        log(level.decode(), message.decode(errors="replace"))

    return tell


def _close_apart(run: Run, handle: Any) -> None:
    """Closes a run in a thread of its own, since Ctrl-C does not get through to that of a call."""
    failed: List[Error] = []
    library = run._library

    def close() -> None:
        ports = sorted(run.ports.values(), key=lambda port: port.info.is_output)
        for port in ports:
            with port._lock:  # the call of another thread has returned, and none comes after it
                while port._has_window:  # which is of another thread, too
                    port._no_window.wait()
                if not port.info.is_output:
                    library.end(handle, port.info.number)
        with run._waiting:  # no wait has the handle any more
            for port in ports:
                library.end(handle, port.info.number)
            library.stop(handle)
            if library.wait(handle, FOREVER) < 0:
                failed.append(Error(library.said(handle)))
        with run._lock:
            run._running = None
        if not _free_later(run, handle):
            library.close(handle)

    thread = threading.Thread(target=close, daemon=True)
    thread.start()
    try:
        thread.join()
    except BaseException:
        run.abort()
        raise
    if failed:
        raise failed[0]


def _free_later(run: Run, handle: Any) -> bool:
    """Frees a run of which parts of windows are still there, after the last of them."""
    kept = list(run._memories.values())
    if not kept:
        return False
    last = _Kept()
    for memory in kept:
        memory._last = last  # type: ignore[attr-defined]
    weakref.finalize(last, _free, run._library, handle, run._log, os.getpid()).atexit = False
    return True


class _Kept:
    """What the memories of windows have in common, after their run was closed."""


def _free(library: Library, handle: Any, log: Any, pid: int) -> None:
    if os.getpid() == pid:
        library.close(handle)


_freeing: List[Any] = []  # a lock for each run that is being freed, which is held until it is
_runs: "weakref.WeakSet[Run]" = weakref.WeakSet()


def _forget_all() -> None:
    _freeing.clear()
    for run in list(_runs):
        run._forget()


os.register_at_fork(after_in_child=_forget_all)


def _free_apart(library: Library, handle: Any, log: Any) -> None:
    """Frees a run in a thread of its own, which is none of threading: the collector may strike
    where that has its locks.
    """
    freed = _thread.allocate_lock()
    freed.acquire()
    _freeing.append(freed)

    def free() -> None:
        try:
            _free(library, handle, log, os.getpid())
        finally:
            _freeing.remove(freed)
            freed.release()

    _thread.start_new_thread(free, ())


@atexit.register
def _await_freed() -> None:
    until = time.monotonic() + _EXIT_S
    for freed in list(_freeing):
        freed.acquire(timeout=max(0, until - time.monotonic()))


def _abandon(library: Library, handle: Any, locks: List[Any], memories: Any, log: Any) -> None:
    """Closes a run that nobody has closed."""
    library.break_(handle)
    if threading.main_thread().is_alive():  # the collector may strike in a thread of the network
        _free_apart(library, handle, log)
    else:  # at exit threads may be in calls that nobody waits for
        for lock in locks:
            lock.acquire()
        if memories:  # somebody has a window, or a part of one: the memory stays
            library.wait(handle, int(_EXIT_S * 1e9))
        else:
            library.close(handle)
    warnings.warn("a run was not closed", ResourceWarning, stacklevel=2)
