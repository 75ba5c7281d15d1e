#include "test/search/random_files.h"

#include "rt/base/number.h"
#include "test/analyze/sdf_build.h"

FILE *random_file(const char *name)
{
    FILE *file = fopen(name, "w");
    if (!file)
        abort();
    return file;
}

const char *const random_machines[RANDOM_MACHINES] = {
    "<architecture name='cores'>"
    "<processor name='core_0' type='RISC'><capability name='POSIX' identifier='0'/></processor>"
    "<processor name='core_1' type='RISC'><capability name='POSIX' identifier='1'/></processor>"
    "<processor name='core_2' type='RISC'><capability name='POSIX' identifier='2'/></processor>"
    "</architecture>",
    "<architecture name='device'>"
    "<processor name='core_0' type='RISC'><capability name='POSIX' identifier='0'/></processor>"
    "<processor name='core_1' type='RISC'><capability name='POSIX' identifier='1'/></processor>"
    "<processor name='gpu' type='GPU'>"
    "<capability name='OPENCL' identifier='GPU_DEV1' memory='own' computeunits='4'/></processor>"
    "</architecture>",
    "<architecture name='measured'>"
    "<processor name='core_0' type='RISC'><capability name='POSIX' identifier='0'/></processor>"
    "<processor name='core_1' type='RISC'><capability name='POSIX' identifier='1'/></processor>"
    "<processor name='core_2' type='RISC'><capability name='POSIX' identifier='2'/></processor>"
    "<measured at='2026-03-01T12:00:00Z' by='a test' cores='00112233445566778899aabbccddeeff' "
    "devices='ffeeddccbbaa99887766554433221100'>"
    "<cost of='firing' on='core_0' latency='900ns'/><cost of='firing' on='core_1' latency='30ns'/>"
    "<cost of='firing' on='core_2' latency='30ns'/>"
    "<cost of='token' from='core_0' to='core_1' latency='20us' bandwidth='4GB/s'/>"
    "<cost of='token' from='core_0' to='core_2' latency='20us' bandwidth='4GB/s'/>"
    "<cost of='token' from='core_1' to='core_2' latency='1us' bandwidth='4GB/s'/>"
    "</measured></architecture>",
    "<architecture name='nodes'>"
    "<shared name='near'><port name='p'/></shared><shared name='far'><port name='p'/></shared>"
    "<processor name='near/a' type='RISC'><capability name='POSIX' identifier='0'/></processor>"
    "<processor name='near/b' type='RISC'><capability name='POSIX' identifier='1'/></processor>"
    "<processor name='far/a' type='RISC'><capability name='POSIX' identifier='0'/></processor>"
    "<processor name='far/b' type='RISC'><capability name='POSIX' identifier='1'/></processor>"
    "<link name='l' latency='50us' bandwidth='100Mbit/s'>"
    "<end_point_1 name='near'><port name='p'/></end_point_1>"
    "<end_point_2 name='far'><port name='p'/></end_point_2></link></architecture>",
};

void random_channel(FILE *file, size_t number, size_t from, size_t to, const uint64_t *q)
{
    uint64_t common = dal_gcd(q[from], q[to]), in = q[to] / common, out = q[from] / common;
    fprintf(file,
            "<sw_channel name='c%zu' tokensize='%d' tokenratein='%d' tokenrateout='%d' "
            "initialtokens='%d'><port type='input' name='in'/><port type='output' name='out'/>"
            "</sw_channel>\n",
            number, 4 << below(12), (int)in, (int)out, from < to ? 0 : (int)(in * q[from]));
    fprintf(file,
            "<connection name='i%zu'><origin name='p%zu'><port name='o%zu'/></origin>"
            "<target name='c%zu'><port name='in'/></target></connection>\n"
            "<connection name='o%zu'><origin name='c%zu'><port name='out'/></origin>"
            "<target name='p%zu'><port name='i%zu'/></target></connection>\n",
            number, from, number, number, number, number, to, number);
}

/* A tree, and now and then a channel more, perhaps back. Some processes have a kernel, too. */
size_t random_network(const char *promise)
{
    static const uint64_t divisors[] = {1, 2, 3, 4};
    size_t from[2 * RANDOM_PROCESSES], to[2 * RANDOM_PROCESSES];
    size_t processes = 3 + below(RANDOM_PROCESSES - 2), channels = 0, i, k;
    uint64_t q[RANDOM_PROCESSES];
    FILE *file = random_file("network.xml");
    for (i = 0; i < processes; i++) {
        q[i] = divisors[below(4)];
        from[channels] = i ? below(i) : 0;
        to[channels] = i;
        channels += i > 0;
    }
    if (below(3) == 0) {
        from[channels] = processes - 1;
        to[channels++] = below(processes - 1);
    }
    fprintf(file, "<processnetwork name='random'>%s\n", promise);
    for (i = 0; i < processes; i++) {
        fprintf(file, "<process name='p%zu'%s>", i, below(2) ? " stateless='true'" : "");
        for (k = 0; k < channels; k++) {
            if (from[k] == i)
                fprintf(file, "<port type='output' name='o%zu'/>", k);
            if (to[k] == i)
                fprintf(file, "<port type='input' name='i%zu'/>", k);
        }
        fprintf(file, "<source type='c' location='a.c'/>%s</process>\n",
                below(2) ? "<source type='opencl' location='a.cl'/>" : "");
    }
    for (k = 0; k < channels; k++)
        random_channel(file, k, from[k], to[k], q);
    fputs("</processnetwork>\n", file);
    fclose(file);
    return processes;
}

static void write_time(FILE *file, size_t process, const char *type, const char *on)
{
    double ns = (double)(100 + below(2) * below(100000));
    fprintf(file,
            "{\"process\": \"p%zu\", \"type\": \"%s\", \"on\": \"%s\", \"copies\": 1, \"items\": "
            "1, \"firings\": 9, \"ns\": {\"mean\": %g, \"p10\": %g, \"median\": %g, \"p99\": %g}}",
            process, type, on, ns, ns, ns, ns);
}

void random_times(size_t processes)
{
    FILE *file = random_file("times.json");
    fputs("{\"dal-times\": 2, \"machine\": {\"cores\": \"x\"}, \"times\": [\n", file);
    for (size_t i = 0; i < processes; i++) {
        fputs(i ? ",\n" : "", file);
        write_time(file, i, "c", "core");
        fputs(",\n", file);
        write_time(file, i, "opencl", "GPU_DEV1");
    }
    fputs("]}\n", file);
    fclose(file);
}

void random_machine(const char *text)
{
    FILE *file = random_file("machine.xml");
    fputs(text, file);
    fclose(file);
}
