"""What calls a process that is written in Python. dalsynth puts this text into the program.

A function returns a text where something went wrong, and the runtime reports it.
"""

import ast
import gc
import itertools
import os
import sys
import traceback
import types
import weakref


class Ports:
    """The ports of a process, and their windows during a firing."""

    def __init__(self, ports):
        self.all = {
            name: (number, is_output, numpy.dtype(dtype), shape)
            for number, (name, is_output, (dtype, shape)) in enumerate(ports)
        }
        self.memory = None  # of each port's window; None between firings
        self.arrays = {}  # of the windows that have been asked for
        self.wholes = {}  # weak references to what they are arrays of

    def open(self, name):
        if name not in self.all:
            raise KeyError(f"no port {name!r}: there is {', '.join(self.all)}")
        if self.memory is None:
            raise RuntimeError(f"port {name!r} has a window in fire only")
        number, _, dtype, shape = self.all[name]
        memory = self.memory[number]
        whole = numpy.frombuffer(memory, dtype) if len(memory) else numpy.empty(0, dtype)
        self.wholes[name] = weakref.ref(whole)
        self.arrays[name] = array = whole.reshape(-1, *shape)
        return array

    def close(self):
        """Takes the windows back. Returns the name of a port whose window somebody keeps.

        Each array of a window refers to the whole of it, which lives as long as one of them.
        """
        self.memory = None
        self.arrays.clear()
        if any(whole() is not None for whole in self.wholes.values()):
            gc.collect()  # perhaps only a cycle has it
        kept = [name for name, whole in self.wholes.items() if whole() is not None]
        self.wholes.clear()
        return kept[0] if kept else None


class Process:
    """The p of init, fire and finish. What the process keeps are attributes of it.

    p["in"] is the window of a port: an array of its tokens, read-only at an input.
    """

    def __init__(self, ports, index, constants):
        self.__dict__.update(
            _ports=ports, parameters={}, constants=constants, index=tuple(index), phase=0
        )

    def __getitem__(self, name):
        array = self._ports.arrays.get(name)
        return self._ports.open(name) if array is None else array

    def __setitem__(self, name, tokens):
        self[name][...] = tokens

    def __getattr__(self, name):
        if name in self.__dict__["_ports"].all:
            return self[name]
        raise AttributeError(f"p has no attribute {name!r}, and there is no such port")

    def __setattr__(self, name, value):
        if name in self._ports.all:
            self[name] = value
        else:
            self.__dict__[name] = value


def words(error):
    """Returns "FILE:LINE in f, FILE:LINE in g: ValueError: why"."""
    frames = [
        f"{frame.filename}:{frame.lineno} in {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename != "<dal>"
    ]
    if len(frames) > 4:  # a message has little room
        frames[1:-3] = ["..."]
    if isinstance(error, SyntaxError):
        frames.append(f"{error.filename}:{error.lineno}")
        lines = [f"{type(error).__name__}: {error.msg}"]
    else:
        lines = traceback.format_exception_only(type(error), error)  # with its notes
    what = " ".join(line.strip() for line in lines)
    traceback.clear_frames(error.__traceback__)
    flush()
    return ": ".join([", ".join(frames), what] if frames else [what])


def flush():
    for stream in sys.stdout, sys.stderr:
        if stream:
            stream.flush()


class Caller:
    """Calls the functions of a module for one process."""

    def __init__(self, module, p, parameters):
        self.p = p
        self.ports = p._ports
        self.module = module
        self.call = module.fire
        self.given = None
        self.take_parameters(parameters)

    def take_parameters(self, parameters):
        if parameters != self.given:
            self.given = parameters
            self.p.__dict__["parameters"] = dict(parameters)

    def fire(self, memory, parameters, phase):
        ports = self.ports
        ports.memory = memory
        self.take_parameters(parameters)
        self.p.__dict__["phase"] = phase
        try:
            status = self.call(self.p)
        except BaseException as error:
            return words(error)
        if not isinstance(status, (int, numpy.bool_, type(None))):
            return f"fire returns {type(status).__name__}: it returns nothing, or True at its end"
        used = bytes([bool(status), *(name in ports.arrays for name in ports.all)])
        kept = ports.close()
        if kept:
            return f"fire keeps the window of port {kept!r}: what is to stay is copied"
        if status:
            return used
        for name, (number, is_output, _, _) in ports.all.items():
            if is_output and len(memory[number]) and not used[1 + number]:
                return f"fire writes nothing to port {name!r}"
        return used

    def finish(self):
        why = None
        try:
            if hasattr(self.module, "finish"):
                self.module.finish(self.p)
        except BaseException as error:
            why = words(error)
        forget(self.module)
        flush()
        return why


def add_module(file):
    """Returns a module of its own for a source, whatever other modules are called."""
    stem = os.path.basename(file).partition(".")[0]
    for n in itertools.count():
        module = types.ModuleType(f"_dal_{stem}_{n}")
        if sys.modules.setdefault(module.__name__, module) is module:
            module.__file__ = file
            return module


def forget(module):
    """Drops what the module has, unless a thread is in it. Files are closed by that.

    The collector would take a file apart before what it has not written yet.
    """
    sys.modules.pop(module.__name__, None)
    for frame in sys._current_frames().values():
        while frame:
            if frame.f_globals is module.__dict__:
                return
            frame = frame.f_back
    module.__dict__.clear()


def load(module, file):
    """Runs the source as the module."""
    folder = os.path.dirname(file)
    if folder not in sys.path:
        sys.path.append(folder)
    with open(file, "rb") as source:
        exec(compile(source.read(), file, "exec"), module.__dict__)
    if not callable(getattr(module, "fire", None)):
        raise TypeError(f"{file} defines no function 'fire(p)'")


def arrays(constants, memory):
    """Returns the constants by name: arrays that cannot be written."""
    kinds = ast.literal_eval(constants)
    return {name: numpy.frombuffer(data, dtype) for (name, dtype), data in zip(kinds, memory)}


def create(file, ports, parameters, index, constants, memory):
    global numpy
    try:
        import numpy
    except ImportError as error:
        return f"Python finds no NumPy (Debian: python3-numpy): {error}"
    module = add_module(file)
    try:
        p = Process(Ports(ast.literal_eval(ports)), index, arrays(constants, memory))
        load(module, file)
        caller = Caller(module, p, parameters)
        if hasattr(module, "init"):
            module.init(p)
    except BaseException as error:
        why = words(error)
        forget(module)
        return why
    return caller
