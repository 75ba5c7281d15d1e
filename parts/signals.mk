# Parts that compute with signals.
parts_signals = \
	parts/gain/gain.xml parts/gain/gain.c \
	parts/add/add.xml parts/add/add.c \
	parts/mix/mix.xml parts/mix/mix.c \
	parts/convert/convert.xml parts/convert/convert.c \
	parts/lib/numbers.h
