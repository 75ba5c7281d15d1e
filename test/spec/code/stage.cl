/* Stands for a kernel in the fixtures: it only has to be there. */
