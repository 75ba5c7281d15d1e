#include "synth/command/verbs.h"

#include "synth/command/analyze.h"
#include "synth/command/commands.h"
#include "synth/command/diff.h"
#include "synth/program/applications.h"

#include <stddef.h>
#include <string.h>

/* ---- options that do more than keep a value -------------------------------------------------- */

static int take_advice(struct dal_request *request, const struct dal_option *option, char *text)
{
    request->explain.advises = 1;
    return dal_take_text(request, option, text);
}

/* A number of tokens is the point of a trade-off. */
static int take_sizes(struct dal_request *request, const struct dal_option *option, char *text)
{
    int is_number = *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 19;
    request->analyze.pareto |= is_number;
    if (is_number || strcmp(text, "minimum") == 0 || strcmp(text, "fastest") == 0)
        return dal_take_text(request, option, text);
    return dal_request_refuse(
        request, "--sizes is minimum, fastest or the tokens of a trade-off, not '%s'", text);
}

static int take_dump(struct dal_request *request, const struct dal_option *option, char *text)
{
    if (dal_applications_knows(text))
        return dal_take_text(request, option, text);
    if (strcmp(text, "LIST") != 0)
        return dal_request_refuse(request, "--dump is of a pass, not of '%s': --dump=LIST has them",
                                  text);
    dal_applications_passes(stdout);
    return DAL_EXIT_DONE;
}

static int take_format(struct dal_request *request, const struct dal_option *option, char *text)
{
    (void)option;
    request->build.form = dal_report_form(text);
    if (request->build.form != DAL_REPORTS)
        return 0;
    return dal_request_refuse(request, "--format is text, json or sarif, not '%s'", text);
}

/* Options of dalsynth that choose a verb and have a value. */

static int take_analyze(struct dal_request *request, const struct dal_option *option, char *text)
{
    request->analyze.json = text && strcmp(text, "json") == 0;
    if (text && !request->analyze.json)
        return dal_request_refuse(
            request, "--analyze is a table, or json with --analyze=json, not '%s'", text);
    return dal_take_verb(request, option, text);
}

static int take_list(struct dal_request *request, const struct dal_option *option, char *text)
{
    if (!dal_list_knows(text))
        return dal_request_refuse(request,
                                  "--%s is of processes, ports, outputs, channels, variables, "
                                  "parameters or processors, not '%s'",
                                  option->name, text);
    request->list = text;
    return request->is_classic ? dal_take_verb(request, option, text) : 0;
}

/* Without a pattern all parts. */
static int take_fold(struct dal_request *request, const struct dal_option *option, char *text)
{
    return dal_take_text(request, option, text ? text : "*");
}

/* ---- options ------------------------------------------------------------------------------------
 */

#define FOR(verb) (UINT32_C(1) << DAL_VERB_##verb)
#define DALSYNTH  DAL_FOR_DALSYNTH
#define MAKES     (FOR(BUILD) | FOR(RUN))
#define PLANS     (MAKES | FOR(CHECK) | FOR(EXPLAIN))
#define TELLS     (FOR(BUILD) | FOR(CHECK) | FOR(EXPLAIN))
#define ANY_VERB  (FOR(NEW) - 1)

/* Rows: for which verbs, the letter or 0, the name, the argument, what takes it into which member,
 * the help; then what else is to be said. */
#define ROW(verbs_, letter_, name_, argument_, take_, target_, help_, ...)                         \
    {                                                                                              \
        .verbs = (verbs_), .letter = (letter_), .name = (name_), .argument = (argument_),          \
        .take = (take_), .target = (target_), .help = help_, __VA_ARGS__                           \
    }
#define VALUE(verbs, letter, name, argument, take, member, ...)                                    \
    ROW(verbs, letter, name, argument, take, offsetof(struct dal_request, member), __VA_ARGS__, )
#define FLAG(verbs, name, member, ...)                                                             \
    ROW(verbs, 0, name, NULL, dal_take_flag, offsetof(struct dal_request, member), __VA_ARGS__, )
