/* Keep: the numbers that are no multiples of 3. In firing number `wrong`, it says that there are
 * more than may be. */
#include "dal.h"

struct _local_states {
    long fired;
};

int Keep_fire(DALProcess *p)
{
    size_t count = DAL_count(PORT_in, p);

    for (size_t i = 0; i < count; i++) {
        unsigned number;
        DAL_read(PORT_in, &number, sizeof(number), p);
        if (number % 3)
            DAL_write(PORT_out, &number, sizeof(number), p);
    }
    if (p->local->fired++ == VAR_wrong)
        DAL_set_count(PORT_out, VAR_bound + 2, p);
    return 0;
}
