/*
 * dalsynth: makes a program of three specifications, or four. The passes stand in one list, below.
 */
#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "spec/write/short.h"
#include "synth/codegen/c/type.h"
#include "synth/command/analyze.h"
#include "synth/command/here.h"
#include "synth/command/list.h"
#include "synth/command/options.h"
#include "synth/command/sdf3.h"
#include "synth/program/applications.h"
#include "synth/program/build.h"
#include "synth/program/libraries.h"
#include "synth/program/profile.h"
#include "synth/program/program.h"
#include "synth/program/verify.h"
#include "synth/tune/map/map.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Name of a mapping that was found, in the output folder. */
#define MAPPING_NAME "mapping.xml"
/* Name of this machine's architecture beside it, if the user gave none. */
#define ARCHITECTURE_NAME "architecture.xml"

enum { EXIT_BAD_INPUT = DAL_EXIT_BAD_INPUT, EXIT_USAGE = DAL_EXIT_USAGE };

struct job {
    /* the command line */
    const char *network_file, *architecture_file, *mapping_file;
    const char *fsm_file; /* or NULL, then network and mapping are given */
    const char *output;   /* -o, or NULL */
    struct dal_spec_define *defines;
    size_t define_count, define_room;
    int check, emit_only, explain, strict;
    const char *verify; /* --verify: the program, or NULL */
    const struct mode *mode;
    int json, pareto, burn;
    const char *sizes;                /* --sizes, or NULL */
    const char *list;                 /* --list, or NULL */
    double seconds;                   /* --time-limit, 0 without */
    const char *times_file;           /* --times, or NULL */
    const char *processor;            /* --processor, or NULL */
    const char *stats_file;           /* --measured, or NULL */
    int advises;                      /* --advice */
    const char *advice_file;          /* of it, or NULL */
    double profile;                   /* --profile: seconds, 0 without */
    int no_times;                     /* true when --profile makes the file of times */
    struct dal_parameters parameters; /* -p of the program that it runs */
    /* what the passes make */
    int guarded;                 /* dal_child_guard() */
    struct dal_mapped mapped;    /* the mapping that was found, if none was given */
    char *map_folder, *map_file; /* the file that is read, and its folder */
    char *here_file;             /* the architecture beside it, if none was given */
    struct dal_text here_cores, here_mapping;
    struct dal_diags diags;
    struct dal_applications applications;
    struct dal_program program;
    struct dal_stats stats; /* of --measured */
};

/* Checks that --profile finds what it needs. */
static int pass_prepare(struct job *job)
{
    int is_there, error;

    if (!job->profile)
        return DAL_OK;
    error = dal_profile_check(&job->diags, job->times_file, &is_there);
    job->no_times = !error && !is_there;
    return error;
}

static int guard_children(struct job *job)
{
    if (!job->guarded && (dal_child_guard() || dal_build_environment()))
        return DAL_ERR_SYSTEM;
    job->guarded = 1;
    return DAL_OK;
}

/* Keeps the warnings of missing times, which only the search gives. All others come again when the
 * specification is read once more. */
static void keep_warnings(struct dal_diags *diags, const struct dal_diags *said)
{
    size_t i;

    for (i = 0; i < said->count; i++) {
        struct dal_spec_place place = said->list[i].place;
        if (!dal_text_same(said->list[i].code, "unmeasured"))
            continue;
        place.file = dal_diag_file(diags, place.file);
        dal_warning(diags, place, "unmeasured", "%s", said->list[i].message);
    }
}

static int find_mapping(struct job *job)
{
    struct dal_map map = {.network_file = job->network_file,
                          .architecture_file = job->architecture_file,
                          .times_file = job->times_file,
                          .defines = job->defines,
                          .define_count = job->define_count,
                          .most_exact = DAL_SEARCH_EXACT,
                          .wishes = {.pools = 1},
                          .seconds = job->seconds};
    struct dal_diags said;
    int error;

    dal_diags_init(&said);
    error = dal_map(&said, &map, &job->mapped);
    if (error == DAL_ERR_INVALID)
        dal_diags_print(&said, stderr);
    else
        keep_warnings(&job->diags, &said);
    dal_diags_finish(&said);
    return error;
}

