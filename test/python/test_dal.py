"""The package dal over networks of test/python/input, which python.sh has copied here."""

import array
import asyncio
import copy
import doctest
import gc
import importlib
import os
import pickle
import select
import selectors
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings
import weakref
from pathlib import Path
from unittest import mock

import dal
import numpy as np
from dal import _build, _run

MODULES = ["dal", *(f"dal.{name}" for name in ("_build", "_library", "_network", "_run", "_types"))]
PLACE = np.dtype([("number", "i4"), ("x", "f4"), ("y", "f4")])


class Doubles:
    """An array of another library."""

    def __array__(self, dtype=None, copy=None):
        return np.ones(64).astype(dtype or "f8")


def load_tests(loader, tests, _):
    """Adds the examples of the documentation."""
    globs = {"dal": dal, "np": np, "net": dal.Network("gain.xml")}
    for name in MODULES:
        tests.addTests(doctest.DocTestSuite(importlib.import_module(name), extraglobs=globs))
    return tests


class Gain(unittest.TestCase):
    def setUp(self):
        self.net = dal.Network("gain.xml")
        self.samples = np.arange(1 << 18, dtype="float32")  # 1 MB

    def test_pieces(self):
        with self.net.open() as run:
            for first in range(0, 6400, 640):
                piece = self.samples[first : first + 640]
                self.assertEqual(run.samples.write(piece), 640)
                np.testing.assert_array_equal(run.louder.read(640), 2 * piece)
            run.samples.end()
            self.assertEqual(len(run.louder.read(1)), 0)
            self.assertTrue(run.louder.is_over and run.samples.is_over)

    def small_writes(self, **limits):
        """Returns the warnings of 300 writes of a token."""
        with mock.patch.multiple(_run, _SMALL_CALLS=100, **limits), self.net.open() as run:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                for _ in range(300):
                    run.samples.write(np.ones(1, "float32"), timeout=0.1)
                    run.louder.read(1024, timeout=0)
            return caught

    def test_small_calls(self):
        (warning,) = self.small_writes(_SMALL_S=1e9)
        self.assertIs(warning.category, dal.SmallCallsWarning)
        self.assertEqual(warning.filename, __file__)
        self.assertIn("port samples: 100 calls moved few tokens each; 16384 at", str(warning.message))
        self.assertEqual(self.small_writes(_SMALL_S=-1), [])
        self.assertEqual(self.small_writes(_SMALL_S=1e9, _SMALL_BYTES=4), [])

    def test_both_ways_in_one_thread(self):
        """More than the channels hold: what does not go in at once goes in later."""
        got, done = [], 0
        samples = np.tile(self.samples, 4)
        with self.net.open() as run:
            while done < len(samples):
                done += run.samples.write(samples[done:], timeout=0.005)
                got.append(run.louder.read(1 << 18, timeout=0.005))
            run.samples.end()
            got.append(run.louder.read())
        np.testing.assert_array_equal(np.concatenate(got), 2 * samples)

    def test_selectors(self):
        """One thread moves what fits, when descriptors say so."""
        got, done = [], 0
        with self.net.open() as run, selectors.DefaultSelector() as selector:
            selector.register(run.samples, selectors.EVENT_READ)
            selector.register(run.louder, selectors.EVENT_READ)
            while selector.get_map():
                for key, _ in selector.select():
                    if key.fileobj is run.samples:
                        done += run.samples.write(self.samples[done:], timeout=0)
                        if done == len(self.samples):
                            selector.unregister(run.samples)
                            run.samples.end()
                    else:
                        got.append(run.louder.read(1 << 16, timeout=0))
                        if run.louder.is_over:
                            selector.unregister(run.louder)
        np.testing.assert_array_equal(np.concatenate(got), 2 * self.samples)

    def test_asyncio(self):
        """A loop goes on with other work while nothing comes."""

        async def read_all(run):
            loop, over, got = asyncio.get_running_loop(), asyncio.Event(), []

            def take():
                got.append(run.louder.read(1 << 16, timeout=0))
                if run.louder.is_over:
                    over.set()

            loop.add_reader(run.louder, take)
            await asyncio.sleep(0.01)
            self.assertEqual(sum(map(len, got)), 0)
            run.samples.write(self.samples[:128])
            run.samples.end()
            await over.wait()
            loop.remove_reader(run.louder)
            return np.concatenate(got)

        with self.net.open() as run:
            np.testing.assert_array_equal(asyncio.run(read_all(run)), 2 * self.samples[:128])
            self.assertEqual(run.louder.fileno(), run.louder.fileno())
            with run.louder.window(timeout=0):
                pass
        with self.assertRaises(dal.Error):
            run.louder.fileno()

    def test_arrays(self):
        for count in 0, 64, 1 << 18, 1 << 20:
            samples = np.arange(count, dtype="float32")
            louder = self.net(samples=samples)["louder"]
            np.testing.assert_array_equal(louder, 2 * samples)

    def test_a_list_and_what_does_not_lie_in_one_piece(self):
        self.assertEqual(self.net(samples=[1] * 64)["louder"][63], 2)
        louder = self.net(samples=self.samples[:640:10])["louder"]
        np.testing.assert_array_equal(louder, 2 * self.samples[:640:10])

    def test_windows(self):
        with self.net.open() as run:
            with self.assertRaises(ValueError), run.samples.window() as space:
                space[:] = 9
                raise ValueError  # nothing counts as written
            window = run.samples.window()
            with window as space:
                space[:64] = self.samples[:64]
                window.used = 64
                with self.assertRaisesRegex(dal.Error, "port samples has a window"):
                    run.samples.write([1])
                with self.assertRaisesRegex(dal.Error, "while a window"):
                    run.close()
            with run.louder.window(most=10) as tokens:
                self.assertFalse(tokens.flags.writeable)
                np.testing.assert_array_equal(tokens, 2 * self.samples[:10])
            self.assertEqual(run.louder.read(1)[0], 20)
            with self.assertRaisesRegex(dal.Error, "fewer tokens"):
                window = run.louder.window()
                with window:
                    window.used = 1000000

    def test_a_window_of_a_wrong_size(self):
        with self.net.open() as run:
            for most, error in (-1, ValueError), ("x", TypeError), (1.5, TypeError):
                with self.assertRaises(error), run.samples.window(most=most):
                    pass
            with run.samples.window(most=0) as space:
                self.assertEqual(len(space), 0)
            with run.samples.window(most=np.int64(3)) as space:
                self.assertEqual(len(space), 3)
            self.assertEqual(run.samples.write([1] * 61), 61)

    def test_an_array_of_a_window_behind_it(self):
        """It is empty then; a part of it does no harm even when the run is closed."""
        with self.net.open() as run:
            with run.samples.window(most=64) as space:
                space[:] = 3
                part = space[:2]
            space[:] = 9
            self.assertEqual(space.shape, (0,))
            with run.louder.window(most=2) as tokens:
                self.assertEqual(tokens[0], 6)
            with self.assertRaises(IndexError):
                tokens[0]
        part[:] = 5
        self.assertEqual(part.sum(), 10)
        closes = weakref.ref(run)
        del part, run
        gc.collect()
        self.assertIsNone(closes())

    def test_a_run_that_failed_behind_a_part_of_a_window(self):
        with self.assertRaisesRegex(RuntimeError, "mine"), self.net.open() as run:
            with run.samples.window() as space:
                part = space[1:]
                raise RuntimeError("mine")
        part[:] = 5

    def test_a_window_in_vain(self):
        with self.net.open() as run:
            with run.louder.window(timeout=0.01) as tokens:
                self.assertEqual(len(tokens), 0)
            run.samples.end()
            with run.louder.window() as tokens:
                self.assertEqual(len(tokens), 0)

    def test_iteration(self):
        with self.net.open() as run:
            run.samples.write(self.samples[:6400])
            run.samples.end()
            np.testing.assert_array_equal(np.concatenate(list(run.louder)), 2 * self.samples[:6400])

    def test_read_into(self):
        out = np.zeros(100, "float32")
        with self.net.open() as run:
            run.samples.write(self.samples[:64])
            part = run.louder.read(out=out, timeout=0.05)
            self.assertEqual((len(part), out[63], part.base is out), (64, 126, True))
            with self.assertRaisesRegex(TypeError, "not of float64"):
                run.louder.read(out=np.zeros(1))
            with self.assertRaisesRegex(ValueError, "one piece"):
                run.louder.read(out=out[::2])

    def test_timeouts(self):
        with self.net.open() as run:
            before = time.monotonic()
            self.assertEqual(len(run.louder.read(1, timeout=0.25)), 0)
            self.assertGreaterEqual(time.monotonic() - before, 0.25)
            self.assertEqual(len(run.louder.read(timeout=0)), 0)
            self.assertEqual(len(run.louder.read(1, timeout=-np.inf)), 0)
            self.assertEqual(run.samples.write([0] * 64, timeout=np.inf), 64)
            self.assertEqual(len(run.louder.read(64, timeout=1e300)), 64)
            for call in run.louder.read, run.wait:
                with self.assertRaisesRegex(ValueError, "timeout is a number of seconds, not nan"):
                    call(timeout=float("nan"))
            self.assertFalse(run.louder.is_over)
            while run.samples.write(self.samples, timeout=0.05) == len(self.samples):
                pass
            self.assertGreater(len(run.louder.read(100000, timeout=0)), 0)

    def test_wrong_arguments(self):
        with self.net.open() as run:
            with self.assertRaisesRegex(TypeError, "tokens of float32, not of float64"):
                run.samples.write(np.zeros(64))
            with self.assertRaisesRegex(ValueError, r"of shape \(N,\), not \(\)"):
                run.samples.write(np.float32(1))
            with self.assertRaisesRegex(AttributeError, "no port 'sample': .* samples, louder"):
                run.sample
            for kind in "d", "q":
                with self.assertRaisesRegex(TypeError, "tokens of float32, not of .*64"):
                    run.samples.write(array.array(kind, [1]))
            for wrong in bytearray(64), Doubles(), [None], ["3"], [1, "3"], [[None]]:
                with self.assertRaisesRegex(TypeError, "tokens of float32, not of"):
                    run.samples.write(wrong)
            with self.assertRaisesRegex(TypeError, "port samples has tokens without a mask"):
                run.samples.write(np.ma.array(np.ones(64, "f4"), mask=True))
            for right in array.array("f", [1]), memoryview(self.samples)[:1], [1 << 70], range(1):
                self.assertEqual(run.samples.write(right), 1)
            with self.assertRaises(AttributeError):
                run.louder.write([1])
            for wrong in -1, 5:
                with self.assertRaisesRegex(ValueError, f"room for 4 tokens, not {wrong}"):
                    run.louder.read(wrong, out=np.zeros(4, "f4"))
            with self.assertRaises(TypeError):
                run.louder.read(1.0, out=np.zeros(4, "f4"))
        for wrong in -1, 1 << 64:
            with self.assertRaisesRegex(ValueError, "max_memory is a number of bytes"):
                self.net.open(max_memory=wrong)
        with dal.Network("late.xml").open() as run:
            for wrong in [1.5, 2.7], ["1"], [1, None]:
                with self.assertRaisesRegex(TypeError, "tokens of int32, not of"):
                    run.numbers.write(wrong)
            for wrong in [1 << 31], [0, -(1 << 31) - 1], [(1 << 64) - 1], [1 << 64]:
                with self.assertRaisesRegex(ValueError, "from -2147483648 to 2147483647"):
                    run.numbers.write(wrong)
            self.assertEqual(run.numbers.write([]), 0)
            self.assertEqual(run.numbers.write([True, -(1 << 31), (1 << 31) - 1]), 3)
        with self.assertRaisesRegex(dal.Error, "no input 'x': the network has samples"):
            self.net(x=[1])
        with self.assertRaisesRegex(dal.Error, "input samples has no array"):
            self.net()
        for given in [None], [None, "arch.xml"], [None, "arch.xml", "map.xml"]:
            with self.assertRaisesRegex(TypeError, "not NoneType"):
                dal.Network(*given)
        with self.assertRaisesRegex(TypeError, "wants a mapping"):
            dal.Network("gain.xml", "arch.xml")
        with self.assertRaisesRegex(dal.Error, "no port 'x'"):
            dal.Network("gain.xml", dtypes={"x": "f4"})

    def test_large_integers_of_a_list(self):
        """NumPy takes some for floats, or for objects."""
        port = dal.PortInfo("x", 0, False, "uint64_t", np.dtype("u8"), (), 8)
        last = (1 << 64) - 1
        for right in [1, 1 << 63, last], [np.uint64(last), 1], [np.uint64(last), np.int64(1), True]:
            self.assertEqual(port.check(right).tolist(), right)
        for wrong in [1 << 64], [np.uint64(last), -1], [last, -1]:
            with self.assertRaisesRegex(ValueError, f"tokens from 0 to {last}"):
                port.check(wrong)
        for wrong in [1 << 63, 1.0], [1 << 64, None], [np.uint64(1), 2.5]:
            with self.assertRaisesRegex(TypeError, "tokens of uint64, not of"):
                port.check(wrong)

    def test_parameters(self):
        self.assertEqual(self.net({"Gain.add": 3}, samples=[1] * 64)["louder"][0], 5)
        for factor in 4, True:
            net = dal.Network("gain.xml", factor=factor)
            for same in net, copy.deepcopy(net), pickle.loads(pickle.dumps(net)):
                self.assertEqual(same(samples=[1] * 64)["louder"][0], factor)
        with self.assertRaisesRegex(dal.Error, "Nobody"):
            self.net.open({"Nobody.add": 3})
        with self.assertRaisesRegex(ValueError, "line end"):
            self.net.open({"Gain.add": "3\nGain.add=4"})
        with self.net.open(**{"Gain.add": 3}) as run:
            run.samples.write([1] * 64)
            self.assertEqual(run.louder.read(1)[0], 5)
        with self.assertRaisesRegex(TypeError, "given twice: Gain.add"):
            self.net.open({"Gain.add": 3}, **{"Gain.add": 3})

    def test_live_parameters(self):
        with self.net.open() as run:
            for value in 1, 5, True:
                run.set("Gain.add", value)
                run.samples.write(np.zeros(64, "float32"))
                self.assertEqual(run.louder.read(64)[63], value)
            with self.assertRaisesRegex(dal.Error, "no parameter Gain.nothing"):
                run.set("Gain.nothing", 1)

    def test_a_listener_calls_the_run(self):
        heard = []

        def hear(_, text):
            if "from firing" in text:
                heard.append(text)
                run.stats()
                if len(heard) == 1:
                    run.set("Gain.add", 2)

        with self.net.open(log=hear) as run:
            run.set("Gain.add", 1)
            for _ in range(3):
                run.samples.write(np.zeros(64, "float32"))
                last = run.louder.read(64)[63]
        self.assertEqual((last, len(heard)), (2, 2))

    def test_stats(self):
        with self.net.open() as run:
            run.samples.write(self.samples[:640])
            run.louder.read(640)
            stats = run.stats()
        self.assertEqual([p["name"] for p in stats["processes"]], ["samples", "Gain", "louder"])
        self.assertEqual(len(stats["channels"]), 2)
        self.assertEqual([stats["latencies"], stats["periodic"]], [[], []])

    def test_a_process_that_fails(self):
        heard = []
        with self.assertRaisesRegex(dal.Error, "a sample of -1"):
            with self.net.open(log=lambda level, text: heard.append((level, text))) as run:
                run.samples.write(np.full(64, -1, "float32"))
                run.louder.read(1)
        self.assertEqual(heard[0][0], "error")
        self.assertIn("a sample of -1", heard[0][1])
        with self.assertRaisesRegex(dal.Error, "a sample of -1"):
            self.net(samples=self.samples - 1)

    def test_a_read_to_the_end_of_a_network_that_fails(self):
        """A part of all is no end."""
        run = self.net.open()
        run.samples.write(self.samples[:64])
        select.select([run.louder], [], [])
        run.samples.write(np.full(64, -1, "float32"))
        with self.assertRaisesRegex(dal.Error, "a sample of -1"):
            run.louder.read()
        with self.assertRaisesRegex(dal.Error, "a sample of -1"):
            run.close()

    def test_three_at_once(self):
        """One of three networks fails; the others do not notice."""
        nets = {factor: dal.Network("gain.xml", factor=factor) for factor in (2, 3, 4)}
        got, errors = {}, {}

        def work(factor):
            samples = self.samples - 1 if factor == 3 else self.samples
            try:
                for _ in range(5):
                    got[factor] = nets[factor](samples=samples)["louder"]
            except dal.Error as error:
                errors[factor] = str(error)

        threads = [threading.Thread(target=work, args=(factor,)) for factor in nets]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(list(errors), [3])
        for factor in 2, 4:
            np.testing.assert_array_equal(got[factor], factor * self.samples)

    def test_abort_and_close(self):
        run = self.net.open()
        failed = []

        def read():
            try:
                run.louder.read(1)
            except dal.Error as error:
                failed.append(str(error))

        thread = threading.Thread(target=read)
        thread.start()
        run.abort()
        thread.join()
        self.assertEqual(len(failed), 1)
        with self.assertRaises(dal.Error):
            run.close()
        run.close()
        with self.assertRaisesRegex(dal.Error, "the run is closed"):
            run.samples.write([1])
        with self.assertRaisesRegex(dal.Error, "the run is closed"):
            run.stats()

    def test_close_lets_a_reader_end(self):
        run = self.net.open()
        got = []
        thread = threading.Thread(target=lambda: got.append(run.louder.read(1000000)))
        thread.start()
        run.samples.write(self.samples[:640])
        while not run.louder._lock.locked():
            time.sleep(0.01)
        run.close()
        thread.join()
        np.testing.assert_array_equal(got[0], 2 * self.samples[:640])

    def test_abort_ends_a_close(self):
        """That of a write which cannot go on, and of a wait for the end."""
        for end in "abort", "stop":
            run = self.net.open(max_memory=1)
            said = []

            def write():
                try:
                    said.append(run.samples.write(np.tile(self.samples, 16)))
                except dal.Error as error:
                    said.append(str(error))

            def break_off():
                while run._handle:
                    time.sleep(0.01)
                if end == "stop":  # which lets a write be
                    run.stop()
                    time.sleep(0.1)
                run.abort()

            threads = [threading.Thread(target=each, daemon=True) for each in (write, break_off)]
            threads[0].start()
            while not run.samples._lock.locked():
                time.sleep(0.01)
            threads[1].start()
            with self.assertRaisesRegex(dal.Error, "interrupted"):
                run.close()
            for thread in threads:
                thread.join()
            self.assertEqual(len(said), 1)
            run.abort()

    def close_around_a_window(self, port):
        """Another thread gets it behind the look whether there is one. Returns what it has then."""
        run, refuse, used = port._run, port._run._refuse_windows, []

        def use():
            with port.window(most=64) as tokens:
                while run._handle:
                    time.sleep(0.01)
                time.sleep(0.1)
                used.append(len(tokens))

        def refuse_before():
            refuse()
            threading.Thread(target=use).start()
            while not port._has_window:
                time.sleep(0.01)

        with mock.patch.object(run, "_refuse_windows", refuse_before):
            run.close()
        return used

    def test_close_waits_for_a_window(self):
        run = self.net.open()
        self.assertEqual(self.close_around_a_window(run.samples), [64])
        run = self.net.open()
        run.samples.write(self.samples[:64])
        self.assertEqual(self.close_around_a_window(run.louder), [64])

    def test_a_window_in_vain_beside_another(self):
        """It ends its own, which is none."""
        with self.net.open() as run:
            empty = run.louder.window(timeout=0)
            with empty as tokens:
                self.assertEqual(len(tokens), 0)
                run.samples.write(self.samples[:64])
                other = run.louder.window()
                other.__enter__()
            with self.assertRaisesRegex(dal.Error, "has a window"):
                run.louder.read(1)
            other.__exit__(None)

    def expect_threads(self, names):
        """Waits until a process has the threads of before, or fewer."""
        for _ in range(1000):
            if set(os.listdir("/proc/self/task")) <= names:
                return
            time.sleep(0.01)
        self.fail("threads are left")

    def test_a_run_that_nobody_closes(self):
        before = set(os.listdir("/proc/self/task"))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run = self.net.open()
            run.samples.write([1])
            del run
            gc.collect()
        self.assertEqual([w.category for w in caught], [ResourceWarning])
        self.expect_threads(before)

    def test_a_run_that_is_collected_by_its_own_thread(self):
        before = set(os.listdir("/proc/self/task"))
        dropped, collected = threading.Event(), threading.Event()

        def hear(_, text):
            if "add=1" in text:
                dropped.wait()
                gc.collect()
                collected.set()

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = self.net.open(log=hear)
            run.set("Gain.add", 1)
            run.samples.write(self.samples[:64])
            del run
            dropped.set()
            self.assertTrue(collected.wait(10))
            self.expect_threads(before)

    def test_a_run_that_is_collected_within_threading(self):
        """The collector may strike while a thread starts: none of threading is started there."""
        library, close, closed = self.net._library, self.net._library.close, threading.Event()

        def tell(handle):
            close(handle)
            closed.set()

        run = self.net.open()
        with warnings.catch_warnings(), mock.patch.object(library, "close", tell):
            warnings.simplefilter("ignore")
            with mock.patch.object(threading, "Thread", None):
                del run
                gc.collect()
            self.assertTrue(closed.wait(10))

    def test_an_exit_while_a_run_is_freed(self):
        program = (
            "import dal, gc, time\n"
            "net = dal.Network('gain.xml')\n"
            "library, close = net._library, net._library.close\n"
            "def close_late(handle):\n"
            "    time.sleep(0.3)\n"
            "    print(close(handle))\n"
            "library.close = close_late\n"
            "net.open()\n"
            "gc.collect()\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], timeout=60, stdout=subprocess.PIPE, text=True
        )
        self.assertEqual((done.returncode, bool(done.stdout)), (0, True))

    def test_an_exit_while_a_thread_has_a_window(self):
        program = (
            "import dal, threading, time\n"
            "run = dal.Network('gain.xml').open()\n"
            "def use():\n"
            "    while True:\n"
            "        with run.samples.window() as space:\n"
            "            until = time.monotonic() + 0.02\n"
            "            while time.monotonic() < until:\n"
            "                space[:] = 1\n"
            "        run.louder.read(64, timeout=0)\n"
            "threading.Thread(target=use, daemon=True).start()\n"
            "threading.excepthook = lambda _: None\n"
            "time.sleep(0.1)\n"
        )
        for _ in range(6):
            done = subprocess.run([sys.executable, "-c", program], timeout=60)
            self.assertEqual(done.returncode, 0)

    def test_an_exit_while_threads_call(self):
        program = (
            "import dal, threading, time\n"
            "run = dal.Network('gain.xml').open()\n"
            "def ask():\n"
            "    while True:\n"
            "        run.stats()\n"
            "for call in ask, ask, run.wait, run.louder.read:\n"
            "    threading.Thread(target=call, daemon=True).start()\n"
            "threading.excepthook = lambda _: None\n"
            "time.sleep(0.1)\n"
        )
        for _ in range(3):
            done = subprocess.run([sys.executable, "-c", program], timeout=60)
            self.assertEqual(done.returncode, 0)

    def test_files(self):
        Path("old.raw").write_bytes(b"old")
        np.save("in.npy", self.samples)
        with self.net.open(files={"samples": "in.npy", "louder": Path("out.npy")}) as run:
            self.assertEqual(run.ports, {})
            with self.assertRaises(AttributeError):
                run.samples
            self.assertTrue(run.wait())
            np.testing.assert_array_equal(np.load("out.npy"), 2 * self.samples)
        with self.net.open(files={"samples": b"in.npy"}) as run:  # as os.listdir(b".") names it
            self.assertFalse(run.wait(timeout=0.01))
            np.testing.assert_array_equal(run.louder.read(), 2 * self.samples)
            self.assertTrue(run.wait())
        with self.assertRaisesRegex(dal.Error, "port samples: nowhere.npy: No such file"):
            self.net.open(files={"samples": "nowhere.npy"})
        with self.assertRaisesRegex(dal.Error, "network gain has no port sample"):
            self.net.open(files={"sample": "in.npy"})
        with self.assertRaisesRegex(ValueError, "a line end"):
            self.net.open(files={"samples": "a\nb"})
        with self.net.open(files={"samples": "/dev/zero", "louder": "/dev/full"}) as run:
            with self.assertRaisesRegex(dal.Error, "port louder: /dev/full: cannot be written"):
                run.wait()
            with self.assertRaisesRegex(dal.Error, "/dev/full"):
                run.close()
        self.assertEqual(sorted(map(str, Path().glob("old*"))), ["old.raw"])

    def test_stop_a_pipe(self):
        """What has come is written; after an abort the older file stays. SIGPIPE is Python's."""
        os.mkfifo("pipe")
        pipe = os.open("pipe", os.O_RDWR)
        self.addCleanup(os.close, pipe)
        self.addCleanup(os.remove, "pipe")
        Path("out.raw").write_bytes(b"older")
        for end in "abort", "stop":
            run = self.net.open(files={"samples": "pipe", "louder": "out.raw"})
            os.write(pipe, self.samples[:640].tobytes())
            while run.stats()["processes"][1]["firings"] < 10:
                self.assertFalse(run.wait(timeout=0.01))
            getattr(run, end)()
            if end == "stop":
                self.assertTrue(run.wait())
                run.close()
                self.assertEqual(len(Path("out.raw").read_bytes()), 2560)
            else:
                with self.assertRaises(dal.Error):
                    run.wait()
                with self.assertRaises(dal.Error):
                    run.close()
                self.assertEqual(Path("out.raw").read_bytes(), b"older")
            with self.assertRaisesRegex(dal.Error, "the run is closed"):
                run.wait()

    def test_close_while_another_thread_waits(self):
        run = self.net.open(files={"samples": "/dev/zero", "louder": "/dev/null"})
        said = []

        def wait():
            try:
                said.append(run.wait())
            except dal.Error as error:
                said.append(str(error))

        thread = threading.Thread(target=wait)
        thread.start()
        run.close()
        thread.join()
        self.assertEqual(said, ["the run is closed"])

    def test_a_fork(self):
        def ask(run):
            signal.alarm(60)
            for call in run.samples.end, run.louder.read, run.stats, run.wait, run.louder.fileno:
                with self.assertRaisesRegex(dal.Error, "the run is closed"):
                    call()
            run.close()
            self.assertEqual(self.net(samples=[1] * 64)["louder"][0], 2)
            return 0

        with self.net.open() as run:
            thread = threading.Thread(target=run.louder.read, args=(64,))  # it holds the lock
            thread.start()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                child = os.fork()
            if child == 0:
                status = 1
                try:
                    status = ask(run)
                finally:
                    os._exit(status)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual(run.samples.write(self.samples[:128]), 128)
            thread.join()
            self.assertEqual(len(run.louder.read(64)), 64)

    def test_what_is_known_of_it(self):
        self.assertTrue(self.net.analyze()["consistent"])
        with mock.patch.object(_build, "call", wraps=_build.call) as call:
            told = self.net.explain()
        self.assertEqual(call.call_count, 1)
        text = _build.ask("dalsynth", ["--check", "--explain", "gain.xml"], ".")
        self.assertEqual(str(told), text)
        self.assertNotIn("text", told)
        self.assertIn("samples-Gain.in", [c["channel"] for c in told["channels"]])
        self.assertIn("samples-Gain.in", str(told))
        self.assertEqual(told["network"], "gain")
        self.assertEqual({p["type"] for p in told["processes"]}, {"c, open port", "c"})
        self.assertIn("channel Gain.out-louder", self.net.explain("plan"))
        self.assertIn("<html", self.net.picture(".html"))
        svg = self.net._repr_svg_()
        self.assertIn("<iframe" if svg is None else "<svg", svg or self.net._repr_html_())

    def test_a_mapping(self):
        machine, mapping = Path("arch.xml"), Path("map.xml")
        machine.write_text(
            '<architecture name="a"><processor name="core_0" type="RISC">'
            '<capability name="POSIX" identifier="0"/></processor></architecture>'
        )
        mapping.write_text(
            '<mapping name="m"><binding name="b"><process name="*"/><processor name="core_0"/>'
            "</binding></mapping>"
        )
        for files in [machine, mapping], [None, mapping]:  # a mapping alone is to this machine
            net = dal.Network(Path("gain.xml"), *files)
            self.assertIn("core_0", {p["runs_on"] for p in net.explain()["processes"]})
            self.assertIn("Gain", net.analyze()["repetition"])
            self.assertEqual(net(samples=[1] * 64)["louder"][0], 2)


