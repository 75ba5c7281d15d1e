#define _GNU_SOURCE
#include "synth/program/build.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "spec/base/text.h"
#include "synth/program/messages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARKER "/.dalsynth"
/* File in a folder that is being filled or removed. The process that does so holds a lock on the
 * folder. */
#define UNFINISHED ".dalsynth-unfinished"

/* Says what is wrong with a folder. `number` is what the system says of it, or 0. */
static int refuse_output(struct dal_diags *diags, const char *directory, const char *what,
                         int number)
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, directory)};
    return dal_error(diags, place, "output-directory", "%s%s%s", what, number ? ": " : "",
                     number ? strerror(number) : "");
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

/* Returns whether a file is in a folder, or in one below; `folder` is absolute, without links. */
static int is_within(const char *folder, const char *file)
{
    char *where = file ? dal_path_folder(file) : NULL;
    size_t length = strcmp(folder, "/") ? strlen(folder) : 0;
    int within =
        where && strncmp(where, folder, length) == 0 && (!where[length] || where[length] == '/');
    dal_free(where);
    return within;
}

/* Returns one of the files that the program is made of and that is in the folder; or NULL. */
static const char *find_input(const struct dal_emit *emit, const char *folder)
{
    const struct dal_plan_unit *unit;
    const struct dal_plan *plan;
    if (!emit->plan)
        return NULL;
    for (size_t i = 0; (plan = dal_plan_peer(emit->plan, i)); i++) {
        const char *files[] = {emit->first_file, plan->spec->network.file,
                               plan->spec->architecture.file, plan->spec->mapping.file};
        for (size_t k = 0; k < sizeof(files) / sizeof(files[0]); k++)
            if (is_within(folder, files[k]))
                return files[k];
    }
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        if (is_within(folder, unit->source->path))
            return unit->source->path;
    return NULL;
}

/* Refuses names of folders that must never be replaced, whatever is in them. */
static int check_name(struct dal_diags *diags, const struct dal_emit *emit)
{
    const char *directory = emit->output_dir, *base = dal_path_base(directory), *input;
    char real[PATH_MAX];
    struct stat info;
    if (!*base || strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
        return refuse_output(diags, directory,
                             "must be a folder of its own; name a new one with -o", 0);
    if (lstat(directory, &info))
        return DAL_OK;
    if (S_ISLNK(info.st_mode))
        return refuse_output(diags, directory, "is a symbolic link; name the folder itself with -o",
                             0);
    input = realpath(directory, real) ? find_input(emit, real) : NULL;
    if (!input)
        return DAL_OK;
    refuse_output(diags, directory,
                  "would be replaced, with files that the program is made of in it", 0);
    dal_note(diags, (struct dal_spec_place){.file = dal_diag_file(diags, input)},
             "this is one of them");
    return DAL_ERR_INVALID;
}

/* Returns DAL_OK when the output may take this name. */
static int check_target(struct dal_diags *diags, const struct dal_emit *emit)
{
    const char *directory = emit->output_dir;
    DIR *folder;
    int empty;
    if (check_name(diags, emit))
        return DAL_ERR_INVALID;
    folder = opendir(directory);
    if (!folder && errno == ENOENT)
        return DAL_OK;
    if (!folder)
        return refuse_output(diags, directory, "cannot be the output folder", errno);
    empty = is_empty(folder);
    closedir(folder);
    if (empty || has_marker(directory))
        return DAL_OK;
    return refuse_output(
        diags, directory,
        "is there, is not empty and was not made by dalsynth; remove it or name another "
        "folder with -o",
        0);
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path) && errno != ENOENT ? -1 : 0;
}

void dal_build_remove(const char *path)
{
    if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) && errno != ENOENT)
        dal_log(DAL_LOG_WARNING, "cannot remove %s: %s", path, strerror(errno));
}

/*
 * A folder that is being filled has a name that ends in six letters, a file UNFINISHED, and a lock.
 * The lock lasts as long as dalsynth and the commands that it has started. After a kill the folder
 * is left without the lock, and the next run for the same output removes it. A folder without
 * UNFINISHED is somebody else's.
 */
static int is_made_name(const char *name, const char *base)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t length = strlen(base);
    return strncmp(name, base, length) == 0 && name[length] == '.' &&
           strspn(name + length + 1, letters) == 6 && !name[length + 7];
}

/* Opens and locks a folder; -1 if that fails. */
static int lock_folder(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
        close(fd);
        return -1;
    }
    return fd;
}

static int is_unfinished(int folder)
{
    struct stat info;
    return !fstatat(folder, UNFINISHED, &info, AT_SYMLINK_NOFOLLOW) && S_ISREG(info.st_mode);
}

