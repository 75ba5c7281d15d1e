tests_parts_files =
