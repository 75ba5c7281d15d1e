"""What the photon counter has to make of a recording, in double precision, and what it has made.

    python3 reference.py NAME CALIBRATION IMAGE LIST [OUT]

NAME.gains, NAME.dark, NAME.frames and NAME.truth are of mkphoton, the others of the network; so are
OUT.few, OUT.more, OUT.most (sums), OUT.largest and OUT.drift. Nothing is
shared with the network: mean and deviation are those of the textbook, frames are whole, and each pixel
is looked at by itself. Floats of the network may fall on the other side of a limit: such a difference is
counted, and it is explained if the value in double is that near to the limit. Prints a line for each
number; exit status 1 if a file cannot be read.
"""
import array
import math
import struct
import sys

PHOTON = 12.4  # keV
WINDOW = 100  # frames over which a pedestal is a mean
SIGMAS = 5
SPANS = {"few": 2, "more": 10, "most": 100}  # frames of a sum
NEAR = 1e-3  # keV, or photons: what a float may be away


def read(name, magic):
    with open(name, "rb") as file:
        data = file.read()
    found, width, height, frames = struct.unpack_from("<8sIII", data)
    if found.decode("latin-1") != magic:
        sys.exit(f"reference.py: {name} is no file of {magic}")
    return data[32:], width, height, frames


def planes(name, magic, form, count):
    data, width, height, _ = read(name, magic)
    size = width * height
    values = array.array(form, data)
    return [values[i * size : (i + 1) * size] for i in range(count)]


def frames_of(name):
    data, width, height, count = read(name, "dalframe")
    size = 16 + 2 * width * height
    for n in range(count):
        yield array.array("H", data[n * size + 16 : (n + 1) * size])


class Detector:
    """Pedestals, gains and noise, found by two passes over the dark frames."""

    def __init__(self, name):
        data, self.width, self.height, _ = read(name + ".dark", "dalframe")
        with open(name + ".dark", "rb") as file:
            counts = struct.unpack("<III", file.read(32)[20:])
        self.size = self.width * self.height
        self.gain = planes(name + ".gains", "dalgains", "d", 3)
        self.masked = [False] * self.size
        self.ped, self.sd = [], []
        darks = frames_of(name + ".dark")
        for stage, count in enumerate(counts):
            self.add_stage(stage, [next(darks) for _ in range(count)])

    def add_stage(self, stage, darks):
        code = (0, 1, 3)[stage]
        ped, sd = [0.0] * self.size, [0.0] * self.size
        for i in range(self.size):
            values = [frame[i] & 0x3FFF for frame in darks if frame[i] >> 14 == code]
            if len(values) < len(darks):
                self.masked[i] = True
                continue
            ped[i] = math.fsum(values) / len(values)
            if len(values) > 1:
                sd[i] = math.sqrt(math.fsum((v - ped[i]) ** 2 for v in values) / (len(values) - 1))
        self.ped.append(ped)
        self.sd.append(sd)

    def convert(self, words):
        """Energies of a frame in keV; the pedestals follow. How many words are invalid."""
        energies, invalid = [0.0] * self.size, 0
        for i, word in enumerate(words):
            code = word >> 14
            if code == 2:
                invalid += 1
                continue
            stage = 2 if code == 3 else code
            if self.masked[i]:
                continue
            away = (word & 0x3FFF) - self.ped[stage][i]
            energies[i] = away / self.gain[stage][i]
            if abs(away) <= SIGMAS * self.sd[stage][i]:
                self.ped[stage][i] += away / WINDOW
        return energies, invalid

    def clusters(self, energies):
        """Of a frame: (y, x) with sum and whether a float may see it otherwise."""
        w = self.width
        for y in range(1, self.height - 1):
            for x in range(1, w - 1):
                i = y * w + x
                energy, noise = energies[i], SIGMAS * self.sd[0][i] / abs(self.gain[0][i])
                if self.masked[i] or energy < -NEAR:
                    continue
                front = max(energies[i - w - 1], energies[i - w], energies[i - w + 1], energies[i - 1])
                behind = max(energies[i + 1], energies[i + w - 1], energies[i + w], energies[i + w + 1])
                if energy < front - NEAR or energy < behind - NEAR:
                    continue
                total = sum(energies[i + j - 1] + energies[i + j] + energies[i + j + 1] for j in (-w, 0, w))
                loud = energy > noise or total > 3 * noise
                near = min(abs(energy - front), abs(energy - behind)) < NEAR or (
                    min(abs(energy - noise), abs(total - 3 * noise)) < NEAR
                )
                yield (y, x), total, loud and energy > front and energy >= behind, near


