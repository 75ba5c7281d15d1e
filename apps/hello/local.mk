hellodir = $(examplesdir)/hello
dist_hello_DATA = \
	apps/hello/README.md apps/hello/Makefile \
	apps/hello/hello.xml apps/hello/map-cores.xml apps/hello/map-cuda.xml apps/hello/map-opencl.xml \
	apps/hello/producer.c apps/hello/square.c apps/hello/square.cl apps/hello/consumer.c
