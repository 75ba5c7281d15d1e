#ifndef GLOBAL_H
#define GLOBAL_H

#define LENGTH 30

#endif
