"""Stands for a detector: camera.py PORT PICTURES sends that many, of 64 * 48 pixels, to this machine."""
import random
import socket
import struct
import sys
import time

port, pictures = int(sys.argv[1]), int(sys.argv[2])
random.seed(1)
camera = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
camera.connect(("127.0.0.1", port))
for number in range(pictures):
    pixels = [random.randrange(300) for _ in range(64 * 48)]
    packet = b"DET0" + struct.pack(">I", number) + struct.pack(f"={len(pixels)}h", *pixels)
    camera.send(packet)
    time.sleep(0.01)
    # Nobody has the first one as long as nobody listens.
    while number == 0 and camera.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        time.sleep(0.1)
        camera.send(packet)
        time.sleep(0.1)