static int mark_unfinished(int folder)
{
    int fd = openat(folder, UNFINISHED, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    return fd < 0 ? -1 : close(fd);
}

static void clear_one(const char *folder, int parent, const char *name)
{
    int fd = lock_folder(parent, name);
    char *path = fd >= 0 && is_unfinished(fd) ? dal_format("%s/%s", folder, name) : NULL;
    if (path)
        dal_build_remove(path);
    dal_free(path);
    if (fd >= 0)
        close(fd);
}

/* Removes the folders beside `target` that nobody fills any more. */
static void clear_unfinished(const char *target)
{
    const char *base = dal_path_base(target);
    char *folder = dal_format("%.*s", (int)(base - target), target);
    DIR *list = folder ? opendir(folder) : NULL;
    const struct dirent *entry;
    while (list && (entry = readdir(list)))
        if (is_made_name(entry->d_name, base))
            clear_one(folder, dirfd(list), entry->d_name);
    if (list)
        closedir(list);
    dal_free(folder);
}

/* Returns the error for a command's status; DAL_ERR_SYSTEM has been logged. */
static int error_of(int status)
{
    return status > 0 || status == DAL_ERR_SYSTEM ? DAL_ERR_BUILD : status;
}

/* Programs that a build runs: the first word of the variable, else the usual one. */
static const struct {
    const char *variable, *usual, *package;
    const char *without; /* it is not wanted when this variable is there; or NULL */
} tools[] = {
    {"CC", "cc", "gcc", NULL},
    {NULL, "make", "make", NULL},
    {NULL, "pkg-config", "pkgconf", "DAL_LIBS"},
};

static int check_tool(struct dal_diags *diags, const struct dal_emit *emit, size_t tool)
{
    const char *given = tools[tool].variable ? getenv(tools[tool].variable) : NULL;
    const char *at = given && *given ? given : tools[tool].usual;
    struct dal_text word = {0};
    int found = dal_text_next_word(&at, &word) > 0 ? dal_child_is_there(dal_text_get(&word)) : 0;
    if (!found)
        dal_error(diags, (struct dal_spec_place){.file = dal_diag_file(diags, emit->first_file)},
                  "no-tool",
                  "the program that is made of this network cannot be built: '%s' is not there. "
                  "Install it (Debian package: %s)%s%s",
                  dal_text_get(&word), tools[tool].package,
                  tools[tool].variable ? ", or say which one in the variable " : "",
                  tools[tool].variable ? tools[tool].variable : "");
    found = word.lost ? -1 : found;
    dal_text_finish(&word);
    return found < 0 ? DAL_ERR_NOMEM : found ? DAL_OK : DAL_ERR_INVALID;
}

static int check_tools(struct dal_diags *diags, const struct dal_emit *emit)
{
    int error = DAL_OK, status;
    for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]) && error != DAL_ERR_NOMEM; i++) {
        if (tools[i].without && getenv(tools[i].without))
            continue;
        status = check_tool(diags, emit, i);
        error = status ? status : error;
    }
    return error;
}

/* Compilers' temporary files are in the folder, and go with it where a signal ends them. */
static int run_make(struct dal_diags *diags, const struct dal_emit *emit, const char *directory)
{
    char *jobs = dal_format("-j%ld", sysconf(_SC_NPROCESSORS_ONLN));
    const char *argv[] = {"make", "-s", "-k", "-Otarget", jobs, "-C", directory, "all", NULL};
    struct dal_child child = {.argv = argv, .temporary = realpath(directory, NULL)};
    char *output = NULL;
    int status = DAL_ERR_NOMEM;
    if (jobs)
        status = dal_child_run(&child, &output);
    if (status >= 0)
        dal_messages_compiler(diags, emit, directory, output, status != 0);
    free((char *)child.temporary);
    dal_free_all(output, jobs);
    return error_of(status);
}

/* Lets the program check itself: it knows devices, and builds its kernels on those of this
 * machine. */
static int run_check(const struct dal_emit *emit, const char *directory, int strict)
{
    char *program = dal_format("%s/%s", directory, emit->program);
    const char *argv[] = {program, "--check", strict ? "--strict" : NULL, NULL};
    char *output = NULL;
    int status = DAL_ERR_NOMEM;
    if (program)
        status = dal_child_run(&(struct dal_child){.argv = argv}, &output);
    if (output)
        dal_messages_program(emit, output, stderr);
    if (error_of(status) == DAL_ERR_BUILD)
        dal_log(DAL_LOG_ERROR, "'%s --check' failed; %s is not written", emit->program,
                emit->output_dir);
    dal_free_all(output, program);
    return error_of(status);
}

static mode_t usual_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0777 & ~mask;
}

/* Removes the old folder, which now has such a name, too. If dalsynth is killed, the next run
 * removes it. */
static void remove_old(const char *path)
{
    int fd = lock_folder(AT_FDCWD, path);
    if (fd >= 0)
        mark_unfinished(fd);
    dal_build_remove(path);
    if (fd >= 0)
        close(fd);
}

/* The old folder stays until the new one is in its place. If the two cannot be exchanged in one
 * step, the old one is renamed first. */
static int replace_folder(const char *made, const char *target)
{
    char *aside;
    int status;
    if (!renameat2(AT_FDCWD, made, AT_FDCWD, target, RENAME_EXCHANGE)) {
        remove_old(made);
        return 0;
    }
    aside = dal_format("%s.old", made);
    if (!aside || rename(target, aside)) {
        dal_free(aside);
        return -1;
    }
    status = rename(made, target);
    if (status)
        rename(aside, target);
    else
        dal_build_remove(aside);
    dal_free(aside);
    return status;
}

