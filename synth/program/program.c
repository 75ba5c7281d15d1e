#include "synth/program/program.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/program/build.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Returns an absolute name, without slashes at its end. The folder itself need not exist. */
static char *find_output_dir(const char *name)
{
    char here[PATH_MAX];
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/')
        length--;
    if (*name == '/')
        return dal_format("%.*s", (int)length, name);
    if (!getcwd(here, sizeof(here)))
        return NULL;
    return dal_format("%s/%.*s", strcmp(here, "/") ? here : "", (int)length, name);
}

int dal_program_check(struct dal_diags *diags, const char *output)
{
    char *folder = find_output_dir(output);
    int status = folder ? dal_build_check(diags, folder) : DAL_ERR_SYSTEM;
    dal_free(folder);
    return status;
}

int dal_program_emit(struct dal_diags *diags, struct dal_program *program,
                     const struct dal_applications *applications, const char *first_file,
                     const char *output, const char *library)
{
    const struct dal_spec_fsm *fsm = applications->fsm;
    program->name = dal_emit_program(library && *library ? library
                                     : fsm               ? fsm->name
                                           : applications->list[0].spec->network.name);
    program->source_dir = dal_path_folder(first_file);
    if (program->name)
        program->output_dir = find_output_dir(output ? output : program->name);
    program->dal_cflags = dal_build_cflags();
    if (!program->name || !program->source_dir || !program->output_dir || !program->dal_cflags)
        return DAL_ERR_SYSTEM;
    program->emit = (struct dal_emit){
        .plan = applications->plans[0],
        .fsm = fsm,
        .first_file = first_file,
        .program = program->name,
        .source_dir = program->source_dir,
        .output_dir = program->output_dir,
        .dal_cflags = program->dal_cflags,
        .is_library = library != NULL,
    };
    if (dal_emit_check(diags, &program->emit))
        return DAL_ERR_INVALID;
    return dal_emit(&program->emit, &program->tree);
}

void dal_program_finish(struct dal_program *program)
{
    dal_tree_finish(&program->tree);
    dal_free_all(program->name, program->source_dir, program->output_dir, program->dal_cflags);
    *program = (struct dal_program){0};
}

char *dal_program_path(const struct dal_program *program)
{
    return dal_format("%s/%s", program->output_dir, program->name);
}

char *dal_program_beside(const char *first, const char *second)
{
    const char *const names[] = {first, second};
    char here[PATH_MAX] = "";
    char *slash, *path = NULL;
    if (readlink("/proc/self/exe", here, sizeof(here) - 1) < 0 || !(slash = strrchr(here, '/')))
        return NULL;
    for (size_t i = 0; i < 2 && !path; i++) {
        path = dal_format("%.*s/%s", (int)(slash - here), here, names[i]);
        if (!path || access(path, R_OK) == 0)
            break;
        dal_free(path);
        path = NULL;
    }
    return path;
}
