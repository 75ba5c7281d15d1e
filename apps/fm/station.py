"""Makes a recording of three seconds: a station that sends two tones, 200 kHz above the middle, and noise."""
import json

import numpy as np

RATE, STATION = 960_000, 200_000
time = np.arange(3 * RATE) / RATE
tones = 0.5 * np.sin(2 * np.pi * 1000 * time) + 0.25 * np.sin(2 * np.pi * 4000 * time)
signal = 0.7 * np.exp(2j * np.pi * (STATION * time + 75_000 * np.cumsum(tones) / RATE))
noise = np.random.default_rng(1).normal(size=(2, len(time)), scale=0.01)
(signal + noise[0] + 1j * noise[1]).astype("complex64").tofile("station.sigmf-data")
meta = {
    "global": {"core:datatype": "cf32_le", "core:sample_rate": RATE, "core:version": "1.0.0"},
    "captures": [{"core:sample_start": 0, "core:frequency": 99_800_000}],
    "annotations": [],
}
with open("station.sigmf-meta", "w") as file:
    json.dump(meta, file)
