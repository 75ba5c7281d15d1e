"""Writes a model as an ONNX file: its nodes, and its weights as arrays of NumPy. Protocol buffers need no package for that."""
import numpy

TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "float64": 11}


def number(value):
    """A varint: seven bits a byte."""
    value &= (1 << 64) - 1
    data = bytearray()
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    return bytes(data) + bytes([value])


def field(key, value):
    """A member of a message: a number, or bytes, or a text."""
    if isinstance(value, int):
        return number(key << 3) + number(value)
    data = value.encode() if isinstance(value, str) else value
    return number(key << 3 | 2) + number(len(data)) + data


def attribute(name, value):
    """An attribute of a node: an integer, or a list of them."""
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    return field(1, name) + b"".join(field(8, each) for each in value) + field(20, 7)


def node(operator, inputs, output, **attributes):
    data = b"".join(field(1, name) for name in inputs) + field(2, output) + field(4, operator)
    return data + b"".join(field(5, attribute(*each)) for each in attributes.items())


def weights(name, array):
    array = numpy.ascontiguousarray(array)
    data = b"".join(field(1, size) for size in array.shape) + field(2, TYPES[str(array.dtype)])
    return data + field(8, name) + field(9, array.astype(array.dtype.newbyteorder("<")).tobytes())


def end(name, dtype, shape):
    """An input or an output; a dimension that is a text is open."""
    sizes = b"".join(field(1, field(2 if isinstance(size, str) else 1, size)) for size in shape)
    return field(1, name) + field(2, field(1, field(1, TYPES[dtype]) + field(2, sizes)))


def write(file, nodes, arrays, inputs, outputs):
    """Arrays are a dictionary; inputs and outputs are lists of (name, dtype, shape)."""
    graph = b"".join(field(1, each) for each in nodes) + field(2, "graph")
    graph += b"".join(field(5, weights(*each)) for each in arrays.items())
    graph += b"".join(field(11, end(*each)) for each in inputs)
    graph += b"".join(field(12, end(*each)) for each in outputs)
    with open(file, "wb") as out:
        out.write(field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13)))
