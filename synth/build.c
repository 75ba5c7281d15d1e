#define _GNU_SOURCE
#include "synth/build.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/messages.h"
#include "synth/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARKER "/.dalsynth"

static int refuse(struct dal_diags *diags, const char *directory, const char *what)
{
    struct dal_place place = {.file = dal_diag_file(diags, directory)};

    dal_error(diags, place, "output-directory", "%s", what);
    return DAL_ERR_INVALID;
}

static int refuse_errno(struct dal_diags *diags, const char *directory, const char *what)
{
    struct dal_place place = {.file = dal_diag_file(diags, directory)};

    dal_error(diags, place, "output-directory", "%s: %s", what, strerror(errno));
    return DAL_ERR_INVALID;
}

static int is_empty(DIR *folder)
{
    const struct dirent *entry;

    while ((entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            return 0;
    return 1;
}

static int has_marker(const char *directory)
{
    char *marker = dal_format("%s" MARKER, directory);
    int found = marker && !access(marker, F_OK);

    dal_free(marker);
    return found;
}

/* DAL_OK when the output may take this name. */
static int check_target(struct dal_diags *diags, const char *directory)
{
    DIR *folder = opendir(directory);
    int empty;

    if (!folder && errno == ENOENT)
        return DAL_OK;
    if (!folder)
        return refuse_errno(diags, directory, "cannot be the output folder");
    empty = is_empty(folder);
    closedir(folder);
    if (empty || has_marker(directory))
        return DAL_OK;
    return refuse(diags, directory,
                  "is there, is not empty and was not made by dalsynth; remove it or name another "
                  "folder with -o");
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

static void remove_folder(const char *path)
{
    if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT))
        dal_log(DAL_LOG_WARNING, "cannot remove %s: %s", path, strerror(errno));
}

static int write_tree(struct dal_diags *diags, const char *directory, const struct dal_tree *tree)
{
    const char *name = "";
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = fd < 0 ? DAL_ERR_IO : dal_tree_write(tree, fd, &name);

    if (error)
        refuse_errno(diags, directory, *name ? name : "cannot be written");
    if (fd >= 0)
        close(fd);
    return error ? DAL_ERR_INVALID : DAL_OK;
}

/* What a command's status comes to; DAL_ERR_SYSTEM has been logged. */
static int failure(int status)
{
    return status > 0 || status == DAL_ERR_SYSTEM ? DAL_ERR_BUILD : status;
}

static int run_make(struct dal_diags *diags, const struct dal_emit *emit, const char *directory)
{
    char *jobs = dal_format("-j%ld", sysconf(_SC_NPROCESSORS_ONLN));
    const char *argv[] = {"make", "-s", "-k", "-Otarget", jobs, "-C", directory, "all", NULL};
    struct dal_text output;
    int status = DAL_ERR_NOMEM;

    dal_text_init(&output);
    if (jobs)
        status = dal_run_command(argv, &output);
    if (status >= 0)
        dal_messages_compiler(diags, emit, dal_text_get(&output), status != 0);
    dal_text_finish(&output);
    dal_free(jobs);
    return failure(status);
}

/* The program itself knows devices: it builds its kernels on those of this machine. */
static int run_check(const struct dal_emit *emit, const char *directory, int strict)
{
    char *program = dal_format("%s/%s", directory, emit->program);
    const char *argv[] = {program, "--check", strict ? "--strict" : NULL, NULL};
    struct dal_text output;
    int status = DAL_ERR_NOMEM;

    dal_text_init(&output);
    if (program)
        status = dal_run_command(argv, &output);
    dal_messages_program(emit, dal_text_get(&output), stderr);
    if (failure(status) == DAL_ERR_BUILD)
        dal_log(DAL_LOG_ERROR, "'%s --check' failed; %s is not written", emit->program,
                emit->output_dir);
    dal_text_finish(&output);
    dal_free(program);
    return failure(status);
}

static mode_t usual_mode(void)
{
    mode_t mask = umask(0);

    umask(mask);
    return 0777 & ~mask;
}

/* The old folder is there until the new one is in its place. Where the two cannot be exchanged at
 * once, the old one steps aside first. */
static int replace_folder(const char *made, const char *target)
{
    char *aside;
    int error;

    if (!renameat2(AT_FDCWD, made, AT_FDCWD, target, RENAME_EXCHANGE)) {
        remove_folder(made);
        return 0;
    }
    aside = dal_format("%s.old", made);
    if (!aside || rename(target, aside)) {
        dal_free(aside);
        return -1;
    }
    error = rename(made, target);
    if (error)
        rename(aside, target);
    else
        remove_folder(aside);
    dal_free(aside);
    return error;
}

static int give_name(struct dal_diags *diags, const char *made, const char *target)
{
    if (check_target(diags, target))
        return DAL_ERR_INVALID;
    if (chmod(made, usual_mode()))
        return refuse_errno(diags, made, "chmod");
    if (!rename(made, target))
        return DAL_OK;
    if ((errno == ENOTEMPTY || errno == EEXIST) && !replace_folder(made, target))
        return DAL_OK;
    return refuse_errno(diags, target, "cannot be replaced");
}

static int fill(struct dal_diags *diags, const struct dal_emit *emit, const struct dal_tree *tree,
                const char *directory, int emit_only, int strict)
{
    int error = write_tree(diags, directory, tree);

    if (!error && !emit_only)
        error = run_make(diags, emit, directory);
    if (!error && !emit_only)
        error = run_check(emit, directory, strict);
    return error;
}

int dal_build(struct dal_diags *diags, const struct dal_emit *emit, const struct dal_tree *tree,
              int emit_only, int strict)
{
    char *made;
    int error = check_target(diags, emit->output_dir);

    if (error)
        return error;
    made = dal_format("%s.XXXXXX", emit->output_dir);
    if (!made)
        return DAL_ERR_NOMEM;
    if (!mkdtemp(made)) {
        error = refuse_errno(diags, emit->output_dir, "cannot make a folder beside it");
        dal_free(made);
        return error;
    }
    error = fill(diags, emit, tree, made, emit_only, strict);
    if (!error && dal_run_interrupted())
        error = DAL_ERR_INTERRUPTED;
    if (!error)
        error = give_name(diags, made, emit->output_dir);
    if (error)
        remove_folder(made);
    dal_free(made);
    return error;
}

/* The build folder this program stands in, "" when it is installed. Owned by the caller. */
static char *own_build_folder(void)
{
    char folder[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    char *slash, *mark;
    int i, found;

    folder[length > 0 ? length : 0] = '\0';
    for (i = 0; i < 2 && (slash = strrchr(folder, '/')); i++)
        *slash = '\0';
    mark = dal_format("%s/dal-uninstalled.pc", folder);
    found = mark && access(mark, R_OK) == 0;
    dal_free(mark);
    return dal_strdup(found ? folder : "");
}

int dal_build_environment(void)
{
    const char *old = getenv("PKG_CONFIG_PATH");
    char *own = own_build_folder();
    char *path = own ? dal_format("%s%s%s%s%s", old ? old : "", old && *old ? ":" : "", own,
                                  *own ? ":" : "", DAL_PKGCONFIGDIR)
                     : NULL;
    int error = !path || setenv("PKG_CONFIG_PATH", path, 1) || setenv("LC_ALL", "C", 1);

    dal_free(own);
    dal_free(path);
    unsetenv("MAKEFLAGS");
    unsetenv("MFLAGS");
    unsetenv("MAKELEVEL");
    unsetenv("SRCDIR"); /* the Makefile's own variable */
    return error ? DAL_ERR_NOMEM : DAL_OK;
}

char *dal_build_cflags(void)
{
    static const char *const argv[] = {"pkg-config", "--cflags", "dal", NULL};
    const char *given = getenv("DAL_CFLAGS");
    struct dal_text output;

    if (given)
        return dal_strdup(given);
    dal_text_init(&output);
    if (dal_run_command(argv, &output)) {
        dal_text_finish(&output);
        return dal_strdup("");
    }
    return dal_text_take(&output);
}
