/* Debian's ONNX Runtime registers its operators twice, and says so on std::cerr, a thousand lines. */
#include "session.h"

#include <iostream>

void dal_part_silence(int is_wanted)
{
    if (is_wanted)
        std::cerr.setstate(std::ios::failbit);
    else
        std::cerr.clear();
}
