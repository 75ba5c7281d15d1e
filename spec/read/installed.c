/* Finds the parts that are installed with dal. */
#include "spec/read/installed.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/names.h"
#include "spec/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char scheme[] = "dal:", ending[] = ".xml";

/* More folders than this are no parts. */
enum { MOST_PARTS = 4096 };

const char *dal__installed_folder(void)
{
    const char *folder = getenv("DAL_PARTS");
    return folder && *folder ? folder : DAL_PARTS_FOLDER;
}

int dal__is_installed(const char *source)
{
    return strncmp(source, scheme, sizeof(scheme) - 1) == 0;
}

/* ---- what is there --------------------------------------------------------------------------- */

/* Returns the path of a part's file; NULL without memory. */
static char *path_of(const char *name)
{
    return dal_format("%s/%s/%s%s", dal__installed_folder(), name, name, ending);
}

static int is_part(const struct dirent *entry)
{
    char *path = *entry->d_name == '.' ? NULL : path_of(entry->d_name);
    int is = path && !dal_file_fault(path);
    dal_free(path);
    return is;
}

const char *dal__installed_names(struct dal_text *names)
{
    struct dirent **entries;
    int count = scandir(dal__installed_folder(), &entries, is_part, alphasort);
    if (count < 0)
        return strerror(errno);
    for (int i = 0; i < count; i++) {
        if (i < MOST_PARTS)
            dal_text_list_add(names, entries[i]->d_name, strlen(entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return NULL;
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Parts whose names hold each other's, "fir" and "firdecimate", are near as well. */
static int is_within(const char *a, const char *b)
{
    return strlen(a) > 1 && strlen(b) > 1 && (strstr(a, b) || strstr(b, a));
}

/* Adds those names of a list that are like this one; parts the list in place. */
static void add_neighbours(struct dal_text *near, const char *name, char *list)
{
    struct dal_names names = {0};
    const char *nearest;
    for (char *at = list, *end; (end = strchr(at, '\n')); at = end + 1) {
        *end = '\0';
        if (dal_names_add(&names, at, 0))
            near->lost = 1;
        if (is_within(at, name))
            dal_text_printf(near, " %s%s%s", scheme, at, ending);
    }
    nearest = dal_names_nearest(&names, name);
    if (nearest && !is_within(nearest, name))
        dal_text_printf(near, " %s%s%s", scheme, nearest, ending);
    dal_names_finish(&names);
}

static void refuse_unknown(struct dal_diags *diags, struct dal_spec_place place, const char *source,
                           const char *name)
{
    struct dal_text names = {0}, near = {0};
    const char *why = dal__installed_names(&names);
    char *list = dal_text_take(&names);
    dal_error(diags, place, "unknown-part", "'%s' is no part that is installed in %s", source,
              dal__installed_folder());
    if (list)
        add_neighbours(&near, name, list);
    if (why)
        dal_note(diags, place, "%s: %s", dal__installed_folder(), why);
    else if (near.length)
        dal_note(diags, place, "like it are:%.400s", dal_text_get(&near));
    else
        dal_note(diags, place, "'dal parts' lists all");
    dal_text_finish(&near);
    dal_free(list);
}

/* ---- one part -------------------------------------------------------------------------------- */

/* Returns the name between "dal:" and ".xml"; NULL without memory, or if it is none. */
static char *name_of(const char *source)
{
    const char *start = source + sizeof(scheme) - 1;
    size_t length = strspn(start, DAL_IDENTIFIER "-");
    if (length == 0 || length > 100 || strcmp(start + length, ending) != 0)
        return NULL;
    return dal_format("%.*s", (int)length, start);
}

/* Returns a path without links, since the network's folder is another one. Takes the path over. */
static char *make_absolute(char *path)
{
    char *real = realpath(path, NULL), *copy = real ? dal_strdup(real) : NULL;
    free(real);
    dal_free(path);
    return copy;
}

char *dal__installed_path(struct dal_diags *diags, struct dal_spec_place place, const char *source)
{
    char *name = name_of(source), *path = name ? path_of(name) : NULL;
    if (!name) {
        dal_error(diags, place, "unknown-part",
                  "'%.100s' names no part: it is dal:NAME.xml, NAME of letters, digits, _ and -",
                  source);
    } else if (path && dal_file_fault(path)) {
        refuse_unknown(diags, place, source, name);
        dal_free(path);
    } else {
        path = path ? make_absolute(path) : NULL;
        if (!path)
            dal__lost(diags);
        dal_free(name);
        return path;
    }
    dal_free(name);
    return NULL;
}
