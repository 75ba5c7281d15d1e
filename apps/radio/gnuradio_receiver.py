"""GNU Radio's own receiver on the same recording, to compare speeds.

    python3 gnuradio_receiver.py RECORDING TIMES

Its blocks for the same steps: a filter that moves the station to 0 and keeps each fourth sample,
wfm_rcv_pll for the discriminator, the pilot and both sides at 64 kHz, and a rational resampler by 3/4
for each side. Nothing is written. All of its threads are on one core. It tells samples a second as
the receiver of apps/radio does.
"""
import os
import sys
import time

from gnuradio import analog, blocks, filter, gr
from gnuradio.filter import firdes

RATE = 1024000


def receiver(name, times):
    top = gr.top_block()
    size = os.path.getsize(name)
    source = blocks.file_source(gr.sizeof_char, name, True)
    head = blocks.head(gr.sizeof_char, size * times)
    # two floats are a complex number; what unsigned bytes have too much is not near the station
    pairs = blocks.stream_to_vector(gr.sizeof_float, 2)
    tune = filter.freq_xlating_fir_filter_ccf(4, firdes.low_pass(1, RATE, 120e3, 53e3), 256e3, RATE)
    stereo = analog.wfm_rcv_pll(256e3, 4, 50e-6)
    top.connect(source, head, blocks.uchar_to_float(), pairs, tune, stereo)
    for side in range(2):
        top.connect((stereo, side), filter.rational_resampler_fff(3, 4),
                    blocks.null_sink(gr.sizeof_float))
    return top, size * times / 2, len(tune.taps())


def main():
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    top, samples, taps = receiver(sys.argv[1], int(sys.argv[2]))
    start = time.monotonic()
    top.run()
    took = time.monotonic() - start
    print("%d taps; %.3f s of sound in %.3f s, %.1f million samples/s"
          % (taps, samples / RATE, took, 1e-6 * samples / took), file=sys.stderr)


main()
