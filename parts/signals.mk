# Parts that compute with signals.
parts_signals = \
	parts/gain/gain.xml parts/gain/gain.c \
	parts/add/add.xml parts/add/add.c \
	parts/mix/mix.xml parts/mix/mix.c \
	parts/convert/convert.xml parts/convert/convert.c \
	parts/split_channels/split_channels.xml parts/split_channels/split_channels.c \
	parts/join_channels/join_channels.xml parts/join_channels/join_channels.c \
	parts/fir/fir.xml parts/fir/fir.c \
	parts/decimate/decimate.xml parts/decimate/decimate.c \
	parts/interpolate/interpolate.xml parts/interpolate/interpolate.c \
	parts/biquad/biquad.xml parts/biquad/biquad.c \
	parts/delay/delay.xml parts/delay/delay.c \
	parts/threshold/threshold.xml parts/threshold/threshold.c \
	parts/histogram/histogram.xml parts/histogram/histogram.c \
	parts/window/window.xml parts/window/window.c \
	parts/fft/fft.xml parts/fft/fft.c \
	parts/ifft/ifft.xml parts/ifft/ifft.c \
	parts/spectrum/spectrum.xml parts/spectrum/spectrum.c \
	parts/oscillator_mix/oscillator_mix.xml parts/oscillator_mix/oscillator_mix.c \
	parts/agc/agc.xml parts/agc/agc.c \
	parts/asrc/asrc.xml parts/asrc/asrc.c \
	parts/rgb_to_grey/rgb_to_grey.xml parts/rgb_to_grey/rgb_to_grey.c \
	parts/yuv420_to_rgb/yuv420_to_rgb.xml parts/yuv420_to_rgb/yuv420_to_rgb.c \
	parts/resize/resize.xml parts/resize/resize.c \
	parts/convolve3/convolve3.xml parts/convolve3/convolve3.c \
	parts/onnx/onnx.xml parts/onnx/onnx.c parts/onnx/session.c parts/onnx/session.h parts/onnx/silence.cpp \
	parts/common/numbers.h parts/common/taps.h \
	parts/common/fir_loop.h \
	parts/common/transform.h
