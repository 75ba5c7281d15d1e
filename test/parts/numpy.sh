# What the tests of parts share that compare with NumPy, after test/parts/lib.sh.
# shellcheck shell=bash disable=SC2154 # find_numpy sets python
find_numpy || skip "there is no python3 with numpy"

# numpy CODE: write(NAME, ARRAY) makes NAME.npy. same(NAME, ARRAY) fails unless NAME.npy has exactly these numbers;
# near(NAME, ARRAY, BOUND) lets them differ by so much of the largest.
numpy() {
    "$python" - <<END || fail "NumPy computes something else: $1"
import numpy
from numpy import *
from builtins import abs, max, min, round, sum  # NumPy 2 has others of these names
rng = random.default_rng(1)
def write(name, array):
    save(name, array)
def read(name):
    return load(name + ".npy")
def same(name, wanted):
    found, wanted = read(name), asarray(wanted)
    assert found.dtype == wanted.dtype and found.size == wanted.size, (found.dtype, found.shape, wanted.dtype, wanted.shape)
    assert array_equal(found.ravel(), wanted.ravel()), (found, wanted)
def near(name, wanted, bound=1e-6):
    found, wanted = read(name), asarray(wanted)
    assert found.size == wanted.size, (found.shape, wanted.shape)
    worst = abs(found.ravel().astype(float64) - wanted.ravel()).max() / max(abs(wanted).max(), 1e-30)
    assert worst <= bound, (worst, found, wanted)
$1
END
}
