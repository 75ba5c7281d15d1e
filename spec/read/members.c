#include "spec/read/members.h"

#include <stdint.h>
#include <string.h>

static void read_member(struct dal_json *json, const struct dal_member *member, void *object)
{
    char *to = (char *)object + member->offset;
    if (member->inside)
        dal__members_read(json, member->inside, object, member->name);
    else if (member->read)
        member->read(json, to);
    else if (member->room)
        dal_json_string(json, to, member->room, member->name);
    else
        *(double *)(void *)to = dal_json_number(json, member->least, member->most, member->name);
}

void dal__members_read(struct dal_json *json, const struct dal_member *table, void *object,
                       const char *what)
{
    uint32_t given = 0;
    char name[DAL_MEMBERS_MOST];
    int i, count = 0;
    dal_json_begin(json, '{', what);
    while (dal_json_next(json, '{', &count)) {
        dal_json_name(json, name, sizeof(name));
        for (i = 0; !json->wrong && table[i].name && strcmp(table[i].name, name) != 0;)
            i++;
        if (json->wrong)
            return;
        if (!table[i].name)
            dal_json_skip(json);
        else if (given & UINT32_C(1) << i)
            dal_json_refuse(json, "%s is given twice", name);
        else
            read_member(json, &table[i], object);
        given |= table[i].name ? UINT32_C(1) << i : 0;
    }
    for (int k = 0; table[k].name; k++)
        if (table[k].must && !(given & UINT32_C(1) << k))
            dal_json_refuse(json, "%s is missing", table[k].name);
}
