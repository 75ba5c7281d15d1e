#!/usr/bin/env python3
"""Makes mutants of the runtime's concurrency, and counts those that the controlled scheduler kills.

A mutant is the tree with one thing gone: a memory order, a store of a flag, a wake, a lock, or a second
look before a sleep. Each worker has a copy of the tree and a build folder of its own, where it builds the
mutant and runs the programs of test/schedules. A program that fails, or does not end in time, kills it.
"""
import argparse
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
FOLDERS = ("channels", "rt/base", "rt/control", "rt/device", "rt/host", "rt/kpn", "rt/network", "rt/nodes", "rt/watch")

SURVIVED = "SURVIVED"
PROGRAM = "test/schedules/test_schedules --until-failure --steps"
COMMAND = (f"{PROGRAM} 500000 --protocol all --schedules 150 && {PROGRAM} 500000 --protocol heard --schedules 1000"
           f" && {PROGRAM} 500000 --protocol third --schedules 500"
           f" && {PROGRAM} 3000000 --first 1 --schedules 2 --networks 1000000 --seconds 20"
           " && DAL_TEST_SCHEDULE=1 DAL_TEST_NETWORKS=2 DAL_TEST_TOKENS=100 DAL_TEST_STRIDE=100 test/nodes/test_nodes")

# What is replaced, by kind: a pattern whose first group goes, and what takes its place.
STATEMENT = r"(?<=[;{{}})])\s*\n[ \t]+({name}\((?:[^;]|\n)*?\);)"
KINDS = {
    "order": (r"\b(memory_order_(?:seq_cst|acq_rel|acquire|release))\b", "memory_order_relaxed"),
    "store": (STATEMENT.format(name=r"atomic_(?:store|exchange|fetch_\w+?)(?:_explicit)?"), "(void)0;"),
    "wake": (STATEMENT.format(name=r"(?:dal_wake_signal|pthread_cond_(?:signal|broadcast))"), "(void)0;"),
    "lock": (STATEMENT.format(name=r"pthread_mutex_(?:lock|unlock)"), "(void)0;"),
}


class Mutant:
    """One replacement in one file."""

    def __init__(self, path, line, kind, start, end, new):
        self.path, self.line, self.kind = path, line, kind
        self.start, self.end, self.new = start, end, new

    def __str__(self):
        return f"{self.path}:{self.line}:{self.kind}"

    def apply(self, text):
        return text[: self.start] + self.new + text[self.end :]


def blank(match):
    """A comment as spaces, so that places stay."""
    return re.sub(r"[^\n]", " ", match.group(0))


def function_end(text, start):
    end = text.find("\n}", start)
    return len(text) if end < 0 else end


def without_lock(path, text, line, match):
    """A lock goes with the unlocks behind it in its function: both are one mutant."""
    end = function_end(text, match.start(1))
    name = re.search(r"\(([^)]*)\)", match.group(1)).group(1)
    body = text[match.start(1) : end]
    body = re.sub(r"pthread_mutex_(?:lock|unlock)\(" + re.escape(name) + r"\);", "(void)0;", body)
    return Mutant(path, line, "lock", match.start(1), end, body)


def mutants_of(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        whole = file.read()
    text = re.sub(r"/\*.*?\*/", blank, whole, flags=re.S)
    for kind, (pattern, new) in KINDS.items():
        for match in re.finditer(pattern, text):
            line = text.count("\n", 0, match.start(1)) + 1
            if kind != "lock":
                yield Mutant(path, line, kind, match.start(1), match.end(1), new)
            elif "unlock" not in match.group(1):
                yield without_lock(path, whole, line, match)


def table(name):
    """Rows of a table beside this file: fields between bars, without comments."""
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        for row in file:
            if row.strip() and not row.startswith("#"):
                yield [field.strip() for field in row.split(" | ")]


def equal_ones():
    """File, kind and line of those that change nothing. A line may have bars of its own."""
    for path, kind, *rest in table("mutants_equal.txt"):
        yield path, kind, " | ".join(rest).rsplit(" | ", 1)[0]


def looks():
    """Second looks, by their text, in the table mutants.txt."""
    for path, old, new in table("mutants.txt"):
        with open(os.path.join(TREE, path), encoding="utf-8") as file:
            text = file.read()
        if text.count(old) != 1:
            sys.exit(f"mutants.txt: {path} has {text.count(old)} times: {old}")
        start = text.index(old)
        yield Mutant(path, text.count("\n", 0, start) + 1, "look", start, start + len(old), new)


def all_mutants():
    found = []
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(TREE, folder))):
            if name.endswith((".c", ".h")):
                found += mutants_of(f"{folder}/{name}")
    found += looks()
    # An equivalent one is known by the text of its line, which stays where numbers move.
    same = {tuple(row) for row in equal_ones()}
    return [mutant for mutant in found if key(mutant) not in same]