def photons(energy):
    """How many, and whether a float may see one more or less."""
    value = (energy + PHOTON / 2) / PHOTON
    return min(max(int(value), 0), 65535), abs(value - round(value)) < NEAR


def read_list(name):
    data = read(name, "dallists")[0]
    found, order = {}, []
    for frame, y, x, total, peak, count in struct.iter_unpack("<QHHffI", data):
        found[(frame, y, x)] = (total, count)
        order.append((frame, y, x))
    return found, order == sorted(order)


class Survey:
    """Sums of energies over 2, 10 and 100 frames, the largest energy of each frame, and the drift."""

    def __init__(self, name, detector):
        self.detector, self.out = detector, {}
        self.found = {}
        for what, magic in [*((span, "dalstack") for span in SPANS), ("largest", "dalpeaks"), ("drift", "daldrift")]:
            data, _, _, self.out[f"{what} of them"] = read(f"{name}.{what}", magic)
            self.found[what] = array.array("f", data)
        self.first = list(detector.ped[0])
        self.sums = {span: [0.0] * detector.size for span in SPANS}
        self.truths = {span: [0] * detector.size for span in SPANS}
        self.lit = [False] * detector.size
        self.off = dict.fromkeys([*SPANS, "largest", "drift"], 0.0)
        self.wrong = dict.fromkeys(SPANS, 0)
        self.bright = 0.0
        self.frames = 0

    def add(self, energies, truth):
        """A frame. A difference is in keV, or in thousandths where the values are larger than that."""
        largest, n = max(energies), self.frames
        self.frames += 1
        self.differ("largest", self.found["largest"][n], largest)
        self.bright = max(self.bright, abs(largest / PHOTON - max(truth)))
        for i, count in enumerate(truth):
            self.lit[i] |= count > 0
        for span, frames in SPANS.items():
            sums, truths = self.sums[span], self.truths[span]
            for i, energy in enumerate(energies):
                sums[i] += energy
                truths[i] = truths[i] + truth[i] if truth[i] <= 25 and truths[i] >= 0 else -1
            if self.frames % frames == 0:
                self.complete(span, (self.frames // frames - 1) * self.detector.size)

    def differ(self, what, found, wanted):
        self.off[what] = max(self.off[what], abs(found - wanted) / max(1, abs(wanted) / 1000))

    def complete(self, span, at):
        """A sum; where all photons were in stage 0 it tells how many there were."""
        for i, wanted in enumerate(self.sums[span]):
            found = self.found[span][at + i]
            self.differ(span, found, wanted)
            known = self.truths[span][i] >= 0 and not self.detector.masked[i]
            self.wrong[span] += known and round(found / PHOTON) != self.truths[span][i]
        self.sums[span] = [0.0] * self.detector.size
        self.truths[span] = [0] * self.detector.size

    def finish(self):
        away = [now - first for now, first in zip(self.detector.ped[0], self.first)]
        for found, wanted in zip(self.found["drift"], away):
            self.differ("drift", found, wanted)
        dark = [i for i, lit in enumerate(self.lit) if not lit and not self.detector.masked[i]]
        for what, off in self.off.items():
            self.out[f"{what} off by"] = off
        for span, wrong in self.wrong.items():
            self.out[f"{span} not the truth"] = wrong
        self.out["largest photons off by"] = self.bright
        self.out["dark pixels"] = len(dark)
        self.out["drift of them"] = sum(self.found["drift"][i] for i in dark) / max(1, len(dark))
        return self.out


class Judge:
    def __init__(self, name, calibration, image, clusters, survey):
        self.detector = Detector(name)
        self.name = name
        self.out = {}
        self.calibration(planes(calibration, "dalcalib", "f", 9))
        self.image = planes(image, "dalimage", "I", 1)[0]
        self.list, self.out["list in order"] = read_list(clusters)
        self.survey = Survey(survey, self.detector) if survey else None
        self.frames()
        if survey:
            self.out.update(self.survey.finish())

    def calibration(self, found):
        d, worst, masks = self.detector, 0.0, 0
        for i in range(d.size):
            masked = found[3][i] == 0
            masks += masked != d.masked[i]
            for g in range(3):
                if not masked and not d.masked[i]:
                    worst = max(worst, abs(found[g][i] - d.ped[g][i]))
                    worst = max(worst, abs(found[6 + g][i] - SIGMAS * d.sd[g][i]))
                    worst = max(worst, abs(found[3 + g][i] * d.gain[g][i] - 1))
        self.out["pixels"] = d.size
        self.out["masked"] = sum(d.masked)
        self.out["masked otherwise"] = masks
        self.out["calibration off by"] = worst

    def frames(self):
        d = self.detector
        counts, doubts, truths, highest = ([0] * d.size for _ in range(4))
        self.missing = self.explained = self.found = 0
        self.off = 0.0
        self.events = {"lone photons": 0, "lone photons found": 0, "false clusters": 0}
        invalid = frames = 0
        pairs = zip(frames_of(self.name + ".frames"), frames_of(self.name + ".truth"))
        for n, (words, truth) in enumerate(pairs):
            energies, bad = d.convert(words)
            invalid += bad
            frames += 1
            for i, energy in enumerate(energies):
                count, doubt = photons(energy)
                counts[i] += count
                doubts[i] += doubt
                truths[i] += truth[i]
                highest[i] = max(highest[i], truth[i])
            if self.survey:
                self.survey.add(energies, truth)
            self.clusters(n, energies)
            self.lone(n, truth)
        self.out["frames"] = frames
        self.out["invalid"] = invalid
        self.pixels(counts, doubts, truths, highest, frames)
        self.out["clusters"] = len(self.list)
        self.out["clusters otherwise"] = self.explained
        self.out["clusters not explained"] = self.missing + len(self.list) - self.found
        self.out["cluster sums off by"] = self.off
        self.out.update(self.events)

    def pixels(self, counts, doubts, truths, highest, frames):
        other = [(abs(a - b), c) for a, b, c in zip(self.image, counts, doubts)]
        self.out["photons"] = sum(self.image)
        self.out["photons in masked pixels"] = sum(n for n, m in zip(self.image, self.detector.masked) if m)
        self.out["counts otherwise"] = sum(o for o, _ in other)
        self.out["counts not explained"] = sum(o > c for o, c in other)
        fine = [i for i in range(len(counts)) if highest[i] <= 800 and not self.detector.masked[i]]
        bright = [i for i in range(len(counts)) if highest[i] > 800]
        self.out["true photons"] = sum(truths)
        self.out["pixels in stages 0 and 1"] = len(fine)
        self.out["of them not the truth"] = sum(self.image[i] != truths[i] for i in fine)
        self.out["photons missed"] = sum(max(0, truths[i] - self.image[i]) for i in fine)
        self.out["photons too many"] = sum(max(0, self.image[i] - truths[i]) for i in fine)
        self.out["pixels in stage 2"] = len(bright)
        self.out["worst of them a frame"] = max((abs(self.image[i] - truths[i]) for i in bright), default=0) / frames

    def clusters(self, n, energies):
        """Compares the list of a frame; what is left over at the end was not to be found."""
        for (y, x), total, wanted, near in self.detector.clusters(energies):
            there = self.list.get((n, y, x))
            self.found += there is not None and (wanted or near)
            self.explained += wanted != (there is not None) and near
            self.missing += wanted and there is None and not near
            if there:
                self.off = max(self.off, abs(there[0] - total) / max(1, abs(total) / 1000))

    def lone(self, n, truth):
        """Photons that have no other near them, and clusters that have none."""
        w, h = self.detector.width, self.detector.height
        masked = self.detector.masked
        for i, count in enumerate(truth):
            y, x = divmod(i, w)
            if count != 1 or not (2 < y < h - 3 and 2 < x < w - 3):
                continue
            around = [i + j * w + k for j in range(-3, 4) for k in range(-3, 4)]
            if sum(truth[j] for j in around) == 1 and not any(masked[j] for j in around):
                near = [self.list.get((n, y + j, x + k)) for j in (-1, 0, 1) for k in (-1, 0, 1)]
                self.events["lone photons"] += 1
                self.events["lone photons found"] += [c[1] for c in near if c] == [1]
        for f, y, x in self.list:
            if f == n and not any(truth[(y + j) * w + x + k] for j in (-1, 0, 1) for k in (-1, 0, 1)):
                self.events["false clusters"] += 1


def main():
    if len(sys.argv) not in (5, 6):
        sys.exit("usage: reference.py NAME CALIBRATION IMAGE LIST [OUT]")
    try:
        judge = Judge(*sys.argv[1:5], sys.argv[5] if len(sys.argv) == 6 else None)
    except (OSError, ValueError, struct.error) as error:
        sys.exit(f"reference.py: {error}")
    for what, value in judge.out.items():
        print(f"{what}: {value:g}" if isinstance(value, float) else f"{what}: {value}")


main()
