/* Stands for a process in the fixtures: it only has to be there. */
