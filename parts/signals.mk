# Parts that compute with signals.
parts_signals = \
	parts/gain/gain.xml parts/gain/gain.c
