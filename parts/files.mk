# Parts that read and write files.
parts_files = \
	parts/common/clock.h parts/common/refusal.h \
	parts/common/hdf5_type.h parts/common/input_file.h parts/common/jpeg_fault.h parts/common/numbered.h \
	parts/common/output_file.h parts/common/pixels.h parts/common/scaled.h \
	parts/common/sound_device.h \
	parts/camera_in/camera_in.xml parts/camera_in/camera_in.c parts/camera_in/camera.c \
	parts/camera_in/camera.h \
	parts/hdf5_in/hdf5_in.xml parts/hdf5_in/hdf5_in.c parts/hdf5_in/sources.c parts/hdf5_in/sources.h \
	parts/hdf5_out/hdf5_out.xml parts/hdf5_out/hdf5_out.c \
	parts/images_in/images_in.xml parts/images_in/images_in.c parts/images_in/picture.h \
	parts/images_in/png.c parts/images_in/jpeg.c \
	parts/images_out/images_out.xml parts/images_out/images_out.c parts/images_out/picture.h \
	parts/images_out/png.c parts/images_out/jpeg.c \
	parts/screen/screen.xml parts/screen/screen.c \
	parts/sigmf_in/sigmf_in.xml parts/sigmf_in/sigmf_in.c parts/sigmf_in/meta.c \
	parts/sigmf_in/meta.h \
	parts/sound_device_in/sound_device_in.xml parts/sound_device_in/sound_device_in.c \
	parts/sound_device_out/sound_device_out.xml parts/sound_device_out/sound_device_out.c \
	parts/sound_in/sound_in.xml parts/sound_in/sound_in.c parts/sound_in/whole.c \
	parts/sound_in/whole.h parts/sound_in/patched.c parts/sound_in/patched.h parts/sound_in/mpeg.c parts/sound_in/mpeg.h \
	parts/sound_out/sound_out.xml parts/sound_out/sound_out.c \
	parts/video_in/video_in.xml parts/video_in/video_in.c parts/video_in/container.c \
	parts/video_in/decode.c parts/video_in/decode.h \
	parts/video_out/video_out.xml parts/video_out/video_out.c parts/video_out/encode.c \
	parts/video_out/encode.h