/* Writes the mapping that was found, to read it as if the user had written it. */
static int write_mapping(struct job *job, const char *text)
{
    job->map_folder = dal_profile_folder();
    job->map_file = job->map_folder ? dal_format("%s/" MAPPING_NAME, job->map_folder) : NULL;
    if (!job->map_file)
        return DAL_ERR_SYSTEM;
    return dal_text_write(text, "", job->map_file);
}

/* Without architecture and mapping, everything runs on the cores of this machine. */
static int map_here(struct job *job)
{
    int error = dal_here_write(&job->here_cores, &job->here_mapping);

    if (!error && (job->here_cores.lost || job->here_mapping.lost))
        error = DAL_ERR_NOMEM;
    if (!error)
        error = write_mapping(job, dal_text_get(&job->here_mapping));
    if (error)
        return error;
    job->here_file = dal_format("%s/" ARCHITECTURE_NAME, job->map_folder);
    if (!job->here_file)
        return DAL_ERR_NOMEM;
    job->architecture_file = job->here_file;
    job->mapping_file = job->map_file;
    return dal_text_write(dal_text_get(&job->here_cores), "", job->here_file);
}

/* Without a mapping, takes the one that dalmap finds. */
static int pass_map(struct job *job)
{
    int error;

    if (job->fsm_file || job->mapping_file)
        return DAL_OK;
    if (!job->architecture_file)
        return map_here(job);
    error = guard_children(job);
    if (!error)
        error = find_mapping(job);
    if (!error)
        error = write_mapping(job, job->mapped.text);
    if (error)
        return error;
    job->mapping_file = job->map_file;
    dal_log(DAL_LOG_NOTE, "no mapping is given: %s%s", job->mapped.summary,
            job->mapped.interrupted   ? "; the search was interrupted"
            : job->mapped.out_of_time ? "; the time limit ended the search"
                                      : "");
    return DAL_OK;
}

static int pass_load(struct job *job)
{
    int error = job->fsm_file
                    ? dal_applications_of_fsm(&job->diags, &job->applications, job->fsm_file,
                                              job->defines, job->define_count)
                    : dal_applications_only(&job->diags, &job->applications, job->network_file,
                                            job->mapping_file, job->defines, job->define_count);

    return error ? error
                 : dal_applications_load(&job->diags, &job->applications, job->architecture_file,
                                         job->no_times ? NULL : job->times_file);
}

/* Reads the statistics of a run of this network on this mapping. */
static int pass_measured(struct job *job)
{
    if (!job->stats_file)
        return DAL_OK;
    return dal_stats_read(&job->diags, job->stats_file, job->applications.list[0].spec,
                          &job->stats);
}

static int pass_place(struct job *job)
{
    return dal_applications_place(&job->diags, &job->applications, job->seconds);
}

static int pass_plan(struct job *job)
{
    return dal_applications_plan(&job->diags, &job->applications);
}

static int pass_verify(struct job *job)
{
    if (guard_children(job))
        return DAL_ERR_SYSTEM;
    return dal_verify(&job->applications, job->fsm_file ? job->fsm_file : job->network_file,
                      job->verify, stdout);
}

static int pass_explain(struct job *job)
{
    struct dal_explain wishes = {.measured = job->stats_file ? &job->stats : NULL,
                                 .advises = job->advises,
                                 .seconds = job->seconds > 0 ? job->seconds : 10,
                                 .advice_file = job->advice_file};

    return job->explain ? dal_applications_explain(&job->applications, &wishes, stdout) : DAL_OK;
}