def key(mutant):
    with open(os.path.join(TREE, mutant.path), encoding="utf-8") as file:
        line = file.read().split("\n")[mutant.line - 1]
    return (mutant.path, mutant.kind, line.strip())


class Worker:
    """A copy of the tree with a build folder."""

    def __init__(self, folder, configure):
        self.tree, self.build = os.path.join(folder, "tree"), os.path.join(folder, "build")
        self.configure = configure

    def prepare(self):
        shutil.copytree(TREE, self.tree, ignore=shutil.ignore_patterns("build", ".git", "node_modules"), symlinks=True)
        os.makedirs(self.build)
        self.run([os.path.join(self.tree, "configure"), "-q", "--enable-schedules"] + self.configure, 600)
        if not self.make():
            sys.exit(f"{self.build}: the tree itself does not build")
        if self.verdict() != SURVIVED:
            sys.exit(f"the tree itself fails: {self.reason()}")

    def run(self, command, seconds):
        """The exit status; None when it did not end in time."""
        try:
            with open(os.path.join(self.build, "mutant.log"), "w", encoding="utf-8") as log:
                return subprocess.run(command, cwd=self.build, stdin=subprocess.DEVNULL, stdout=log,
                                      stderr=subprocess.STDOUT, timeout=seconds, check=False).returncode
        except subprocess.TimeoutExpired:
            return None

    def make(self):
        return self.run(["make", "-s", "test/schedules/test_schedules", "test/nodes/test_nodes"], 600) == 0

    def try_one(self, mutant):
        path = os.path.join(self.tree, mutant.path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(mutant.apply(text))
            if not self.make():
                return "does not build"
            return self.verdict()
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def verdict(self):
        status = self.run(["timeout", "-k", "5", str(options.seconds), "sh", "-c", options.command], options.seconds + 30)
        if status == 0:
            return SURVIVED
        return f"killed ({'no end' if status in (None, 124, 137) else self.reason()})"

    def reason(self):
        with open(os.path.join(self.build, "mutant.log"), encoding="utf-8", errors="replace") as log:
            lines = [line.strip() for line in log if line.strip()] or ["without a word"]
        return next((line for line in lines if "schedule: " in line or "error: " in line), lines[-1])[:100]


def chosen():
    found = all_mutants()
    if options.only:
        found = [mutant for mutant in found if any(text in str(mutant) for text in options.only)]
    if 0 < options.sample < len(found):
        found = random.Random(options.seed).sample(found, options.sample)
    return found


def main():
    mutants = chosen()
    if options.list:
        for mutant in mutants:
            print(mutant, " | ".join(key(mutant)))
        return 0
    workers = [Worker(os.path.join(options.folder, str(i)), options.configure) for i in range(options.jobs)]
    lock, free = threading.Lock(), list(workers)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(Worker.prepare, workers))

        def run(mutant):
            with lock:
                worker = free.pop()
            try:
                verdict = worker.try_one(mutant)
            finally:
                with lock:
                    free.append(worker)
            print(f"{mutant}: {verdict}", flush=True)
            return verdict

        verdicts = [verdict for verdict in pool.map(run, mutants) if verdict != "does not build"]
    killed = sum(verdict != SURVIVED for verdict in verdicts)
    print(f"{killed} of {len(verdicts)} mutants killed")
    return 0 if 100 * killed >= 95 * len(verdicts) else 1


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the mutants and run none")
    parser.add_argument("--only", nargs="*", metavar="TEXT", help="those with one of these in FILE:LINE:KIND")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="as many, drawn; all without")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the sample (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="workers (one a core)")
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="for each mutant (60)")
    parser.add_argument("--folder", default="mutants", metavar="DIR", help="of the workers, which is made (mutants)")
    parser.add_argument("--configure", nargs="*", default=[], metavar="OPTION", help="more options of configure")
    parser.add_argument("--command", default=COMMAND, help="what is to fail, in the build folder")
    return parser.parse_args()


if __name__ == "__main__":
    options = parse()
    sys.exit(main())
