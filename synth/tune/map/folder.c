/* The folder of a Pareto front. It is made beside its place, and gets its name when all is in
 * it. */
#include "synth/tune/map/map.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/tree.h"
#include "synth/program/build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse_name(const char *folder, const char *why)
{
    dal_log(DAL_LOG_ERROR, "%s: %s", folder, why);
    return DAL_ERR_IO;
}

/* Returns the name without slashes at its end; NULL without memory. */
static char *plain_name(const char *folder)
{
    char *name = dal_strdup(folder);
    size_t length = name ? strlen(name) : 0;
    while (length > 1 && name[length - 1] == '/')
        name[--length] = '\0';
    return name;
}

static int is_empty(DIR *folder)
{
    const struct dirent *entry;
    while ((entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return 0;
    return 1;
}

static int check_there(const char *name)
{
    struct stat info;
    DIR *folder;
    int empty;
    if (lstat(name, &info))
        return errno == ENOENT ? DAL_OK : refuse_name(name, strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return refuse_name(name, "the points of a front need a folder, and this is none");
    folder = opendir(name);
    if (!folder)
        return refuse_name(name, strerror(errno));
    empty = is_empty(folder);
    closedir(folder);
    return empty ? DAL_OK : refuse_name(name, "the folder is not empty; name a new one with -o");
}

/* Checks the folder that it will be in. */
static int check_parent(const char *name)
{
    size_t length = strlen(name) - strlen(dal_path_base(name));
    char *parent = length ? dal_strdup(name) : dal_strdup(".");
    int status = DAL_OK;
    if (!parent)
        return DAL_ERR_NOMEM;
    if (length)
        parent[length] = '\0';
    if (access(parent, W_OK | X_OK))
        status = refuse_name(parent, strerror(errno));
    dal_free(parent);
    return status;
}

static int check_name(const char *name)
{
    const char *base = dal_path_base(name);
    int status;
    if (!*base || strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
        return refuse_name(name, "must be a folder of its own; name a new one with -o");
    status = check_there(name);
    return status ? status : check_parent(name);
}

int dal_mapped_folder_check(const char *folder)
{
    char *name = plain_name(folder);
    int status = name ? check_name(name) : DAL_ERR_NOMEM;
    dal_free(name);
    return status;
}

static int make_tree(const struct dal_mapped_front *front, struct dal_tree *tree)
{
    char *columns = dal_mapped_front_columns(front);
    for (size_t i = 0; i < front->count; i++)
        dal_text_add(dal_tree_add(tree, "%zu.xml", i + 1), front->points[i].text);
    if (columns)
        dal_text_add(dal_tree_add(tree, "front.txt"), columns);
    for (size_t i = 0; i < tree->count; i++)
        tree->lost |= tree->files[i]->text.lost;
    tree->lost |= !columns;
    dal_free(columns);
    return tree->lost ? DAL_ERR_NOMEM : DAL_OK;
}

static int fill_folder(const struct dal_tree *tree, const char *made, const char *name)
{
    int folder = open(made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), status;
    const char *file = NULL;
    if (folder < 0)
        return refuse_name(made, strerror(errno));
    status = dal_tree_write(tree, folder, &file);
    if (status)
        dal_log(DAL_LOG_ERROR, "%s/%s: %s", name, file, strerror(errno));
    close(folder);
    if (!status && rename(made, name))
        status = refuse_name(name, strerror(errno));
    return status;
}

static int make_folder(const struct dal_tree *tree, const char *name)
{
    char *made = dal_format("%s.making-%ld", name, (long)getpid());
    int status;
    if (!made)
        return DAL_ERR_NOMEM;
    if (mkdir(made, 0777)) {
        status = refuse_name(made, strerror(errno));
    } else {
        status = fill_folder(tree, made, name);
        if (status)
            dal_build_remove(made);
    }
    dal_free(made);
    return status;
}

int dal_mapped_folder_write(const struct dal_mapped_front *front, const char *folder)
{
    struct dal_tree tree = {0};
    char *name = plain_name(folder);
    int status = name ? make_tree(front, &tree) : DAL_ERR_NOMEM;
    if (!status)
        status = make_folder(&tree, name);
    dal_tree_finish(&tree);
    dal_free(name);
    return status;
}
