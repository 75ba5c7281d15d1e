#include <stdint.h>
struct frame {
    uint32_t width, height;
};
