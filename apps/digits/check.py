"""check.py FILE: how many digits are what draw.py has drawn?"""
import sys

import numpy

import draw

read = numpy.load(sys.argv[1])
drawn = numpy.array([[int(each) for each in f"{draw.number(at):04d}"] for at in range(len(read))])
print("the first frames:", ["".join(map(str, digits)) for digits in read[:5]])
print(f"{(read == drawn).sum()} of {drawn.size} digits are right")
