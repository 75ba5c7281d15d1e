tests_parts_signals = \
	test/parts/gain.sh \
	test/parts/add.sh \
	test/parts/mix.sh \
	test/parts/convert.sh \
	test/parts/split_channels.sh \
	test/parts/join_channels.sh \
	test/parts/fir.sh \
	test/parts/decimate.sh \
	test/parts/interpolate.sh \
	test/parts/biquad.sh \
	test/parts/delay.sh \
	test/parts/threshold.sh \
	test/parts/histogram.sh \
	test/parts/window.sh \
	test/parts/fft.sh \
	test/parts/ifft.sh \
	test/parts/spectrum.sh \
	test/parts/oscillator_mix.sh \
	test/parts/agc.sh \
	test/parts/asrc.sh \
	test/parts/rgb_to_grey.sh \
	test/parts/yuv420_to_rgb.sh \
	test/parts/resize.sh \
	test/parts/convolve3.sh \
	test/parts/onnx.sh test/parts/digits.sh
EXTRA_DIST += test/parts/numpy.sh
