"""libdal by ctypes: the calls of dal_run.h, and the ports of a network."""

from __future__ import annotations

import ast
import ctypes
import re
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_int64, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Dict, Mapping

from ._errors import Error
from ._types import PortInfo, token_type

FOREVER = 2**63 - 1
LOG = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)


class Options(ctypes.Structure):
    _fields_ = [
        ("parameters", c_char_p),
        ("log", LOG),
        ("log_of", c_void_p),
        ("max_memory", c_uint64),
        ("strict", c_int),
        ("all_cores", c_int),
        ("files", c_char_p),
    ]


class _PortInfo(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("port", c_int),
        ("is_output", c_int),
        ("type", c_char_p),
        ("kind", c_char),
        ("count", c_uint64),
        ("token_bytes", c_size_t),
    ]


# What a call returns, and its arguments.
_CALLS: Dict[str, tuple] = {
    "dal_run_open": (c_int, POINTER(c_void_p), c_void_p, POINTER(Options)),
    "dal_run_close": (c_int, c_void_p),
    "dal_run_wait": (c_int, c_void_p, c_int64),
    "dal_run_stop": (None, c_void_p),
    "dal_run_break": (None, c_void_p),
    "dal_run_describe": (c_int, c_void_p, c_int, POINTER(_PortInfo)),
    "dal_run_write": (c_int64, c_void_p, c_int, c_void_p, c_size_t, c_int64),
    "dal_run_read": (c_int64, c_void_p, c_int, c_void_p, c_size_t, c_int64),
    "dal_run_window": (c_int64, c_void_p, c_int, POINTER(c_void_p), c_int64),
    "dal_run_advance": (c_int, c_void_p, c_int, c_size_t),
    "dal_run_fd": (c_int, c_void_p, c_int),
    "dal_run_end": (c_int, c_void_p, c_int),
    "dal_run_is_over": (c_int, c_void_p, c_int),
    "dal_run_set": (c_int, c_void_p, c_char_p),
    "dal_run_stats": (c_int64, c_void_p, c_char_p, c_size_t),
    "dal_run_message": (c_char_p, c_void_p),
}


def _find_records(header: str) -> Dict[str, Any]:
    """Returns what the header of a network says of structures, by port.

    >>> _find_records("/* Tokens of in in NumPy: ({'names': ['x', ],\\n * 'formats': [('f4', ())],"
    ...               " 'offsets': [4], 'itemsize': 8}, ()) */")
    {'in': ({'names': ['x'], 'formats': [('f4', ())], 'offsets': [4], 'itemsize': 8}, ())}
    """
    said = re.findall(r"/\* Tokens of (\w+) in NumPy: (.*?) \*/", header, re.DOTALL)
    return {port: ast.literal_eval(text.replace("\n *", "\n")) for port, text in said}


class Library:
    """The library of one network. Its calls release the interpreter while they wait."""

    def __init__(self, folder: Path, dtypes: Mapping[str, Any]):
        (path,) = folder.glob("lib*.so")
        header = (folder / f"{path.stem[3:]}.h").read_text()
        self._records = _find_records(header)
        self._loaded = ctypes.CDLL(str(path))
        symbol = re.search(r"^extern const struct dal_net (\w+);", header, re.MULTILINE)
        assert symbol
        self.net = ctypes.addressof(c_char.in_dll(self._loaded, symbol[1]))
        for name, (result, *arguments) in _CALLS.items():
            call = getattr(self._loaded, name)
            call.restype, call.argtypes = result, arguments
            setattr(self, name[len("dal_run_") :].replace("break", "break_"), call)
        self.ports = self._describe(dtypes)

    def _describe(self, dtypes: Mapping[str, Any]) -> Dict[str, PortInfo]:
        ports: Dict[str, PortInfo] = {}
        info = _PortInfo()
        while self.describe(self.net, len(ports), byref(info)) == 0:
            name, kind = info.name.decode(), info.kind.decode()
            given = dtypes.get(name, self._records.get(name))
            dtype, shape = token_type(name, kind, info.count, info.token_bytes, given)
            ports[name] = PortInfo(
                name=name,
                number=info.port,
                is_output=bool(info.is_output),
                type=(info.type or b"").decode(),
                dtype=dtype,
                shape=shape,
                token_bytes=info.token_bytes,
            )
        for name in dtypes:
            if name not in ports:
                raise Error(f"dtypes: the network has no port {name!r}: it has {', '.join(ports)}")
        return ports

    def said(self, handle: Any = None) -> str:
        """Returns the message of a run, or that of this thread's last open or close."""
        return self.message(handle).decode(errors="replace")

    def __getattr__(self, name: str) -> Any:  # for type checkers: calls are set above
        raise AttributeError(name)