static int pass_emit(struct job *job)
{
    const char *first_file = job->fsm_file ? job->fsm_file : job->network_file;
    int error;

    if (job->check)
        return DAL_OK;
    if (guard_children(job))
        return DAL_ERR_SYSTEM;
    error =
        dal_program_emit(&job->diags, &job->program, &job->applications, first_file, job->output);
    if (!error && job->mapped.text)
        dal_text_add(dal_tree_add(&job->program.tree, MAPPING_NAME), job->mapped.text);
    if (!error && job->here_file) {
        dal_text_add(dal_tree_add(&job->program.tree, ARCHITECTURE_NAME),
                     dal_text_get(&job->here_cores));
        dal_text_add(dal_tree_add(&job->program.tree, MAPPING_NAME),
                     dal_text_get(&job->here_mapping));
    }
    return job->program.tree.lost ? DAL_ERR_NOMEM : error;
}

/* Looks for MPI: without it no program of several nodes can be linked. */
static int check_mpi(struct job *job)
{
    const struct dal_spec_mapping *mapping = &job->applications.list[0].spec->mapping;

    if (DAL_HAS_MPI || job->emit_only || mapping->node_count < 2)
        return DAL_OK;
    dal_error(&job->diags, mapping->place, "unsupported-kind",
              "the mapping uses the nodes '%s' and '%s', but dal was built without MPI (Debian "
              "package: libopenmpi-dev)",
              mapping->nodes[0], mapping->nodes[1]);
    return DAL_ERR_INVALID;
}

static int check_profile(struct job *job)
{
    const struct dal_spec_mapping *mapping = &job->applications.list[0].spec->mapping;

    if (!job->profile || mapping->node_count < 2)
        return DAL_OK;
    dal_error(&job->diags, mapping->place, "unsupported-kind",
              "--profile does not run a program of several nodes: start it with DAL_TIMES");
    return DAL_ERR_INVALID;
}

static int pass_build(struct job *job)
{
    int error;

    if (job->check)
        return DAL_OK;
    if (check_mpi(job) || check_profile(job))
        return DAL_ERR_INVALID;
    error = dal_libraries_check(&job->diags, job->program.emit.plan);
    if (error)
        return error;
    return dal_build(&job->diags, &job->program.emit, &job->program.tree, job->emit_only,
                     job->strict);
}

static int pass_profile(struct job *job)
{
    char *program;
    struct dal_profile_run run = {.parameters = job->parameters.list,
                                  .parameter_count = job->parameters.count,
                                  .seconds = job->profile};
    int error;

    if (!job->profile)
        return DAL_OK;
    run.program = program = dal_program_path(&job->program);
    error = program ? dal_profile(&job->diags, &run, job->times_file) : DAL_ERR_NOMEM;
    dal_free(program);
    return error;
}

static const struct pass {
    const char *name;
    int (*run)(struct job *job);
} passes[] = {
    {"prepare", pass_prepare},   /* --profile looks at its file */
    {"map", pass_map},           /* a mapping, where none is given */
    {"load", pass_load},         /* XML to model, checked; repetition vector */
    {"measured", pass_measured}, /* --measured */
    {"place", pass_place},       /* where every token lives */
    {"plan", pass_plan},         /* S and I, capacities, blocks, order, units */
    {"explain", pass_explain},   /* --explain prints */
    {"emit", pass_emit},         /* the output folder, in memory */
    {"build", pass_build},       /* to disk, made and checked */
    {"profile", pass_profile},   /* --profile runs it */
};

/* Passes with --verify, instead of those above. */
static const struct pass verifying[] = {
    {"map", pass_map}, {"load", pass_load}, {"place", pass_place}, {"verify", pass_verify}};

static int pass_analyze(struct job *job)
{
    struct dal_analyze wishes = {
        .network_file = job->network_file,
        .processor = job->processor,
        .architecture_file = job->architecture_file,
        .mapping_file = job->mapping_file,
        .defines = job->defines,
        .define_count = job->define_count,
        .times_file = job->times_file,
        .json = job->json,
        .pareto = job->pareto,
        .sizes = job->sizes,
        .output = job->output,
        .seconds = job->seconds,
    };

    return dal_analyze(&job->diags, &wishes, stdout);
}

