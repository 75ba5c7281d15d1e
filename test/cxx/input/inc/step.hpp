#pragma once
#include <vector>
struct Filter {
    std::vector<int> values{1};
    int next();
};
inline __attribute__((noinline)) int Filter::next()
{
    values.push_back(values.back() + STEP);
    return values[values.size() - 2];
}