class Others(unittest.TestCase):
    def test_structures(self):
        net = dal.Network("kinds.xml")
        self.assertEqual(net.ports["places"].dtype, PLACE)
        places = np.zeros(1000, PLACE)
        places["number"] = np.arange(1000)
        pixels = np.arange(30, dtype="uint8").reshape(10, 3)
        result = net(places=places, pixels=pixels)
        np.testing.assert_array_equal(result["moved"]["x"], np.arange(1000, dtype="float32"))
        np.testing.assert_array_equal(result["grey"], np.arange(1, 31, 3, dtype="uint8"))
        with self.assertRaisesRegex(ValueError, r"of shape \(N, 3\), not \(30,\)"):
            net(places=places, pixels=pixels.ravel())

    def test_structures_as_bytes(self):
        plain = {"places": "V12", "moved": "V12"}
        net = dal.Network("kinds.xml", dtypes=plain)
        self.assertEqual(net.ports["places"].dtype, np.dtype("V12"))
        self.assertEqual(net.ports["places"].type, "struct place")
        self.assertEqual(net.ports["pixels"].shape, (3,))
        places = np.zeros(10, PLACE)
        places["number"] = 7
        with net.open() as run:
            run.places.write(places.view("V12"))
            self.assertEqual(run.moved.read(10).view(PLACE)["x"][9], 7)
            run.places.write(places)
            out = np.zeros(10, PLACE)
            self.assertEqual(run.moved.read(out=out)["x"][9], 7)
            with self.assertRaisesRegex(TypeError, r"tokens of \|V12, not of"):
                run.places.write(np.zeros(10, "V11"))
            with run.pixels.window(most=5) as space:
                self.assertEqual(space.shape, (5, 3))
                space[:] = 30
            self.assertEqual(run.grey.read(5).tolist(), [30] * 5)

    def test_other_structures(self):
        other = np.dtype([("number", "i4"), ("x", "f4"), ("z", "f4")])
        with dal.Network("kinds.xml").open() as run:
            self.assertEqual(run.places.write(np.zeros(10, "V12")), 10)
            self.assertEqual(run.places.write([(1, 2, 3)]), 1)
            self.assertEqual(run.moved.read(11)[10].tolist(), (1, 3, 3))
            with self.assertRaisesRegex(TypeError, "port places has tokens of"):
                run.places.write(np.zeros(10, other))

    def test_arrays_in_any_order(self):
        """In one thread, the first array would have to go in as a whole before the second."""
        ones = np.ones(1 << 19, "float32")
        total = dal.Network("zip.xml")(a=ones, b=2 * ones)["sum"]
        np.testing.assert_array_equal(total, 3 * ones)

    def test_a_write_makes_a_channel_grow(self):
        """Nobody reads the second channel before all is in the first."""
        numbers = np.ones(500000, "int32")
        with dal.Network("late.xml").open() as run:
            self.assertEqual(run.numbers.write(numbers), len(numbers))
            run.numbers.end()
            self.assertEqual(run.sum.read(1)[0], 500000)

    def test_a_network_that_cannot_be_built(self):
        with self.assertRaisesRegex(dal.Error, "broken.xml:3: error: .*gone.c"):
            dal.Network("broken.xml")
        net = dal.Network("broken.xml", build=False)
        with self.assertRaisesRegex(dal.Error, "gone.c"):
            net.open()
        with self.assertRaisesRegex(dal.Error, "nothing.xml"):
            dal.Network("nothing.xml")
        before = os.environ.get("DALSYNTH")
        os.environ["DALSYNTH"] = "/nowhere/dalsynth"
        try:
            with self.assertRaisesRegex(dal.Error, "/nowhere/dalsynth: No such file"):
                dal.Network("gain.xml")
        finally:
            os.environ.pop("DALSYNTH") if before is None else os.environ.update(DALSYNTH=before)


