"""Draws digits as a meter shows them, not always straight, nor bright: draw.py COUNT writes frames of four, frame_0000.png and on."""
import struct
import sys
import zlib

import numpy

# Five columns and seven rows of each digit, a row a number.
FONT = (
    (14, 17, 19, 21, 25, 17, 14), (4, 12, 4, 4, 4, 4, 14), (14, 17, 1, 2, 4, 8, 31), (31, 2, 4, 2, 1, 17, 14),
    (2, 6, 10, 18, 31, 2, 2), (31, 16, 30, 1, 1, 17, 14), (6, 8, 16, 30, 17, 17, 14), (31, 1, 2, 4, 8, 8, 8),
    (14, 17, 17, 14, 17, 17, 14), (14, 17, 17, 15, 1, 2, 12),
)
SHAPES = numpy.array([[[row >> (4 - column) & 1 for column in range(5)] for row in rows] for rows in FONT])


def digit(value, generator):
    """28 x 28 pixels of one byte: turned, moved, of another size, pale, in noise."""
    size = generator.uniform(2.6, 3.3)
    turn, x0, y0 = generator.normal(0, (0.1, 1, 1))
    y, x = numpy.mgrid[:28, :28] - 13.5
    column = (numpy.cos(turn) * (x - x0) + numpy.sin(turn) * (y - y0)) / size + 2.5
    row = (numpy.cos(turn) * (y - y0) - numpy.sin(turn) * (x - x0)) / size + 3.5
    inside = (column >= 0) & (column < 5) & (row >= 0) & (row < 7)
    shape = SHAPES[value][row.clip(0, 6).astype(int), column.clip(0, 4).astype(int)] * inside
    grey = generator.uniform(20, 60) + generator.uniform(60, 180) * shape + generator.normal(0, 16, (28, 28))
    return grey.clip(0, 255).astype("uint8")


def frame(number, generator):
    """28 x 112 pixels: the four digits of a number below 10000."""
    return numpy.concatenate([digit(int(each), generator) for each in f"{number:04d}"], axis=1)


def write_png(name, pixels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def number(at):
    """What frame `at` shows."""
    return at * 37 % 10000


if __name__ == "__main__":
    source = numpy.random.default_rng(1)
    for at in range(int(sys.argv[1])):
        write_png(f"frame_{at:04d}.png", frame(number(at), source))
