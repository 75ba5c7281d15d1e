# Parts that read and write files.
parts_files = \
	parts/common/input_file.h parts/common/output_file.h \
	parts/sound_in/sound_in.xml parts/sound_in/sound_in.c \
	parts/sound_out/sound_out.xml parts/sound_out/sound_out.c
