"""Writes the tables of input/net.xml as arrays of NumPy, and what the network makes of them.
    tables.py N"""
import struct, sys
from array import array

count = int(sys.argv[1])


def write(name, values, shape):
    head = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {shape!r}, }}".ljust(117) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode())
        values.tofile(file)


tables = [array("i", ((i * factor) % 65521 - 3000 for i in range(count))) for factor in (7919, 104729)]
write(f"table_0_{count}.npy", tables[0], (count,))
write(f"table_1_{count}.npy", tables[1], (10, count // 10))
more = (1, 2, 3, 4, 5, 6, 7, 255)
with open(f"expected_{count}", "w") as file:
    for number in range(4000):
        value = number
        for table, first in ((0, 1), (1, 2), (0, 1)):
            at = value % 2**32
            value = tables[table][at % count] + (first, -2, 3)[at % 3]
        print(value + more[number % 8], file=file)
