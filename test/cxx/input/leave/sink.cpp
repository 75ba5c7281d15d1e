// Reads without end, in the way that its parameter names.
#include "dal.h"

#include "counted.hpp"

#include <cstring>
#include <stdexcept>

extern "C" void each(void (*one)(void *), void *argument);

static int read_one(DALProcess *p)
{
    Counted inner(p);
    int value;
    DAL_read((void *)PORT_in, &value, sizeof(value), p);
    return value;
}

// As a buffer that reads ahead, or is flushed: it calls on while it is destroyed.
struct Calling {
    explicit Calling(DALProcess *p) : counted(p)
    {
    }
    ~Calling()
    {
        int value = 1;
        void *window;
        if (DAL_at_end((void *)PORT_in, counted.process))
            DAL_printf("at the end\n");
        if (DAL_read((void *)PORT_in, &value, sizeof(value), counted.process) < 0)
            DAL_printf("read %d\n", value);
        window = DAL_read_begin((void *)PORT_in, 4, 3, counted.process);
        std::memset(window, 0, 12);
        DAL_read_end((void *)PORT_in, window, counted.process);
        if (DAL_rtest((void *)PORT_in, 1, counted.process) < 0)
            DAL_printf("never\n");
    }
    Counted counted;
};

// A window that is ended when it goes out of scope.
struct Window {
    explicit Window(DALProcess *p)
        : process(p), window(static_cast<int *>(DAL_read_begin((void *)PORT_side, 4, 1, p)))
    {
    }
    ~Window()
    {
        DAL_read_end((void *)PORT_side, window, process);
    }
    DALProcess *process;
    int *window;
};

static void swallow(DALProcess *p)
{
    for (;;)
        try {
            read_one(p);
        } catch (...) {
            DAL_printf("caught\n");
        }
}

static void throw_on(DALProcess *p)
{
    for (;;)
        try {
            read_one(p);
        } catch (const std::exception &) {
            DAL_printf("never here\n");
        } catch (...) {
            throw;
        }
}

// Nothing can leave it, as nothing can leave a destructor.
static void keep(DALProcess *p) noexcept
{
    for (;;)
        read_one(p);
}

// An exception of the source's own goes its own way.
static void throw_own(DALProcess *p)
{
    for (;;)
        try {
            read_one(p);
            throw std::runtime_error("own");
        } catch (const std::runtime_error &) {
        }
}

static void read_in(const char *how, DALProcess *p)
{
    if (std::strcmp(how, "read") == 0)
        each([](void *argument) { read_one(static_cast<DALProcess *>(argument)); }, p);
    if (std::strcmp(how, "swallow") == 0)
        swallow(p);
    if (std::strcmp(how, "throw") == 0)
        throw_on(p);
    if (std::strcmp(how, "own") == 0)
        throw_own(p);
    if (std::strcmp(how, "keep") == 0)
        keep(p);
    if (std::strcmp(how, "window") == 0)
        for (Window first(p);; read_one(p))
            ;
    if (std::strcmp(how, "calling") == 0)
        for (Calling calling(p);; read_one(p))
            ;
}

extern "C" void Sink_init(DALProcess *p)
{
    if (std::strcmp(DAL_getParameter("how", p), "init") != 0)
        return;
    Counted outer(p);
    swallow(p);
}

extern "C" int Sink_fire(DALProcess *p)
{
    Counted outer(p);
    read_in(DAL_getParameter("how", p), p);
    return 0;
}

extern "C" void Sink_finish(DALProcess *p)
{
    tell("Sink", p);
}
