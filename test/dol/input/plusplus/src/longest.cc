#include <dol.h>
#include <iostream>
#include <string>

#define PORT_IN "in"

int longest_fire(DOLProcess *p)
{
    std::string longest;
    for (int i = 0; i < 4; i++) {
        int length = 0;
        DOL_read((void *)PORT_IN, &length, sizeof(length), p);
        std::string word((size_t)length, ' ');
        DOL_read((void *)PORT_IN, &word[0], length, p);
        if (word.size() > longest.size())
            longest = word;
    }
    std::cout << longest << std::endl;
    DOL_detach(p);
    return -1;
}
