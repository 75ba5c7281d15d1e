detectordir = $(examplesdir)/detector
dist_detector_DATA = apps/detector/README.md apps/detector/Makefile apps/detector/camera.py apps/detector/detector.xml
