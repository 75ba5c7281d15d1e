#include <dol.h>
#include <string>
#include <vector>

typedef struct _local_states {
    int index;
} Words_State;

void words_init(DOLProcess *p)
{
    p->local->index = 0;
}

int words_fire(DOLProcess *p)
{
    const std::vector<std::string> words = {"one", "three", "seventeen", "two"};
    const std::string &word = words[(size_t)p->local->index];
    int length = (int)word.size();
    char *window;
    DOL_write((void *)1, &length, sizeof(length), p);
    DOL_reserve((void *)1, (void **)&window, length, p);
    word.copy(window, word.size());
    DOL_release((void *)1, p);
    if (++p->local->index == (int)words.size()) {
        DOL_detach(p);
        return -1;
    }
    return 0;
}
