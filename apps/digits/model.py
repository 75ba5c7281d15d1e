"""Writes digits.onnx, a small network that reads four digits in a frame of 28 x 112 pixels.

The first layer looks for edges in eight directions, the second one for random patterns of them. Both are as they are drawn. The
last one is computed, from digits of draw.py, by least squares.
"""
import numpy

import draw
import onnx_file

generator = numpy.random.default_rng(2)
across, down = numpy.meshgrid(numpy.arange(-2, 3), numpy.arange(-2, 3))
angles = numpy.arange(8)[:, None, None] * numpy.pi / 4
edges = (numpy.cos(angles) * across + numpy.sin(angles) * down) * numpy.exp(-(across**2 + down**2) / 4)
edges = (edges[:, None] / 255).astype("float32")  # a pixel is 0 to 255
patterns = (generator.normal(size=(32, 8, 3, 3)) / 8).astype("float32")


def convolve(x, kernels):
    """As Conv of ONNX, with as many pixels as before."""
    size = kernels.shape[-1]
    x = numpy.pad(x, ((0, 0), (0, 0), (size // 2,) * 2, (size // 2,) * 2))
    windows = numpy.lib.stride_tricks.sliding_window_view(x, (size, size), axis=(2, 3))
    return numpy.einsum("nchwyx,kcyx->nkhw", windows, kernels, optimize=True)


def pool(x):
    """As Relu and MaxPool of ONNX: the largest of 2 x 2 pixels, or 0."""
    n, channels, height, width = x.shape
    return numpy.maximum(x.reshape(n, channels, height // 2, 2, width // 2, 2).max(axis=(3, 5)), 0)


def train(count=1500):
    """Returns the last layer: how much each of 32 x 7 x 7 values speaks for each digit, and ten offsets."""
    digits = generator.integers(0, 10, count)
    x = numpy.stack([draw.digit(digit, generator) for digit in digits])[:, None].astype("float32")
    x = pool(convolve(pool(convolve(x, edges)), patterns)).reshape(count, -1)
    x = numpy.concatenate((x, numpy.ones((count, 1))), axis=1)
    wanted = 2.0 * (digits[:, None] == numpy.arange(10)) - 1
    solution = numpy.linalg.solve(x.T @ x + 50 * numpy.eye(x.shape[1]), x.T @ wanted).T.astype("float32")
    return solution[:, :-1].reshape(10, 32, 7, 7), solution[:, -1]


scores, offsets = train()
onnx_file.write(
    "digits.onnx",
    [
        onnx_file.node("Cast", ["bytes"], "pixels", to=1),
        onnx_file.node("Conv", ["pixels", "edges"], "a", pads=[2, 2, 2, 2]),
        onnx_file.node("Relu", ["a"], "b"),
        onnx_file.node("MaxPool", ["b"], "c", kernel_shape=[2, 2], strides=[2, 2]),
        onnx_file.node("Conv", ["c", "patterns"], "d", pads=[1, 1, 1, 1]),
        onnx_file.node("Relu", ["d"], "e"),
        onnx_file.node("MaxPool", ["e"], "f", kernel_shape=[2, 2], strides=[2, 2]),
        onnx_file.node("Conv", ["f", "scores", "offsets"], "g", strides=[7, 7]),
        onnx_file.node("ArgMax", ["g"], "digits", axis=1, keepdims=0),
    ],
    {"edges": edges, "patterns": patterns, "scores": scores, "offsets": offsets},
    [("bytes", "uint8", ["frames", 1, 28, 112])],
    [("digits", "int64", ["frames", 1, 4])],
)
