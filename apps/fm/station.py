"""Makes a recording of two seconds: a station that sends two tones, 200 kHz above the middle, and noise."""
import array
import json
import math
import random

RATE, STATION, SECONDS = 960_000, 200_000, 2

random.seed(1)
samples, phase = array.array("f"), 0.0
for i in range(SECONDS * RATE):
    turn = 2 * math.pi * i / RATE
    sound = 0.5 * math.sin(1000 * turn) + 0.25 * math.sin(4000 * turn)
    phase += 2 * math.pi * (STATION + 75_000 * sound) / RATE
    samples.append(0.7 * math.cos(phase) + 0.03 * (random.random() - 0.5))
    samples.append(0.7 * math.sin(phase) + 0.03 * (random.random() - 0.5))
with open("station.sigmf-data", "wb") as file:
    samples.tofile(file)
meta = {
    "global": {"core:datatype": "cf32_le", "core:sample_rate": RATE, "core:version": "1.0.0"},
    "captures": [{"core:sample_start": 0, "core:frequency": 99_800_000}],
    "annotations": [],
}
with open("station.sigmf-meta", "w") as file:
    json.dump(meta, file)