static int give_name(struct dal_diags *diags, const struct dal_emit *emit, const char *made,
                     int folder)
{
    const char *target = emit->output_dir;
    if (check_target(diags, emit))
        return DAL_ERR_INVALID;
    if (fchmod(folder, usual_mode()) || unlinkat(folder, UNFINISHED, 0))
        return refuse_output(diags, made, "cannot be finished", errno);
    if (!rename(made, target))
        return DAL_OK;
    if ((errno == ENOTEMPTY || errno == EEXIST) && !replace_folder(made, target))
        return DAL_OK;
    return refuse_output(diags, target, "cannot be replaced", errno);
}

static int fill_folder(struct dal_diags *diags, const struct dal_emit *emit,
                       const struct dal_tree *tree, const char *directory, int folder,
                       int emit_only, int strict)
{
    const char *name = "";
    int status = DAL_OK;
    if (dal_tree_write(tree, folder, &name))
        status = refuse_output(diags, directory, *name ? name : "cannot be written", errno);
    if (!status && !emit_only)
        status = run_make(diags, emit, directory);
    if (!status && !emit_only)
        status = run_check(emit, directory, strict);
    if (!status && dal_child_interrupted())
        status = DAL_ERR_INTERRUPTED;
    return status ? status : give_name(diags, emit, directory, folder);
}

/* Makes a folder beside `target`. Its name is usually the same, so that a compiler's cache finds
 * what it has compiled there before. */
static char *new_folder(const char *target)
{
    char *made = dal_format("%s.making", target);
    if (!made || !mkdir(made, 0700))
        return made;
    memcpy(made + strlen(made) - 6, "XXXXXX", 6);
    if (mkdtemp(made))
        return made;
    dal_free(made);
    return NULL;
}

/* Makes the folder, locked and marked, with *folder open on it. Commands that are started from here
 * on have it open, too. Returns its name, owned by the caller, or NULL with the problem in
 * diags. */
static char *make_folder(struct dal_diags *diags, const char *target, int *folder)
{
    char *made = new_folder(target);
    *folder = -1;
    if (!made) {
        refuse_output(diags, target, "cannot make a folder beside it", errno);
        return NULL;
    }
    *folder = open(made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    /* Without locks, other runs cannot lock it either, and leave the folder alone. */
    if (*folder >= 0 && (!flock(*folder, LOCK_EX) || errno != EINTR) && !mark_unfinished(*folder))
        return made;
    refuse_output(diags, made, "cannot be written", errno);
    dal_build_remove(made);
    if (*folder >= 0)
        close(*folder);
    dal_free(made);
    return NULL;
}

int dal_build_check(struct dal_diags *diags, const char *directory)
{
    const struct dal_emit emit = {.output_dir = directory};
    int status = check_target(diags, &emit), folder;
    char *made;
    if (status)
        return status;
    made = make_folder(diags, directory, &folder);
    if (!made)
        return DAL_ERR_INVALID;
    close(folder);
    dal_build_remove(made);
    dal_free(made);
    return DAL_OK;
}

int dal_build(struct dal_diags *diags, const struct dal_emit *emit, const struct dal_tree *tree,
              int emit_only, int strict)
{
    int status = check_target(diags, emit), folder;
    char *made;
    if (!status && !emit_only)
        status = check_tools(diags, emit);
    if (status)
        return status;
    clear_unfinished(emit->output_dir);
    made = make_folder(diags, emit->output_dir, &folder);
    if (!made)
        return DAL_ERR_INVALID;
    status = fill_folder(diags, emit, tree, made, folder, emit_only, strict);
    if (status)
        dal_build_remove(made);
    close(folder);
    dal_free(made);
    return status;
}

/* Returns the build folder of this program, "" when it is installed. Owned by the caller. */
static char *own_build_folder(void)
{
    char folder[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    char *slash, *mark;
    int found;
    folder[length > 0 ? length : 0] = '\0';
    for (int i = 0; i < 2 && (slash = strrchr(folder, '/')); i++)
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
    int status = !path || setenv("PKG_CONFIG_PATH", path, 1) || setenv("LC_ALL", "C", 1);
    dal_free_all(own, path);
    unsetenv("MAKEFLAGS");
    unsetenv("MFLAGS");
    unsetenv("MAKELEVEL");
    unsetenv("SRCDIR"); /* the Makefile's own variable */
    return status ? DAL_ERR_NOMEM : DAL_OK;
}

char *dal_build_cflags(void)
{
    static const char *const argv[] = {"pkg-config", "--cflags", "dal", NULL};
    const char *given = getenv("DAL_CFLAGS");
    char *output;
    if (given)
        return dal_strdup(given);
    if (dal_child_run(&(struct dal_child){.argv = argv}, &output)) {
        dal_free(output);
        return dal_strdup("");
    }
    return output;
}
