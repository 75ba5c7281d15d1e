#include "synth/command/commands.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "spec/base/file.h"
#include "synth/command/options.h"
#include "synth/command/tune.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Most points of a front without --most. */
enum { MOST_POINTS = 16 };

/* ---- the command line ------------------------------------------------------------------------ */

int dal_take_objective(struct dal_request *request, const struct dal_option *option, char *text)
{
    static const char *const names[] = {[DAL_SEARCH_THROUGHPUT] = "throughput",
                                        [DAL_SEARCH_MEMORY] = "memory",
                                        [DAL_SEARCH_LATENCY] = "latency"};
    request->map.front = strcmp(text, "front") == 0;
    if (request->map.front)
        return 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], text) == 0) {
            request->map.map.objective = (enum dal_search_objective)i;
            return 0;
        }
    return dal_request_refuse(request, "--%s is throughput, memory, latency or front, not '%s'",
                              option->name, text);
}

int dal_take_pin(struct dal_request *request, const struct dal_option *option, char *text)
{
    struct dal_search_wishes *wishes = &request->map.map.wishes;
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return dal_request_refuse(request, "--%s wants PROCESS=PROCESSOR, not '%s'", option->name,
                                  text);
    if (dal_grow(&request->map.pins, wishes->pin_count, &request->map.pin_room,
                 sizeof(*request->map.pins)))
        return dal_request_lost();
    *equals = '\0';
    request->map.pins[wishes->pin_count++] =
        (struct dal_search_pin){.process = text, .processor = equals + 1};
    wishes->pins = request->map.pins;
    return 0;
}

/* Checks that the options fit a front, or a single mapping. */
static int check_wishes(const struct dal_request *request)
{
    const struct dal_map_options *wishes = &request->map;
    if (!request->files.times)
        return dal_request_refuse(request,
                                  "--times=FILE is needed; with --profile=SECONDS it is written");
    if (request->parameters.count && !request->build.profile && !wishes->run)
        return dal_request_refuse(request,
                                  "-p PROCESS.NAME=VALUE wants --profile=SECONDS or --run=K");
    if (!wishes->front && wishes->most)
        return dal_request_refuse(request, "--most is for --objective=front");
    if (wishes->front && !request->files.output)
        return dal_request_refuse(request, "--objective=front needs -o FOLDER");
    if (wishes->front && wishes->run)
        return dal_request_refuse(request,
                                  "--run is not for --objective=front: run the points you choose");
    return 0;
}

/* Gathers what the search wants of the request. */
static struct dal_map map_of(const struct dal_request *request)
{
    const struct dal_map_options *wishes = &request->map;
    struct dal_map map = wishes->map;
    map.network_file = request->files.network;
    map.architecture_file = request->files.architecture;
    map.times_file = request->files.times;
    map.defines = request->defines.list;
    map.define_count = request->defines.count;
    map.parameters = request->parameters.list;
    map.parameter_count = request->parameters.count;
    map.seconds = request->seconds;
    map.profile_seconds = request->build.profile;
    map.run = (size_t)wishes->run;
    map.wishes.leave = (size_t)wishes->leave;
    map.wishes.pools = !wishes->is_one_core;
    if (!dal_request_has(request, "exact"))
        map.most_exact = DAL_SEARCH_EXACT;
    if (!dal_request_has(request, "run-time"))
        map.run_seconds = 3;
    if (wishes->front)
        map.most_points = wishes->most ? (size_t)wishes->most : MOST_POINTS;
    return map;
}

/* ---- the work -------------------------------------------------------------------------------- */

static void show_progress(uint64_t tried, double least_ns)
{
    if (dal_progress_is_due())
        dal_progress_show("%" PRIu64 " mappings, least period %.4g us", tried, least_ns / 1000);
}

static int write_mapping(const char *output, const struct dal_mapped *mapped)
{
    if (output)
        return dal_text_write(mapped->text, "", output);
    return fputs(mapped->text, stdout) < 0 ? DAL_ERR_IO : DAL_OK;
}

static void tell_end(const char *what, int interrupted, int out_of_time)
{
    if (interrupted)
        dal_log(DAL_LOG_NOTE, "interrupted: the best %s so far is written", what);
    if (out_of_time)
        dal_log(DAL_LOG_NOTE, "the time limit has ended the search: the best %s so far is written",
                what);
}

