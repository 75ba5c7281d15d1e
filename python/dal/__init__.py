"""Process networks of dal, with NumPy arrays at their ports.

A network with ports is built once, and then opened as often as one likes:

>>> net = dal.Network("gain.xml")
>>> net.ports["samples"]
input samples: float32
>>> net(samples=np.arange(64, dtype="float32"))["louder"][:4]
array([0., 2., 4., 6.], dtype=float32)

An open network is a run. Its ports are written and read in pieces:

>>> with net.open() as run:
...     count = run.samples.write(np.ones(128, "float32"))
...     run.louder.read(3)
array([2., 2., 2.], dtype=float32)

What goes wrong is a `dal.Error` with the text of dalsynth or of the run. An argument of a wrong
type or shape is a TypeError or a ValueError, as everywhere in Python. A loop of tiny calls gets a
`dal.SmallCallsWarning`.
"""

from ._errors import Error, SmallCallsWarning
from ._network import Network
from ._run import Input, Output, Port, Run, Window
from ._types import PortInfo

__all__ = [
    "Error",
    "Input",
    "Network",
    "Output",
    "Port",
    "PortInfo",
    "Run",
    "SmallCallsWarning",
    "Window",
]
__version__ = "0.1.0"