class Cache(unittest.TestCase):
    def test_rebuilt_after_a_change(self):
        source = Path("again.c")
        for name in "gain.xml", "gain.c":
            text = Path(name).read_text().replace("gain", "again")
            Path(name.replace("gain", "again")).write_text(text)
        first = dal.Network("again.xml")
        self.assertTrue(first.built)
        self.assertFalse(dal.Network("again.xml").built)
        self.assertTrue(dal.Network("again.xml", factor=5).built)
        with first.open() as run:
            source.write_text(source.read_text().replace("+ add", "+ add + 100"))
            second = dal.Network("again.xml")
            self.assertTrue(second.built)
            self.assertEqual(second(samples=[1] * 64)["louder"][0], 102)
            run.samples.write([1] * 64)
            self.assertEqual(run.louder.read(1)[0], 2)  # the old one runs on
        source.write_text("what is this")
        with self.assertRaises(dal.Error):
            dal.Network("again.xml")
        self.assertEqual(second(samples=[1] * 64)["louder"][0], 102)

    def test_rebuilt_after_a_change_of_a_header(self):
        """A header that an option finds is one of the sources."""
        text = Path("gain.xml").read_text().replace("gain.c", "found.c")
        Path("found.xml").write_text(text.replace("found.c\"", "found.c\" include=\"found\""))
        source = Path("gain.c").read_text().replace("+ add", "+ add + MORE")
        Path("found.c").write_text('#include "more.h"\n' + source)
        Path("found").mkdir()
        for more in 1, 2:
            Path("found/more.h").write_text(f"#define MORE {more}\n")
            net = dal.Network("found.xml")
            self.assertTrue(net.built)
            self.assertEqual(net(samples=[1] * 64)["louder"][0], 2 + more)
        self.assertFalse(dal.Network("found.xml").built)

    def test_rebuilt_after_a_change_of_a_part(self):
        Path("part.xml").write_text(Path("gain.xml").read_text())
        outer = '<port type="{}" name="{}" tokentype="float"/>'
        Path("outer.xml").write_text(
            '<processnetwork name="outer">'
            + outer.format("input", "samples")
            + outer.format("output", "louder")
            + '<network name="Part" source="part.xml"/>'
            '<channel from="samples" to="Part.samples"/>'
            '<channel from="Part.louder" to="louder"/></processnetwork>'
        )
        self.assertTrue(dal.Network("outer.xml").built)
        self.assertFalse(dal.Network("outer.xml").built)
        text = Path("part.xml").read_text()
        Path("part.xml").write_text(text.replace('"factor" value="2"', '"factor" value="7"'))
        net = dal.Network("outer.xml")
        self.assertTrue(net.built)
        self.assertEqual(net({"Part.Gain.add": 1}, samples=[1] * 64)["louder"][0], 8)

    def test_rebuilt_for_another_environment(self):
        Path("options.xml").write_text(Path("gain.xml").read_text().replace('"gain"', '"options"'))
        self.assertTrue(dal.Network("options.xml").built)
        self.assertFalse(dal.Network("options.xml").built)
        with mock.patch.dict(os.environ, CPPFLAGS="-DUNUSED"):
            self.assertTrue(dal.Network("options.xml").built)
            self.assertFalse(dal.Network("options.xml").built)
        self.assertFalse(dal.Network("options.xml").built)
        keys = {_build._key(["options.xml"], [], "")}
        names = "CPPFLAGS DAL_CFLAGS DAL_LIBS DAL_REGISTERS OBJCOPY LD PKG_CONFIG LIBRARY_PATH"
        for name in [*names.split(), "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"]:
            with mock.patch.dict(os.environ, {name: "other"}):
                keys.add(_build._key(["options.xml"], [], ""))
        self.assertEqual(len(keys), 11)

    def test_built_by_many_at_once(self):
        Path("many.xml").write_text(Path("gain.xml").read_text().replace('"gain"', '"many"'))
        got = []
        threads = [
            threading.Thread(
                target=lambda: got.append(dal.Network("many.xml")(samples=[1] * 64)["louder"][0])
            )
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(got, [2, 2, 2])

    def test_old_entries_go(self):
        folder = _build.cache()
        dal.Network("gain.xml")
        (folder / "half.made").mkdir(exist_ok=True)  # as somebody left it who was killed
        most, _build.MOST_ENTRIES = _build.MOST_ENTRIES, 2
        try:
            dal.Network("gain.xml", factor=99)
            kept = [path.name for path in folder.iterdir() if path.is_symlink()]
            self.assertEqual(len(kept), 2)
            self.assertEqual(len([path for path in folder.iterdir() if path.is_dir()]), 4)
            self.assertFalse(dal.Network("gain.xml", factor=99).built)
            self.assertFalse(dal.Network("gain.xml").built)
        finally:
            _build.MOST_ENTRIES = most


class CtrlC(unittest.TestCase):
    """A program that waits, and is interrupted."""

    def interrupted(self, statement):
        program = (
            "import dal, time, numpy as np\n"
            "net = dal.Network('gain.xml')\n"
            f"with net.open() as run:\n    print('ready', flush=True)\n    {statement}\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        ) as child:
            self.assertEqual(child.stdout.readline(), "ready\n")
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            _, said = child.communicate()
            self.assertEqual(child.returncode, -signal.SIGINT, said)
            self.assertIn("KeyboardInterrupt", said)

    def test_read(self):
        self.interrupted("run.louder.read(1)")

    def test_write(self):
        self.interrupted("run.samples.write(np.zeros(1 << 22, 'float32'))")

    def test_window(self):
        self.interrupted("run.louder.window().__enter__()")

    def test_wait(self):
        self.interrupted("run.wait()")

    def test_arrays(self):
        self.interrupted(
            "[net(samples=np.zeros(1 << 22, 'float32')) for _ in iter(int, 1)]"
        )


if __name__ == "__main__":
    unittest.main()
