# Parts that talk to other programs and machines.
parts_net = \
	parts/common/packet.h \
	parts/common/socket.h \
	parts/udp_in/udp_in.xml parts/udp_in/udp_in.c \
	parts/udp_out/udp_out.xml parts/udp_out/udp_out.c