static int pass_import(struct job *job)
{
    return dal_sdf3_import(&job->diags, job->network_file, job->processor, job->output, job->burn,
                           stdout);
}

static int pass_export(struct job *job)
{
    return dal_sdf3_export(&job->diags, job->network_file, job->defines, job->define_count,
                           job->processor, job->times_file, stdout);
}

/* Prints a network in another form. */
static int print_form(struct job *job, int (*make)(struct dal_diags *, const char *, char **))
{
    char *text;
    int error = make(&job->diags, job->network_file, &text);

    if (!error)
        fputs(text, stdout);
    dal_free(text);
    return error;
}

static int pass_expand(struct job *job)
{
    return print_form(job, dal_network_expand);
}

static int pass_shorten(struct job *job)
{
    return print_form(job, dal_network_shorten);
}

static int pass_list(struct job *job)
{
    return dal_list(&job->diags, job->list, job->network_file, job->architecture_file, job->defines,
                    job->define_count, stdout);
}

/* Modes of dalsynth; the first is the usual one. */
static const struct mode {
    const char *files; /* files that the command line must name */
    int least, most;   /* files */
    const struct pass *passes;
    size_t count;
} modes[] = {
    {"one file is needed, a network, or three: network, architecture, mapping; or two and "
     "--times=FILE",
     1, 3, passes, sizeof(passes) / sizeof(passes[0])},
    {"--analyze wants a network, or network, architecture, mapping", 1, 3,
     (const struct pass[]){{"analyze", pass_analyze}}, 1},
    {"--import-sdf3 wants one SDF3 file", 1, 1, (const struct pass[]){{"import", pass_import}}, 1},
    {"--export-sdf3 wants one network", 1, 1, (const struct pass[]){{"export", pass_export}}, 1},
    {"--fsm wants two files: state machine, architecture", 2, 2, passes,
     sizeof(passes) / sizeof(passes[0])},
    {"--expand wants one network", 1, 1, (const struct pass[]){{"expand", pass_expand}}, 1},
    {"--shorten wants one network", 1, 1, (const struct pass[]){{"shorten", pass_shorten}}, 1},
    {"--list wants a network, or network, architecture", 1, 2,
     (const struct pass[]){{"list", pass_list}}, 1},
};

enum {
    MODE_SYNTHESISE,
    MODE_ANALYZE,
    MODE_IMPORT,
    MODE_EXPORT,
    MODE_FSM,
    MODE_EXPAND,
    MODE_SHORTEN,
    MODE_LIST
};

static const char synopsis[] =
    "usage: dalsynth [options] NETWORK.xml ARCHITECTURE.xml MAPPING.xml\n"
    "       dalsynth [options] --times=FILE NETWORK.xml ARCHITECTURE.xml\n"
    "       dalsynth [options] NETWORK.xml\n"
    "       dalsynth --fsm [options] FSM.xml ARCHITECTURE.xml\n"
    "       dalsynth --analyze [options] NETWORK.xml [ARCHITECTURE.xml MAPPING.xml]\n"
    "       dalsynth --analyze [options] GRAPH.xml\n"
    "       dalsynth --import-sdf3 [options] GRAPH.xml\n"
    "       dalsynth --export-sdf3 [options] NETWORK.xml\n"
    "       dalsynth --expand NETWORK.xml\n"
    "       dalsynth --shorten NETWORK.xml\n"
    "       dalsynth --list=WHAT NETWORK.xml [ARCHITECTURE.xml]\n"
    "\n";
