"""Ports and the types of their tokens."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, Tuple, Union

import numpy as np

from ._errors import Error

_INTEGERS = (int, np.integer, np.bool_)
_FLOATS = (*_INTEGERS, float, np.floating)
# Of a kind of NumPy: kinds of lists that are converted to it, and what elements of others must be.
_ELEMENTS: Dict[str, Tuple[str, Tuple[type, ...]]] = {
    "i": ("iub", _INTEGERS),
    "u": ("iub", _INTEGERS),
    "f": ("iubf", _FLOATS),
    "c": ("iubfc", (*_FLOATS, complex, np.complexfloating)),
}

File = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def _is_array(tokens: Any) -> bool:
    """Has it a type of its own for its elements, as array.array and other libraries' arrays?"""
    if any(hasattr(tokens, f"__array{how}__") for how in ("", "_interface", "_struct")):
        return True
    try:
        return memoryview(tokens).nbytes >= 0
    except TypeError:
        return False


@dataclass(frozen=True)
class PortInfo:
    """What a port of a network is.

    An array of N tokens has the shape (N,) + `shape`, and elements of `dtype`.
    """

    name: str
    number: int  # in calls of the library
    is_output: bool  # it is read
    type: str  # of C; "" where the network does not say
    dtype: np.dtype
    shape: Tuple[int, ...]  # of one token
    token_bytes: int

    def __repr__(self) -> str:
        shape = "".join(f"[{length}]" for length in self.shape)
        return f"{'output' if self.is_output else 'input'} {self.name}: {self.dtype}{shape}"

    def empty(self, count: int) -> np.ndarray:
        """Returns an array for so many tokens."""
        return np.empty((count, *self.shape), self.dtype)

    def check(self, tokens: Any) -> np.ndarray:
        """Returns tokens as an array that lies in one piece. Only floats of a list are rounded."""
        if not isinstance(tokens, np.ndarray):
            tokens = self._convert(tokens)
        if isinstance(tokens, np.ma.MaskedArray):
            raise TypeError(f"port {self.name} has tokens without a mask")
        if tokens.dtype != self.dtype and not self._is_same_memory(tokens.dtype):
            raise TypeError(f"port {self.name} has tokens of {self.dtype}, not of {tokens.dtype}")
        if tokens.ndim == 0 or tokens.shape[1:] != self.shape:
            wanted = ", ".join(["N", *map(str, self.shape)]) + ("" if self.shape else ",")
            raise ValueError(f"port {self.name} has arrays of shape ({wanted}), not {tokens.shape}")
        return np.ascontiguousarray(tokens).view(self.dtype)

    def _is_same_memory(self, dtype: np.dtype) -> bool:
        """Are these structures of as many bytes, and either side says nothing of their members?"""
        kinds = {self.dtype.kind, dtype.kind}
        is_plain = None in (self.dtype.names, dtype.names)
        return kinds == {"V"} and is_plain and self.dtype.itemsize == dtype.itemsize

    def _convert(self, tokens: Any) -> np.ndarray:
        """Returns a list as an array; of another type where an element is of another kind."""
        if _is_array(tokens):
            return np.asarray(tokens)
        kind = self.dtype.kind
        if kind not in _ELEMENTS or not (array := np.asarray(tokens)).size:
            return np.asarray(tokens, self.dtype)
        plain, of = _ELEMENTS[kind]
        if array.dtype.kind not in plain:  # NumPy has no integer type for some lists
            elements = np.asarray(tokens, object)
            if not all(isinstance(each, of) for each in elements.flat):
                return array
            if kind in "iu":
                array = np.vectorize(int, otypes=[object])(elements)  # NumPy compares as floats
        if kind not in "iu":
            return np.asarray(tokens, self.dtype)
        limits = np.iinfo(self.dtype)
        if not limits.min <= int(array.min()) <= int(array.max()) <= limits.max:
            raise ValueError(f"port {self.name} has tokens from {limits.min} to {limits.max}")
        return array.astype(self.dtype)


def token_type(name: str, kind: str, count: int, token_bytes: int, given: Any = None):
    """Returns (dtype, shape) of a token.

    >>> token_type("in", "f", 1, 4)
    (dtype('float32'), ())
    >>> token_type("in", "u", 3, 3)
    (dtype('uint8'), (3,))
    >>> token_type("in", "V", 1, 12)
    (dtype('V12'), ())
    >>> token_type("in", "f", 2, 8, "complex64")
    (dtype('complex64'), ())
    >>> token_type("in", "V", 1, 12, ("u1", (3, 4)))
    (dtype('uint8'), (3, 4))
    >>> token_type("in", "V", 1, 12, "f8")
    Traceback (most recent call last):
        ...
    dal._errors.Error: port in has tokens of 12 bytes: no whole elements of float64
    """
    if given is None:
        if kind == "V":
            return np.dtype((np.void, token_bytes)), ()
        return np.dtype(f"{kind}{token_bytes // count}"), (count,) if count > 1 else ()
    dtype = np.dtype(given)
    base, shape = dtype.subdtype or (dtype, ())
    if base.hasobject or not dtype.itemsize or token_bytes % dtype.itemsize:
        raise Error(
            f"port {name} has tokens of {token_bytes} bytes: no whole elements of {dtype}"
        )
    elements = token_bytes // dtype.itemsize
    return base, ((elements,) if elements > 1 else ()) + shape
