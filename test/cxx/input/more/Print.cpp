#include "dal.h"

#include <string>

extern "C" void helper(int value)
{
    DAL_printf("%s\n", std::to_string(value).c_str());
}