static const char usage[] =
    "Makes a program of a process network, a machine and a mapping of the network to the machine.\n"
    "Without a mapping, it takes the one that dalmap finds, and leaves it in the folder, "
    "mapping.xml.\n"
    "With neither an architecture nor a mapping, everything runs on the cores of this machine.\n"
    "With --fsm, of several networks with their mappings: a state machine starts and stops them.\n"
    "\n"
    "  -o, --output=DIR         folder for the program (the network's name)\n"
    "  -D, --define=VAR=N       gives a variable of the network another value; with --fsm,\n"
    "                           APPLICATION.VAR=N\n"
    "      --check              only checks and plans; writes nothing\n"
    "      --verify=PROGRAM     only says whether the program was made from these files\n"
    "      --emit-only          writes the sources but does not build them\n"
    "      --explain            prints what runs where, and why\n"
    "      --strict             a device that is missing here, or that a kernel does not fit, is "
    "an\n"
    "                           error even when another device or a fallback could be used\n"
    "      --times=FILE         execution times: what DAL_TIMES=FILE of a program wrote, or\n"
    "                           {\"PROCESS\": UNITS, ...} in JSON\n"
    "      --measured=FILE      with --explain: a run beside what is predicted; what\n"
    "                           DAL_STATS=FILE of a program wrote\n"
    "      --advice[=FILE]      with --explain and --times: what limits the throughput, and which\n"
    "                           single change of the mapping helps most; FILE gets that mapping\n"
    "      --profile=SECONDS    runs the program that it has made for so long, and merges what\n"
    "                           it measures into the file of --times, which need not be there\n"
    "  -p, --parameter=PROCESS.NAME=VALUE\n"
    "                           of that run; may be given several times\n"
    "      --time-limit=SECONDS for all searches of the analysis together (60; 8 where an "
    "iteration\n"
    "                           has more than 500 firings; 2 to make a program), and for\n"
    "                           --advice (10); results that are not proven by then are marked\n"
    "      --fsm                the files are a state machine and an architecture\n"
    "      --analyze[=json]     prints consistency, deadlock, capacities, period; works without\n"
    "                           sources, architecture and mapping, and for SDF3 graphs\n"
    "      --pareto             with --analyze: all trade-offs of capacities and period\n"
    "      --sizes=POINT        with --analyze of three files and -o MAPPING.xml: writes the\n"
    "                           mapping with sizes, those of the point \"minimum\" or "
    "\"fastest\",\n"
    "                           or of a trade-off by its tokens\n"
    "      --import-sdf3        prints an SDF3 application graph as a network; with -o, in a "
    "folder\n"
    "      --burn               with --import-sdf3 -o: also writes C sources that spend the\n"
    "                           execution times\n"
    "      --processor=TYPE     with --import-sdf3, or --analyze of an SDF3 graph: whose "
    "execution\n"
    "                           times count where an actor has several\n"
    "      --export-sdf3        prints a network as an SDF3 application graph\n"
    "      --expand             prints a network in its long form, which the short one means\n"
    "      --shorten            prints a network in its short form; --expand of that is as before\n"
    "      --list=WHAT          prints names, a line each: WHAT is processes, ports, outputs,\n"
    "                           channels, variables, parameters or processors\n"
    "  -h, --help               prints this\n"
    "      --version            prints the version\n"
    "\n"
    "Exit status: 0 success, 1 an error in the input or in building, 2 a wrong command line.\n";

