#pragma once
#define WORDS (TOKEN_in_SIZE / 4)

int copy(int x)
{
    return x;
}
