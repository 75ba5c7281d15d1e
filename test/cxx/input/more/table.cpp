#include <map>

static_assert(TOKEN_in_SIZE == 4, "the constants of the ports are those of the network");

int table(int value)
{
    static const std::map<int, int> thousands{{10, 1000}};
    auto found = thousands.find(value);
    return found == thousands.end() ? 0 : found->second;
}
