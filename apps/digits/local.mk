digitsdir = $(examplesdir)/digits
dist_digits_DATA = \
	apps/digits/README.md apps/digits/Makefile apps/digits/digits.xml apps/digits/draw.py apps/digits/model.py \
	apps/digits/onnx_file.py apps/digits/check.py apps/digits/compare.py
