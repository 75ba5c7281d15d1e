"""Writes the files that ports.sh reads: 6400 floats, twice them, arrays of NumPy and sounds of them. It needs no NumPy."""
import struct

numbers = struct.pack("<6400f", *range(6400))


def write(name, *parts):
    with open(name, "wb") as file:
        file.write(b"".join(parts))


def array(descr, shape, order="False", version=1):
    text = "{'descr': %s, 'fortran_order': %s, 'shape': (%s), }" % (descr, order, shape)
    text = text.ljust(117 if version == 1 else 115) + "\n"
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode()


def sound(kind, channels, bits, length, extension=""):
    frame = channels * bits // 8
    form = struct.pack("<HHIIHH", kind, channels, 8000, 8000 * frame, frame, bits) + bytes.fromhex(extension)
    whole = length and 0xFFFFFFFF
    return (b"RIFF" + struct.pack("<I", whole) + b"WAVEfmt " + struct.pack("<I", len(form)) + form +
            b"LIST" + struct.pack("<I", 3) + b"abc\0data" + struct.pack("<I", length))


def long_sound(length):
    """The same with lengths of 64 bits: RF64."""
    return (b"RF64\xff\xff\xff\xffWAVEds64" + struct.pack("<IQQQI", 28, 0, length, length // 4, 0) +
            sound(3, 1, 32, 0xFFFFFFFF)[12:])


write("a.raw", numbers)
write("wanted", struct.pack("<6400f", *(2 * i for i in range(6400))))
write("none")
for version in 1, 2, 3:
    write("version%d.npy" % version, array("'<f4'", "6400,", version=version), numbers)
write("rows.npy", array("'<f4'", "100, 64"), numbers)
write("deep.npy", array("'<f4'", "100, 8, 8"), numbers)
write("six.npy", array("'|V6'", "100,"), numbers[:600])
write("bytes.npy", array("'|u1'", "100,"), numbers[:100])
write("float.wav", sound(3, 1, 32, 25600), numbers)
write("zero.wav", sound(3, 1, 32, 0), numbers)  # its length is not known
write("killed.wav", b"RIFF\x08\0\0\0", sound(3, 1, 32, 0)[8:], numbers)  # nor here
write("unsaid.wav", b"RIFF\x24\0\0\0", sound(3, 1, 32, 0)[8:], numbers)  # here it is, and wrong
write("silent.wav", b"RIFF\x24\0\0\0", sound(3, 1, 32, 0)[8:], b"\0" * 400)
write("endless.wav", sound(3, 1, 32, 0xFFFFFFFF), numbers)
write("half.wav", sound(3, 1, 32, 0x7FFFF000), numbers)
write("most.wav", sound(3, 1, 32, 0xFFFFFF00), numbers)
write("long.wav", long_sound(25600), numbers, b"LIST\4\0\0\0more")
write("chunk.wav", sound(3, 1, 32, 25600), numbers, b"LIST\4\0\0\0more")
write("empty.wav", b"RIFF\x30\0\0\0", sound(3, 1, 32, 0)[8:], b"LIST\4\0\0\0more")
write("extensible.wav", sound(0xFFFE, 1, 32, 25600, "1600200004000000" "0300000000001000800000aa00389b71"), numbers)
write("short.wav", sound(1, 2, 16, 25600), numbers)

# What is refused.
write("double.npy", array("'<f8'", "3200,"), numbers)
write("turned.npy", array("'>f4'", "6400,"), numbers)
write("object.npy", array("'|O8'", "3200,"), numbers)
write("fields.npy", array("[('a', '<f4')]", "6400,"), numbers)
write("cut.npy", array("'<f4'", "6401,"), numbers)
write("columns.npy", array("'<f4'", "100, 64", "True"), numbers)
write("order.npy", array("'<f4'", "6400,", "Maybe"), numbers)
write("scalar.npy", array("'<f4'", ""), numbers)
write("huge.npy", array("'<f4'", "4294967296, 4294967296"), numbers)
write("header.npy", array("'<f4'", "6400,")[:60])
write("long.npy", b"\x93NUMPY\2\0", struct.pack("<I", 1 << 30))
write("other.npy", numbers)
write("other.wav", numbers)
write("packed.wav", sound(85, 1, 32, 25600), numbers)
write("stereo.wav", sound(3, 2, 32, 25600), numbers)
write("cut.wav", sound(3, 1, 32, 26000), numbers)
write("cut_long.wav", long_sound(26000), numbers)
write("late.wav", b"RIFF\0\0\0\0WAVEdata\4\0\0\0", numbers)
write("part.raw", numbers[:1001])
