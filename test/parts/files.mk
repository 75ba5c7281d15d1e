tests_parts_files = \
	test/parts/camera_in.sh \
	test/parts/hdf5_in.sh test/parts/hdf5_out.sh \
	test/parts/images_in.sh test/parts/images_out.sh \
	test/parts/screen.sh test/parts/sigmf_in.sh test/parts/sound_device_in.sh test/parts/sound_device_out.sh test/parts/sound_in.sh test/parts/sound_out.sh \
	test/parts/together.sh test/parts/video_in.sh test/parts/video_out.sh
EXTRA_DIST += test/parts/files_lib.sh test/parts/camera_standin.c
