"""How long do digits/digits and ONNX Runtime alone take for all frames? The latter reads the same files, one thread, 16 at once."""
import subprocess
import time

import numpy
import onnxruntime
from PIL import Image

start = time.monotonic()
subprocess.run(["digits/digits", "--digits=digits.npy"], check=True)
ours = time.monotonic() - start

start = time.monotonic()
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
model = onnxruntime.InferenceSession("digits.onnx", options)
read = []
for first in range(0, 400, 16):
    frames = [numpy.array(Image.open(f"frame_{first + i:04d}.png")) for i in range(16)]
    read.append(model.run(None, {"bytes": numpy.stack(frames)[:, None]})[0][:, 0])
alone = time.monotonic() - start
assert (numpy.concatenate(read) == numpy.load("digits.npy")).all()
print(f"the same digits: dal {ours:.3f} s, ONNX Runtime alone {alone:.3f} s")
