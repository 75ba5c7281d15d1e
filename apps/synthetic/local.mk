# Networks to measure with: see bench/dalbench.c.
syntheticdir = $(examplesdir)/synthetic
dist_synthetic_DATA = \
	apps/synthetic/README.md apps/synthetic/Makefile \
	apps/synthetic/firing.xml apps/synthetic/channel.xml apps/synthetic/activation.xml \
	apps/synthetic/overhead.xml apps/synthetic/relay.xml apps/synthetic/group.xml \
	apps/synthetic/nodes.xml apps/synthetic/echo.xml apps/synthetic/cores.xml apps/synthetic/policy.xml \
	apps/synthetic/source.c apps/synthetic/identity.c apps/synthetic/increment.c apps/synthetic/step.c apps/synthetic/sink.c \
	apps/synthetic/producer.c apps/synthetic/consumer.c apps/synthetic/result.c \
	apps/synthetic/part_fir.xml apps/synthetic/part_biquad.xml apps/synthetic/part_fft.xml \
	apps/synthetic/part_sound_in.xml apps/synthetic/part_video_in.xml apps/synthetic/part_udp_in.xml \
	apps/synthetic/play.c apps/synthetic/hear.c apps/synthetic/samples.h apps/synthetic/part_by_hand.c \
	apps/synthetic/send_packets.c apps/synthetic/hear_packets.c apps/synthetic/packets.h apps/synthetic/input_by_hand.c \
	apps/synthetic/stamp.c apps/synthetic/peek.c \
	apps/synthetic/clock.c apps/synthetic/late.c apps/synthetic/drop.c \
	apps/synthetic/send.c apps/synthetic/receive.c apps/synthetic/ping.c \
	apps/synthetic/producer.cl apps/synthetic/consumer.cl apps/synthetic/relay.cl \
	apps/synthetic/spread.cl apps/synthetic/add.cl apps/synthetic/gather.cl apps/synthetic/group_by_hand.cl \
	apps/synthetic/cores_openmp.c apps/synthetic/cores_tbb.cpp apps/synthetic/columns_openmp.c \
	apps/synthetic/column.c apps/synthetic/node.c apps/synthetic/patterns.h apps/synthetic/ports.h \
	apps/synthetic/peer.h apps/synthetic/stages.h \
	apps/synthetic/pass.h apps/synthetic/report.h apps/synthetic/steps.h apps/synthetic/work.h
