#ifndef KINDS_H
#define KINDS_H

struct place {
    int number;
    float x, y;
};

#endif
