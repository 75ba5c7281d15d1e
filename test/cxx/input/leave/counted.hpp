// Objects that count how many were made and are gone, in the state of the process.
#ifndef COUNTED_HPP
#define COUNTED_HPP

struct _local_states {
    int made, gone;
};

struct Counted {
    explicit Counted(DALProcess *p) : process(p), memory(new char[100])
    {
        process->local->made++;
    }
    ~Counted()
    {
        process->local->gone++;
        delete[] memory;
    }
    DALProcess *process;
    char *memory;
};

static inline void tell(const char *name, DALProcess *p)
{
    DAL_printf("%s: %d made, %d gone\n", name, p->local->made, p->local->gone);
}

#endif
