#ifndef LENGTH_H
#define LENGTH_H

#define LENGTH 20

#endif