enum {
    OPT_CHECK = 256,
    OPT_VERIFY,
    OPT_EMIT_ONLY,
    OPT_EXPLAIN,
    OPT_STRICT,
    OPT_TIMES,
    OPT_MEASURED,
    OPT_ADVICE,
    OPT_PROFILE,
    OPT_TIME_LIMIT,
    OPT_ANALYZE,
    OPT_PARETO,
    OPT_SIZES,
    OPT_IMPORT,
    OPT_EXPORT,
    OPT_BURN,
    OPT_PROCESSOR,
    OPT_FSM,
    OPT_EXPAND,
    OPT_SHORTEN,
    OPT_LIST,
    OPT_VERSION
};

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'},
    {"define", required_argument, NULL, 'D'},
    {"parameter", required_argument, NULL, 'p'},
    {"check", no_argument, NULL, OPT_CHECK},
    {"verify", required_argument, NULL, OPT_VERIFY},
    {"emit-only", no_argument, NULL, OPT_EMIT_ONLY},
    {"explain", no_argument, NULL, OPT_EXPLAIN},
    {"strict", no_argument, NULL, OPT_STRICT},
    {"help", no_argument, NULL, 'h'},
    {"times", required_argument, NULL, OPT_TIMES},
    {"measured", required_argument, NULL, OPT_MEASURED},
    {"advice", optional_argument, NULL, OPT_ADVICE},
    {"profile", required_argument, NULL, OPT_PROFILE},
    {"time-limit", required_argument, NULL, OPT_TIME_LIMIT},
    {"analyze", optional_argument, NULL, OPT_ANALYZE},
    {"pareto", no_argument, NULL, OPT_PARETO},
    {"sizes", required_argument, NULL, OPT_SIZES},
    {"import-sdf3", no_argument, NULL, OPT_IMPORT},
    {"export-sdf3", no_argument, NULL, OPT_EXPORT},
    {"burn", no_argument, NULL, OPT_BURN},
    {"processor", required_argument, NULL, OPT_PROCESSOR},
    {"fsm", no_argument, NULL, OPT_FSM},
    {"expand", no_argument, NULL, OPT_EXPAND},
    {"shorten", no_argument, NULL, OPT_SHORTEN},
    {"list", required_argument, NULL, OPT_LIST},
    {"version", no_argument, NULL, OPT_VERSION},
    {0},
};

static int take_mode(struct job *job, int mode)
{
    int another = job->mode != &modes[MODE_SYNTHESISE] && job->mode != &modes[mode];

    job->mode = &modes[mode];
    if (!another)
        return 0;
    fprintf(stderr,
            "dalsynth: only one of --analyze, --import-sdf3, --export-sdf3, --expand, --shorten, "
            "--list, --fsm\n");
    return EXIT_USAGE;
}

static int take_analyze(struct job *job, const char *form)
{
    if (take_mode(job, MODE_ANALYZE))
        return EXIT_USAGE;
    job->json = form && !strcmp(form, "json");
    if (!form || job->json)
        return 0;
    fprintf(stderr, "dalsynth: --analyze is a table, or json with --analyze=json, not '%s'\n",
            form);
    return EXIT_USAGE;
}

/* Takes a point of --sizes; a number of tokens is that of a trade-off. */
static int take_sizes(struct job *job, const char *point)
{
    int is_number = *point && strspn(point, "0123456789") == strlen(point) && strlen(point) < 19;

    job->sizes = point;
    job->pareto |= is_number;
    if (is_number || strcmp(point, "minimum") == 0 || strcmp(point, "fastest") == 0)
        return 0;
    fprintf(stderr,
            "dalsynth: --sizes is minimum, fastest or the tokens of a trade-off, not '%s'\n",
            point);
    return EXIT_USAGE;
}

static int take_list(struct job *job, const char *what)
{
    job->list = what;
    if (dal_list_knows(what))
        return take_mode(job, MODE_LIST);
    fprintf(stderr,
            "dalsynth: --list is of processes, ports, outputs, channels, variables, "
            "parameters or processors, not '%s'\n",
            what);
    return EXIT_USAGE;
}

static int done; /* --help or --version: nothing else to do */