#define TAKES(verbs, letter, name, argument, take, ...)                                            \
    ROW(verbs, letter, name, argument, take, 0, __VA_ARGS__, )
#define DOES(verbs, letter, name, take, ...) TAKES(verbs, letter, name, NULL, take, __VA_ARGS__)

#define FORMAT                                                                                     \
    "of the messages: text, json or sarif (SARIF 2.1.0), these two on\n"                           \
    "standard output"

static const struct dal_option options[] = {
    VALUE(MAKES | DALSYNTH, 'o', "output", "DIR", dal_take_name, files.output,
          "folder for the program (the network's name)"),
    VALUE(FOR(ANALYZE), 'o', "output", "MAPPING.xml", dal_take_name, files.output,
          "the mapping that --sizes writes", .needs = "sizes"),
    VALUE(FOR(IMPORT), 'o', "output", "DIR", dal_take_name, files.output,
          "folder for the network (standard output)"),
    VALUE(FOR(MAP), 'o', "output", "MAPPING.xml", dal_take_name, files.output,
          "the file to write (standard output); with --objective=front a new\n"
          "folder; of a network alone the program's folder (tuned)"),
    VALUE(FOR(VIEW), 'o', "output", "FILE", dal_take_text, files.output,
          "what is written, by its ending: a page (.html) that needs nothing\n"
          "but a browser, a picture (.svg, by Graphviz), or data (.json);\n"
          "the network's name with .html in this folder without it"),
    TAKES(PLANS | DALSYNTH, 'D', "define", "VAR=VALUE", dal_take_define,
          "gives a variable of the network another value; with --fsm,\n"
          "APPLICATION.VAR=VALUE"),
    TAKES(FOR(ANALYZE) | FOR(MAP) | FOR(VIEW) | FOR(EXPORT) | FOR(EXPAND) | FOR(LIST) | FOR(DIFF),
          'D', "define", "VAR=VALUE", dal_take_define,
          "gives a variable of the network another value"),
    TAKES(PLANS | DALSYNTH, 0, "tap", "PROCESS.PORT", dal_take_tap,
          "records what an output port gives, or all that fit a pattern,\n"
          "--tap='*', into the folder that DAL_TAP names when the program runs;\n"
          "may be given several times",
          .without = "fsm only"),
    TAKES(PLANS | DALSYNTH, 0, "replay", "PROCESS[=FOLDER]", dal_take_recording,
          "puts a recording in the place of a process; without FOLDER, that is\n"
          "in the folder that DAL_RECORDING names when the program runs",
          .without = "fsm only", .least = DAL_DEFINE_REPLAY),
    TAKES(PLANS | DALSYNTH, 0, "only", "PROCESS[=FOLDER]", dal_take_recording,
          "a process alone: it reads recordings, and what it gives is compared\n"
          "with them; of several, each is alone",
          .without = "fsm", .least = DAL_DEFINE_ONLY),
    FLAG(MAKES | DALSYNTH, "guard", build.guards,
         "the program watches the windows of its processes, and names who\n"
         "writes past one; a run takes up to two times as long, one of\n"
         "firings of few bytes longer",
         .without = "library"),
    FLAG(DALSYNTH, "check", build.check, "only checks and plans; writes nothing"),
    VALUE(FOR(CHECK), 0, "verify", "PROGRAM", dal_take_name, build.verify,
          "only says whether the program was made from these files"),
    VALUE(DALSYNTH, 0, "verify", "PROGRAM", dal_take_name, build.verify,
          "only says whether the program was made from these files",
          .without = "analyze import-sdf3 export-sdf3 expand shorten list"),
    FLAG(FOR(BUILD) | DALSYNTH, "emit-only", build.emit_only,
         "writes the sources but does not build them"),
    VALUE(FOR(BUILD) | DALSYNTH, 0, "library", "[=NAME]", dal_take_library, build.library,
          "also makes a library of a network with ports: libNAME.so, libNAME.a,\n"
          "NAME.h and NAME.pc (dal_run.h); NAME is the network's without it",
          .without = "fsm"),
    VALUE(FOR(BUILD) | DALSYNTH, 0, "depends", "FILE", dal_take_text, build.depends,
          "also writes a rule for make, with all files that it was made of, for\n"
          "programs that build (make, ninja, CMake, meson)",
          .without = "check verify"),
    TAKES(FOR(BUILD) | FOR(CHECK) | DALSYNTH, 0, "explain", "[=json]", dal_take_explain,
          "prints what runs where, and why"),
    FLAG(FOR(EXPLAIN), "json", explain.json, "prints data instead of tables",
         .without = "advice measured fsm"),
    TAKES(FOR(CHECK), 0, "format", "FORM", take_format, FORMAT, .without = "explain verify dump"),
    TAKES(DALSYNTH, 0, "format", "FORM", take_format, FORMAT, .needs = "check",
          .without = "explain verify"),
    FLAG(PLANS | DALSYNTH, "strict", build.strict,
         "a device that is missing here, or that a kernel does not fit, is an\n"
         "error even when another device or a fallback could be used"),
    VALUE(PLANS | FOR(ANALYZE) | FOR(EXPORT) | DALSYNTH, 0, "times", "FILE", dal_take_text,
          files.times,
          "execution times: what DAL_TIMES=FILE of a program wrote, or\n"
          "{\"PROCESS\": UNITS, ...} in JSON",
          .without = "fsm"),
    VALUE(FOR(MAP), 0, "times", "FILE", dal_take_text, files.times,
          "execution times: what 'dal build --profile' or DAL_TIMES=FILE of a\n"
          "program wrote, or {\"PROCESS\": NANOSECONDS, ...} in JSON"),
    VALUE(FOR(VIEW), 0, "times", "FILE", dal_take_text, files.times,
          "execution times, as for dalsynth"),
    VALUE(TELLS | DALSYNTH, 0, "measured", "FILE", dal_take_texts, measured,
          "with --explain: a run beside what is predicted; what\n"
          "DAL_STATS=FILE of a program wrote",
          .most = 1, .needs = "explain", .without = "fsm"),
    VALUE(FOR(VIEW), 0, "measured", "FILE", dal_take_texts, measured,
          "with an architecture and a mapping: a run of it in the page, who\n"
          "was busy, who waited, the bottleneck; what DAL_STATS=FILE of a\n"
          "program wrote. A second one is shown beside the first",
          .most = 2),
    VALUE(FOR(VIEW), 0, "fold", "[=PATTERN]", take_fold, fold,
          "draws parts, networks within the network, as one box each: those\n"
          "whose names fit PATTERN, or all"),
    VALUE(FOR(VIEW), 0, "trace", "FILE", dal_take_texts, traces,
          "a time line of a run, and what its channels held; what\n"
          "DAL_TRACE=FILE.json of a program wrote. Of two, the second one is\n"
          "of the second run",
          .most = 2),
    VALUE(TELLS | DALSYNTH, 0, "advice", "[=FILE]", take_advice, explain.advice_file,
          "with --explain and --times: what limits the throughput, and which\n"
          "single change of the mapping helps most; FILE gets that mapping",
          .needs = "explain times"),
    VALUE(FOR(BUILD) | DALSYNTH, 0, "profile", "SECONDS", dal_take_seconds, build.profile,
          "runs the program that it has made for so long, and merges what\n"
          "it measures into the file of --times, which need not be there",
          .needs = "times", .without = "emit-only check"),
    VALUE(FOR(MAP), 0, "profile", "SECONDS", dal_take_seconds, build.profile,
          "first finds times: of all processes on the cores, and of all\n"
          "kernels on each device, in runs of so many seconds, which are\n"
          "merged into the file of --times; open inputs read zeros"),
    VALUE(FOR(BUILD) | DALSYNTH, 'p', "parameter", "PROCESS.NAME=VALUE", dal_take_parameter,
          parameters, "of that run; may be given several times", .needs = "profile"),
    VALUE(FOR(MAP), 'p', "parameter", "PROCESS.NAME=VALUE", dal_take_parameter, parameters,
          "of the programs that are run"),
    VALUE(TELLS | DALSYNTH, 0, "time-limit", "SECONDS", dal_take_seconds, seconds,
          "for all searches of the analysis together (60; 8 where an iteration\n"
          "has more than 500 firings; 2 to make a program), and for\n"
          "--advice (10); results that are not proven by then are marked"),
    VALUE(FOR(RUN) | FOR(ANALYZE), 0, "time-limit", "SECONDS", dal_take_seconds, seconds,
          "for all searches of the analysis together (60; 8 where an iteration\n"
          "has more than 500 firings; 2 to make a program); results that are\n"
          "not proven by then are marked"),
    VALUE(FOR(MAP), 0, "time-limit", "SECONDS", dal_take_seconds, seconds,
          "for the search (60); then the best so far is written; of a network\n"
          "alone for all but the last build (110)"),
    VALUE(PLANS, 0, "dump", "PASS", take_dump, build.dump,
          "prints the plan as data behind a pass, as plan, the last;\n--dump=LIST prints the "
          "passes"),
    FLAG(PLANS | DALSYNTH, "fsm", build.is_fsm,
         "the files are a state machine and an architecture"),
    TAKES(DALSYNTH, 0, "analyze", "[=json]", take_analyze,
          "prints consistency, deadlock, capacities, period; works without\n"
          "sources, architecture and mapping, and for SDF3 graphs",
          .least = DAL_VERB_ANALYZE),
    FLAG(FOR(ANALYZE), "json", analyze.json, "prints data instead of a table"),
    FLAG(FOR(ANALYZE) | DALSYNTH, "pareto", analyze.pareto,
         "all trade-offs of capacities and period"),
    VALUE(FOR(ANALYZE) | DALSYNTH, 0, "sizes", "POINT", take_sizes, analyze.sizes,
          "with three files and -o MAPPING.xml: writes the mapping with sizes,\n"
          "those of the point \"minimum\" or \"fastest\", or of a trade-off by\n"
          "its tokens",
          .needs = "output"),
    DOES(DALSYNTH, 0, "import-sdf3", dal_take_verb,
         "prints an SDF3 application graph as a network; with -o, in a folder",
         .least = DAL_VERB_IMPORT),
    FLAG(FOR(IMPORT) | DALSYNTH, "burn", analyze.burn,
         "also writes C sources that spend the execution times", .needs = "output"),
    VALUE(FOR(ANALYZE) | FOR(IMPORT) | FOR(EXPORT) | DALSYNTH, 0, "processor", "TYPE",
          dal_take_text, analyze.processor,
          "of an SDF3 graph: whose execution times count where an actor has\n"
          "several"),
    DOES(DALSYNTH, 0, "export-sdf3", dal_take_verb, "prints a network as an SDF3 application graph",
         .least = DAL_VERB_EXPORT),
    DOES(DALSYNTH, 0, "expand", dal_take_verb,
         "prints a network in its long form, which the short one means; of\n"
         "networks within it, the flat one",
         .least = DAL_VERB_EXPAND),
    DOES(DALSYNTH, 0, "shorten", dal_take_verb,
         "prints a network in its short form; --expand of that is as before",
         .least = DAL_VERB_SHORTEN),
    TAKES(DALSYNTH, 0, "list", "WHAT", take_list,
          "prints names, a line each: WHAT is processes, ports, outputs,\n"
          "channels, variables, parameters or processors",
          .least = DAL_VERB_LIST),
    TAKES(FOR(LIST), 0, "names", "WHAT", take_list,
          "of what: processes (as without), ports, outputs, channels,\n"
          "variables, parameters or processors"),
    VALUE(FOR(DIFF), 0, "maps", "MAPPING.xml", dal_take_name, maps,
          "of a network that is built and run on this mapping and on another one"),
    VALUE(FOR(DIFF), 0, "run-time", "SECONDS", dal_take_seconds, map.map.run_seconds,
          "ends each run after so long (when it ends by itself)", .needs = "maps"),
    TAKES(FOR(MAP), 0, "objective", "WHAT", dal_take_objective,
          "throughput: the least period (as without), and then the fewest processors;\n"
          "memory: the fewest bytes of channels among the mappings whose period is\n"
          "at most 5 % longer than the least;\n"
          "latency: the least time of an iteration on its longest way, with one\n"
          "firing at once; the mapping has sizes for that;\n"
          "front: mappings that no other beats in period, latency and bytes at once,\n"
          "with sizes: the folder of -o gets 1.xml, 2.xml, ... and front.txt"),
    VALUE(FOR(MAP), 0, "most", "N", dal_take_count, map.most,
          "so many points of a front at most, from 3 on (16)", .least = 3, .most = 1000),
    VALUE(FOR(MAP), 0, "keep", "MAPPING.xml", dal_take_text, map.map.keep_file,
          "a mapping that binds some of the processes: it stays"),
    TAKES(FOR(MAP), 0, "pin", "PROCESS=PROCESSOR", dal_take_pin,
          "only there; both may be patterns, as in --pin='Dec_*=core_[01]'"),
    FLAG(FOR(MAP), "one-core", map.is_one_core,
         "no process on all cores of a node, only on one of them"),
    VALUE(FOR(MAP), 0, "leave", "N", dal_take_count, map.leave, "leaves N cores of each node free",
          .most = 1000000),
    VALUE(FOR(MAP), 0, "exact", "N", dal_take_count, map.map.most_exact,
          "tries all mappings where no more than N differ (2000)", .most = DAL_SEARCH_MOST_TRIED),
    VALUE(FOR(MAP), 0, "run", "K", dal_take_count, map.run,
          "builds and runs the K best by prediction, and takes the fastest", .most = 100),
    VALUE(FOR(MAP), 0, "run-time", "SECONDS", dal_take_seconds, map.map.run_seconds,
          "for each of them (3)"),
    DOES(ANY_VERB | DALSYNTH, 'h', "help", dal_take_help, "prints this"),
    DOES(ANY_VERB | DALSYNTH, 0, "version", dal_take_version, "prints the version"),
};

