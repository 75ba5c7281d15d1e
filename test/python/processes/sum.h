#pragma once
#include <stdint.h>

struct sum {
    float sum;
    struct {
        uint8_t a;
        int16_t b[3];
    } at;
    uint64_t number;
    _Bool odd;
    double half;
};
