#ifndef OWN_H
#define OWN_H

#include <dol.h>

#endif
