/* The verb dal diff. With --maps, it makes the recordings of a network on two mappings. */
#include "synth/command/diff.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "synth/command/commands.h"
#include "synth/command/options.h"
#include "synth/program/build.h"
#include "synth/program/profile.h"

/* Runs the program, which records into a folder. Its output is dropped. */
static int record(const struct dal_request *request, const char *program, const char *folder)
{
    const struct dal_profile_run run = {.program = program,
                                        .variable = "DAL_TAP",
                                        .value = folder,
                                        .arguments = request->build.arguments,
                                        .seconds = request->map.map.run_seconds};
    return dal_profile_run(&run);
}

/* Builds and runs the network with taps on one of the mappings. Returns an exit status. */
static int make_recordings(struct dal_request *request, const char *mapping, const char *built,
                           const char *folder)
{
    struct dal_request one = *request;
    char *program = NULL;
    int status;
    one.files.mapping = mapping;
    one.files.output = built;
    status = dal_build_program(&one, &program);
    if (!status && !one.build.signal && record(request, program, folder))
        status = DAL_EXIT_BAD_INPUT;
    request->build.signal = dal_child_interrupted();
    dal_free(program);
    return request->build.signal ? DAL_EXIT_BAD_INPUT : status;
}

static int compare_maps(struct dal_request *request, const char *const mappings[2],
                        const char *folder)
{
    char *built = dal_format("%s/program", folder);
    char *const folders[2] = {dal_format("%s/0", folder), dal_format("%s/1", folder)};
    int status = built && folders[0] && folders[1] ? 0 : dal_request_lost();
    for (int side = 0; side < 2 && !status; side++)
        status = make_recordings(request, mappings[side], built, folders[side]);
    status = status ? DAL_DIFF_TROUBLE : dal_diff(request, (const char *const *)folders, mappings);
    dal_free_all(built, folders[0], folders[1]);
    return status;
}

/* Builds and runs the network in a folder that is removed. The files are the second mapping, the
 * network, and perhaps an architecture. */
static int diff_maps(struct dal_request *request)
{
    const char *const mappings[2] = {request->maps, request->files.network};
    char *folder = dal_profile_folder();
    int status = DAL_DIFF_TROUBLE;
    request->files.network = request->files.architecture;
    request->files.architecture = request->files.mapping;
    if (folder && !dal_take_tap(request, NULL, (char *)"*"))
        status = compare_maps(request, mappings, folder);
    if (folder)
        dal_build_remove(folder);
    dal_free(folder);
    return status;
}

int dal_verb_diff(struct dal_request *request)
{
    const char *const folders[2] = {request->files.network, request->files.architecture};
    if (request->maps)
        return diff_maps(request);
    if (request->files.mapping || request->build.arguments || request->defines.count)
        return dal_request_refuse(request, "%s", request->verb->wants);
    return dal_diff(request, folders, folders);
}