static int take_option(struct job *job, int option)
{
    switch (option) {
    case 'o':
        job->output = optarg;
        return *optarg ? 0 : EXIT_USAGE;
    case 'D':
        return dal_option_define("dalsynth", optarg, &job->defines, &job->define_count,
                                 &job->define_room);
    case OPT_CHECK:
        job->check = 1;
        return 0;
    case OPT_VERIFY:
        job->verify = optarg;
        return *optarg ? 0 : EXIT_USAGE;
    case OPT_EMIT_ONLY:
        job->emit_only = 1;
        return 0;
    case OPT_EXPLAIN:
        job->explain = 1;
        return 0;
    case OPT_STRICT:
        job->strict = 1;
        return 0;
    case OPT_TIMES:
        job->times_file = optarg;
        return 0;
    case OPT_MEASURED:
        job->stats_file = optarg;
        return 0;
    case OPT_ADVICE:
        job->advises = 1;
        job->advice_file = optarg;
        return 0;
    case OPT_TIME_LIMIT:
        return dal_option_seconds("dalsynth", "--time-limit", optarg, &job->seconds);
    case 'p':
        return dal_option_parameter("dalsynth", optarg, &job->parameters);
    case OPT_PROFILE:
        return dal_option_seconds("dalsynth", "--profile", optarg, &job->profile);
    case OPT_ANALYZE:
        return take_analyze(job, optarg);
    case OPT_PARETO:
        job->pareto = 1;
        return 0;
    case OPT_SIZES:
        return take_sizes(job, optarg);
    case OPT_IMPORT:
        return take_mode(job, MODE_IMPORT);
    case OPT_EXPORT:
        return take_mode(job, MODE_EXPORT);
    case OPT_BURN:
        job->burn = 1;
        return 0;
    case OPT_PROCESSOR:
        job->processor = optarg;
        return 0;
    case OPT_EXPAND:
        return take_mode(job, MODE_EXPAND);
    case OPT_SHORTEN:
        return take_mode(job, MODE_SHORTEN);
    case OPT_LIST:
        return take_list(job, optarg);
    case OPT_FSM:
        return take_mode(job, MODE_FSM);
    case 'h':
        fputs(synopsis, stdout);
        fputs(usage, stdout);
        done = 1;
        return 0;
    case OPT_VERSION:
        printf("dalsynth %s\n", DAL_VERSION);
        done = 1;
        return 0;
    default:
        return EXIT_USAGE;
    }
}

static int check_file_count(const struct job *job, int count)
{
    if (job->times_file && job->mode == &modes[MODE_FSM]) {
        fprintf(stderr, "dalsynth: --times is for one network, not with --fsm\n");
        return EXIT_USAGE;
    }
    if (job->stats_file && (!job->explain || job->mode != &modes[MODE_SYNTHESISE])) {
        fprintf(stderr, "dalsynth: --measured is for --explain of one network\n");
        return EXIT_USAGE;
    }
    if (job->advises &&
        (!job->explain || !job->times_file || job->mode != &modes[MODE_SYNTHESISE])) {
        fprintf(stderr, "dalsynth: --advice is for --explain of one network with --times\n");
        return EXIT_USAGE;
    }
    if (job->processor && job->mode != &modes[MODE_ANALYZE] && job->mode != &modes[MODE_IMPORT] &&
        job->mode != &modes[MODE_EXPORT]) {
        fprintf(stderr,
                "dalsynth: --processor is for SDF3 graphs: with --analyze, --import-sdf3 or "
                "--export-sdf3\n");
        return EXIT_USAGE;
    }
    if (job->parameters.count && !job->profile) {
        fprintf(stderr, "dalsynth: -p is for --profile; programs have their own\n");
        return EXIT_USAGE;
    }
    if (job->sizes && (job->mode != &modes[MODE_ANALYZE] || count != 3 || !job->output)) {
        fprintf(stderr, "dalsynth: --sizes wants --analyze of three files, and -o MAPPING.xml\n");
        return EXIT_USAGE;
    }
    if (job->verify && job->mode != &modes[MODE_SYNTHESISE] && job->mode != &modes[MODE_FSM]) {
        fprintf(stderr, "dalsynth: --verify wants the files that a program is made from\n");
        return EXIT_USAGE;
    }
    if (job->profile && (!job->times_file || job->check || job->emit_only ||
                         job->mode != &modes[MODE_SYNTHESISE])) {
        fprintf(stderr, "dalsynth: --profile wants --times=FILE, and a program that is made\n");
        return EXIT_USAGE;
    }
    if (count >= job->mode->least && count <= job->mode->most &&
        (count != 2 || job->mode == &modes[MODE_FSM] || job->mode == &modes[MODE_LIST] ||
         (job->mode == modes && job->times_file))) {
        if (!job->burn || job->output)
            return 0;
        fprintf(stderr, "dalsynth: --burn wants a folder, -o DIR\n");
        return EXIT_USAGE;
    }
    fprintf(stderr, "dalsynth: %s\n", job->mode->files);
    return EXIT_USAGE;
}