_Static_assert(sizeof(options) / sizeof(options[0]) <= 64, "dal_request.given has a bit for each");

/* ---- verbs --------------------------------------------------------------------------------------
 */

/* The files of the verbs that plan a program. Those that make it leave the mapping that was found.
 */
#define LEAVES ", and leaves it in the folder, mapping.xml"
#define PROGRAM(leaves)                                                                            \
    .files = "NETWORK.xml ARCHITECTURE.xml MAPPING.xml\n"                                          \
             "--times=FILE NETWORK.xml ARCHITECTURE.xml\n"                                         \
             "NETWORK.xml\n"                                                                       \
             "--fsm FSM.xml ARCHITECTURE.xml",                                                     \
    .counts = "13", .counts_timed = "123",                                                         \
    .wants = "one file is needed, a network, or three: network, architecture, mapping; or two "    \
             "and --times=FILE or --fsm, or where the network names its mapping",                  \
    .more = "Without a mapping, it takes the one that dalmap finds" leaves ".\n"                   \
            "With neither an architecture nor a mapping, everything runs on the cores of this "    \
            "machine.\n"                                                                           \
            "With --fsm, of several networks with their mappings: a state machine starts and "     \
            "stops them.\n"

static const struct dal_verb verbs[DAL_VERBS] = {
    [DAL_VERB_BUILD] = {.name = "build",
                        .classic = "",
                        PROGRAM(LEAVES),
                        .run = dal_verb_build,
                        .help = "make a program of a network, a machine and a mapping",
                        .text = "Makes a program of a process network, a machine and a mapping of "
                                "the network to the machine.\n"},
    [DAL_VERB_RUN] = {.name = "run",
                      PROGRAM(LEAVES),
                      .runs = 1,
                      .run = dal_verb_run,
                      .help = "make the program, and run it",
                      .text = "Makes a program of a process network as 'dal build', and runs it, "
                              "with the words behind -- as its\n"
                              "arguments.\n"},
    [DAL_VERB_CHECK] = {.name = "check",
                        PROGRAM(""),
                        .run = dal_verb_check,
                        .help = "say what is wrong; write nothing",
                        .text = "Checks a process network with its machine and mapping, and plans "
                                "the program, but writes nothing.\n"},
    [DAL_VERB_EXPLAIN] = {.name = "explain",
                          PROGRAM(""),
                          .run = dal_verb_explain,
                          .help = "print what runs where, and why",
                          .text = "Prints what runs where, in which memory the tokens of each "
                                  "channel live, and why. Writes nothing.\n"},
    [DAL_VERB_ANALYZE] = {.name = "analyze",
                          .classic = "--analyze",
                          .files = "NETWORK.xml [ARCHITECTURE.xml MAPPING.xml]\n"
                                   "GRAPH.xml",
                          .counts = "13",
                          .wants =
                              "a network is wanted, alone or with an architecture and a mapping",
                          .run = dal_verb_analyze,
                          .help = "find deadlocks, capacities and the period",
                          .text = "Prints consistency, deadlock, capacities and period of a "
                                  "network. It works without sources,\n"
                                  "architecture and mapping, and for SDF3 graphs.\n"},
    [DAL_VERB_MAP] = {.name = "map",
                      .files = "[NETWORK.xml]\n--times=FILE NETWORK.xml ARCHITECTURE.xml",
                      .counts = "012",
                      .wants = "one file is needed, a network, or two: network, architecture",
                      .run = dal_verb_map,
                      .help = "find a mapping, from measured times",
                      .text = "Searches a mapping of a network to a machine, by what dalsynth "
                              "--explain predicts. Writes it with\n"
                              "comments. Of a network alone, or in a folder of 'dal new': measures "
                              "this machine and the network,\n"
                              "runs the best mappings, makes the program. A signal (SIGINT, "
                              "SIGTERM) keeps the best so far.\n"
                              "What is outside of an open port is taken to be infinitely fast.\n"},
    [DAL_VERB_VIEW] = {.name = "view",
                       .program = "view/dalview",
                       .files = "NETWORK.xml [ARCHITECTURE.xml MAPPING.xml]",
                       .counts = "13",
                       .wants = "a network is wanted, alone or with an architecture and a mapping",
                       .help = "draw a network as a page, a picture or data",
                       .text = "Draws a process network, or an SDF3 graph: what leads where, what "
                               "runs where with an architecture\n"
                               "and a mapping, and why it cannot run if it cannot: then it is "
                               "drawn all the same, with status 1.\n"},
    [DAL_VERB_EXPAND] = {.name = "expand",
                         .classic = "--expand",
                         .files = "NETWORK.xml",
                         .counts = "1",
                         .wants = "one network is wanted",
                         .run = dal_request_print,
                         .print = dal_form_expand,
                         .help = "print a network in its long form",
                         .text = "Prints a network in its long form, which the short one means. "
                                 "Of a network with others\n"
                                 "within it, or with -D, prints the flat network that they make "
                                 "together.\n"},
    [DAL_VERB_SHORTEN] = {.name = "shorten",
                          .classic = "--shorten",
                          .files = "NETWORK.xml",
                          .counts = "1",
                          .wants = "one network is wanted",
                          .run = dal_request_print,
                          .print = dal_form_shorten,
                          .help = "print a network in its short form",
                          .text =
                              "Prints a network in its short form; its long form is as before.\n"},
    [DAL_VERB_IMPORT] =
        {.name = "import",
         .classic = "--import-sdf3",
         .files = "GRAPH.xml",
         .counts = "1",
         .wants = "one SDF3 file is wanted",
         .run = dal_request_print,
         .print = dal_sdf3_import,
         .help = "turn an SDF3 graph into a network",
         .text = "Prints an SDF3 application graph as a network; with -o, in a folder.\n"},
    [DAL_VERB_EXPORT] = {.name = "export",
                         .classic = "--export-sdf3",
                         .files = "NETWORK.xml",
                         .counts = "1",
                         .wants = "one network is wanted",
                         .run = dal_request_print,
                         .print = dal_sdf3_export,
                         .help = "turn a network into an SDF3 graph",
                         .text = "Prints a network as an SDF3 application graph.\n"},
    [DAL_VERB_LIST] = {.name = "list",
                       .classic = "--list=WHAT",
                       .files = "NETWORK.xml [ARCHITECTURE.xml]",
                       .counts = "12",
                       .wants = "a network is wanted, or a network and an architecture",
                       .run = dal_request_print,
                       .print = dal_list,
                       .help = "print names of a network or a machine",
                       .text = "Prints names of a network or a machine, a line each, for programs "
                               "that complete command lines.\n"},
    [DAL_VERB_DIFF] =
        {.name = "diff",
         .files = "FOLDER FOLDER\n"
                  "--maps=MAPPING.xml MAPPING.xml NETWORK.xml [ARCHITECTURE.xml]",
         .counts = "23",
         .wants = "two folders are wanted that DAL_TAP has named; with --maps, "
                  "another mapping, a network, and perhaps an architecture",
         .runs = 1,
         .run = dal_verb_diff,
         .help = "find the first token that differs in two recordings",
         .text = "Compares two folders of recordings (--tap, DAL_TAP). Prints the "
                 "first token that differs, and\n"
                 "in which firing, counted from 0; what is upstream first. The status is 0 "
                 "if nothing differs,\n1 if a token does, and 2 if they cannot be "
                 "compared. With --maps, builds a network with all\n"
                 "taps on two mappings, runs both with the words behind --, and compares "
                 "that; without\nARCHITECTURE, on the cores of this machine.\n"},
    [DAL_VERB_PARTS] =
        {.name = "parts",
         .files = "[NAME | PART.xml]",
         .counts = "01",
         .wants = "one part is wanted, or none for a list",
         .run = dal_request_print,
         .print = dal_form_parts,
         .help = "list the parts that are installed, or describe one",
         .text = "Lists the networks that are installed as parts, or describes one, or a network "
                 "of yours: its ports,\n"
                 "variables, parameters and packages.\n"},
    [DAL_VERB_SET] = {.name = "set",
                      .files = "SOCKET|PROGRAM PROCESS.PARAMETER=VALUE",
                      .counts = "2",
                      .wants = "a socket or a program that runs is wanted, and a change",
                      .run = dal_set,
                      .help = "change a live parameter of a program that runs",
                      .text = "Changes a live parameter of a program that runs with "
                              "DAL_CONTROL=SOCKET.\n"},
    [DAL_VERB_GET] = {.name = "get",
                      .files = "SOCKET|PROGRAM [PROCESS.PARAMETER]",
                      .counts = "12",
                      .wants = "a socket or a program that runs is wanted, and perhaps a parameter",
                      .run = dal_get,
                      .help = "print live parameters of a program that runs",
                      .text = "Prints a live parameter of a program that runs with "
                              "DAL_CONTROL=SOCKET, or all,\nwith the values of now.\n"},
    [DAL_VERB_INFO] = {.name = "info",
                       .program = "tools/dalinfo",
                       .help = "list cores and devices of this machine"},
    [DAL_VERB_BENCH] = {.name = "bench",
                        .program = "bench/dalbench",
                        .help = "measure networks beside programs by hand"},
    [DAL_VERB_LSP] = {.name = "lsp",
                      .program = "tools/dal-lsp",
                      .help = "serve an editor: messages, completion, definitions"},
    [DAL_VERB_TUNE] = {.name = "tune",
                       .same = DAL_VERB_MAP,
                       .help = "make the fastest program for this machine"},
    [DAL_VERB_NEW] = {.name = "new", .help = "begin a network: a folder that builds and runs"},
    [DAL_VERB_ADD] = {.name = "add", .help = "add a process to such a network"},
};

const struct dal_command_table dal_commands = {.options = options,
                                               .option_count = sizeof(options) / sizeof(options[0]),
                                               .verbs = verbs,
                                               .verb_count = DAL_VERBS};
