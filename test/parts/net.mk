tests_parts_net =
