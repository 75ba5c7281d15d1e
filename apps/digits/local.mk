digitsdir = $(examplesdir)/digits
dist_digits_DATA = apps/digits/onnx_file.py