/* Tells the problems of the input, before the results are written. */
static int tell_problems(struct dal_diags *diags, int status)
{
    int error_told;
    dal_progress_end();
    error_told = dal_request_tell(diags);
    return error_told ? error_told : status;
}

static int write_one(const char *output, const struct dal_mapped *mapped)
{
    int status = write_mapping(output, mapped);
    if (status)
        return status;
    tell_end("mapping", mapped->interrupted, mapped->out_of_time);
    if (output)
        printf("%s\n", mapped->summary);
    return DAL_OK;
}

static int map_one(struct dal_diags *diags, const struct dal_map *map, const char *output)
{
    struct dal_mapped mapped;
    int status = tell_problems(diags, dal_map(diags, map, &mapped));
    if (!status)
        status = write_one(output, &mapped);
    dal_mapped_finish(&mapped);
    return status;
}

static int write_front(const char *output, const struct dal_mapped_front *front)
{
    int status = dal_mapped_folder_write(front, output);
    if (status)
        return status;
    tell_end("front", front->interrupted, front->out_of_time);
    printf("%" PRIu64 " mappings with sizes tried; %zu point%s in %s\n\n", front->tried,
           front->count, front->count == 1 ? "" : "s", output);
    return dal_mapped_front_print(front, stdout);
}

static int map_front(struct dal_diags *diags, const struct dal_map *map, const char *output)
{
    struct dal_mapped_front front;
    int status = tell_problems(diags, dal_map_front(diags, map, &front));
    if (!status)
        status = write_front(output, &front);
    dal_mapped_front_finish(&front);
    return status;
}

static int check_output(const struct dal_request *request)
{
    const char *output = request->files.output;
    if (request->map.front)
        return dal_mapped_folder_check(output);
    return output ? dal_output_check("", output) : DAL_OK;
}

/* ---- nothing but a network ---------------------------------------------------------------------
 */

/* Says what is in the folder: there may be no times, and no page. */
static void tell_folder(const struct dal_request *request, const char *program)
{
    static const char *const names[] = {DAL_TUNE_MAPPING, DAL_TUNE_ARCHITECTURE, DAL_TUNE_TIMES,
                                        DAL_TUNE_PAGE};
    printf("\n%s is the program. Beside it are", program);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *path = dal_format("%s/%s", request->files.output, names[i]);
        if (path && !dal_file_fault(path))
            printf("%s %s", i ? "," : "", names[i]);
        dal_free(path);
    }
    printf(".\n");
}

/* Takes the network, or the one of this folder. Returns an exit status. */
static int tune_network(struct dal_request *request)
{
    char *program = NULL;
    int status = dal_build_program(request, &program);
    if (!status && program)
        tell_folder(request, program);
    dal_free(program);
    return status;
}

static int tune(struct dal_request *request)
{
    struct dal_map_options *wishes = &request->map;
    char *found = NULL;
    int status;
    if (dal_request_has(request, "objective") || wishes->most)
        return dal_request_refuse(request, "--%s wants an architecture, too",
                                  wishes->most ? "most" : "objective");
    if (!request->files.network)
        request->files.network = found = dal_tune_network();
    if (!request->files.network)
        return DAL_EXIT_BAD_INPUT;
    if (!request->files.output)
        request->files.output = "tuned";
    wishes->tunes = 1;
    wishes->map = map_of(request);
    request->seconds = request->build.profile = 0; /* of the program that is built */
    status = tune_network(request);
    dal_free(found);
    return status;
}

int dal_verb_map(struct dal_request *request)
{
    const char *output = request->files.output;
    struct dal_map map = map_of(request);
    struct dal_diags diags;
    int status;
    if (!request->files.architecture)
        return tune(request);
    status = check_wishes(request);
    if (status)
        return status;
    dal_diags_init(&diags);
    status = check_output(request);
    if (!status)
        status = dal_child_guard();
    if (!status) {
        dal_progress_begin();
        map.progress = show_progress;
        status =
            request->map.front ? map_front(&diags, &map, output) : map_one(&diags, &map, output);
    }
    return dal_request_end(&diags, "map", status);
}
