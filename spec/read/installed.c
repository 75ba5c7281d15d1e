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

static void refuse(struct dal__reader *reader, const xmlNode *element, const char *source,
                   const char *text)
{
    dal_error(reader->diags, dal__xml_place(element), "unknown-part", "network '%s': '%.100s' %s",
              dal__xml_get(element, "name"), source, text);
}

/* Parts whose names hold each other's, "fir" and "firdecimate", are near as well. */
static int is_within(const char *a, const char *b)
{
    return strlen(a) > 1 && strlen(b) > 1 && (strstr(a, b) || strstr(b, a));
}

/* Tells of parts whose names are like this one; of all, if there are few. */
static void tell_neighbours(struct dal__reader *reader, const xmlNode *element, const char *name,
                            char *list)
{
    struct dal_names names = {0};
    const char *nearest;
    char near[200] = "";
    for (char *at = list, *end; (end = strchr(at, '\n')); at = end + 1) {
        *end = '\0';
        dal_names_add(&names, at, 0);
        if (is_within(at, name) && strlen(near) + strlen(at) + 8 < sizeof(near))
            strcat(strcat(strcat(near, " dal:"), at), ending);
    }
    nearest = dal_names_nearest(&names, name);
    if (nearest && !is_within(nearest, name) && strlen(near) + strlen(nearest) + 9 < sizeof(near))
        strcat(strcat(strcat(near, " dal:"), nearest), ending);
    if (*near)
        dal_note(reader->diags, dal__xml_place(element), "like it are:%s", near);
    else
        dal_note(reader->diags, dal__xml_place(element), "'dal parts' lists all");
    dal_names_finish(&names);
}

static void refuse_unknown(struct dal__reader *reader, const xmlNode *element, const char *source,
                           const char *name)
{
    struct dal_text names = {0};
    const char *why = dal__installed_names(&names);
    char *list = dal_text_take(&names), *text;
    if (why || !list || !*list) {
        text = dal_format("is no part: %s: %s", dal__installed_folder(),
                          why ? why : "no parts are there");
        refuse(reader, element, source, text ? text : "is no part");
        dal_free(text);
    } else {
        refuse(reader, element, source, "is no part");
        tell_neighbours(reader, element, name, list);
    }
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

char *dal__installed_path(struct dal__reader *reader, const xmlNode *element, const char *source)
{
    char *name = name_of(source), *path = name ? path_of(name) : NULL, *real;
    if (name && !path) {
        dal__lost(reader->diags);
    } else if (!name) {
        refuse(reader, element, source,
               "is no name of a part: letters, digits, _ and - as in dal:fir.xml");
    } else if (dal_file_fault(path)) {
        refuse_unknown(reader, element, source, name);
    } else if ((real = realpath(path, NULL))) { /* the network's folder is another one */
        dal_free_all(name, path);
        path = dal_strdup(real);
        free(real);
        if (!path)
            dal__lost(reader->diags);
        return path;
    }
    dal_free_all(name, path);
    return NULL;
}
