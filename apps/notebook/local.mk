notebookdir = $(examplesdir)/notebook
dist_notebook_DATA = \
	apps/notebook/README.md apps/notebook/tone.ipynb apps/notebook/cells.py apps/notebook/plot.py apps/notebook/tone.xml \
	apps/notebook/eq.xml apps/notebook/split.c apps/notebook/mix.c apps/notebook/spectrum.c
