# Parts that read and write files.
parts_files =
