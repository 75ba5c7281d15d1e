# Parts that talk to other programs and machines.
parts_net = \
	parts/common/meeting.h \
	parts/common/packet.h \
	parts/common/queue.h \
	parts/common/socket.h \
	parts/tcp_in/tcp_in.xml parts/tcp_in/tcp_in.c \
	parts/tcp_out/tcp_out.xml parts/tcp_out/tcp_out.c \
	parts/udp_in/udp_in.xml parts/udp_in/udp_in.c \
	parts/udp_out/udp_out.xml parts/udp_out/udp_out.c \
	parts/zmq_in/zmq_in.xml parts/zmq_in/zmq_in.c \
	parts/zmq_out/zmq_out.xml parts/zmq_out/zmq_out.c