static int take_arguments(struct job *job, int argc, char **argv)
{
    int option, error = 0;

    while (!error && !done && (option = getopt_long(argc, argv, "o:D:p:h", options, NULL)) != -1)
        error = take_option(job, option);
    if (!error && !done)
        error = check_file_count(job, argc - optind);
    if (error == EXIT_USAGE)
        fprintf(stderr, "Try 'dalsynth --help'.\n");
    if (error || done)
        return error;
    if (job->mode == &modes[MODE_FSM]) {
        job->fsm_file = argv[optind];
        job->architecture_file = argv[optind + 1];
        return 0;
    }
    job->network_file = argv[optind];
    job->architecture_file = argc - optind > 1 ? argv[optind + 1] : NULL;
    job->mapping_file = argc - optind > 2 ? argv[optind + 2] : NULL;
    return 0;
}

static void finish_job(struct job *job)
{
    dal_program_finish(&job->program);
    dal_mapped_finish(&job->mapped);
    if (job->map_folder)
        dal_build_remove(job->map_folder);
    dal_free(job->map_folder);
    dal_free(job->map_file);
    dal_free(job->here_file);
    dal_text_finish(&job->here_cores);
    dal_text_finish(&job->here_mapping);
    dal_applications_finish(&job->applications);
    dal_stats_finish(&job->stats);
    dal_diags_finish(&job->diags);
    dal_free(job->defines);
    dal_free(job->parameters.list);
}

static int complaints; /* errors that have been logged */

static void count_complaint(enum dal_log_level level, const char *message)
{
    (void)message;
    complaints += level == DAL_LOG_ERROR;
}

/* Runs the passes. No error ends them in silence. */
static int run_passes(struct job *job)
{
    const struct pass *list = job->verify ? verifying : job->mode->passes;
    size_t i, told, count = job->verify ? sizeof(verifying) / sizeof(*verifying) : job->mode->count;
    int error = DAL_OK;

    dal_diags_init(&job->diags);
    for (i = 0; i < count && !error; i++)
        error = list[i].run(job);
    fflush(stdout);
    told = dal_diags_print(&job->diags, stderr);
    if (error && !told && !ferror(stdout) &&
        ((error != DAL_ERR_INVALID && error != DAL_ERR_BUILD) || !complaints))
        dal_log(DAL_LOG_ERROR, "%s: %s", list[i - 1].name, dal_strerror(error));
    return error || told ? EXIT_BAD_INPUT : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct job job = {.mode = modes};
    int status, number;

    dal_log_program("dalsynth");
    dal_log_listen(count_complaint);
    dal_output_guard();
    dal_spec_ask_sizes(dal_source_type_size);
    status = take_arguments(&job, argc, argv);
    if (!status && !done)
        status = run_passes(&job);
    finish_job(&job);
    if (dal_output_finish() && !status)
        status = EXIT_BAD_INPUT;
    number = done ? 0 : dal_child_interrupted();
    if (number) {
        sigset_t one;
        signal(number, SIG_DFL);
        sigemptyset(&one);
        sigaddset(&one, number);
        sigprocmask(SIG_UNBLOCK, &one, NULL);
        raise(number);
    }
    return status;
}
