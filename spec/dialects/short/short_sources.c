/* Makes sources of the short form long: words of an attribute, and attributes for sources. */
#include "spec/base/names.h"
#include "spec/dialects/short/short_parts.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/dialects/short/short.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ATTRIBUTE = 64 };

/* Types of sources, and their names behind the point of an attribute. */
static const struct {
    const char *type, *suffix;
} types[DAL__SOURCE_TYPES] = {{"c", "c"},           {"c++", "cxx"},
                              {"opencl", "opencl"}, {"portable", "portable"},
                              {"cuda", "cuda"},     {"python", "python"}};

/* Types by the ending of a source's name. */
static const struct ending {
    const char *ending;
    int type;
} endings[] = {{".c", 0},   {".cl", 2}, {".cpp", 1}, {".cc", 1},
               {".cxx", 1}, {".C", 1},  {".cu", 4},  {".py", 5}};

/* Attributes of sources; bit i of `types` is set when sources of type i may have it. */
static const struct {
    const char *name;
    unsigned types;
} of_sources[DAL__SOURCE_ATTRIBUTES] = {
    {"files", 0x3}, {"dataparallelism", 0x1c}, {"cflags", 0x1f}, {"libs", 0xb}, {"include", 0x1f},
    {"pkgs", 0x3},  {"contraction", 0x1f},
};

const char *dal__short_type(int type)
{
    return types[type].type;
}

const char *dal__short_attribute(int attribute)
{
    return of_sources[attribute].name;
}

int dal__short_fits(int attribute, int type)
{
    return (of_sources[attribute].types >> type & 1) != 0;
}

const char *dal__short_of_type(int attribute, int type, char name[64])
{
    snprintf(name, MOST_ATTRIBUTE, "%s.%s", of_sources[attribute].name, types[type].suffix);
    return name;
}

int dal__short_find_type(const char *name, size_t length)
{
    for (int i = 0; i < DAL__SOURCE_TYPES; i++)
        if (strlen(types[i].type) == length && strncmp(types[i].type, name, length) == 0)
            return i;
    return -1;
}

int dal__short_type_of(const char *location)
{
    const struct ending *found = DAL_NAMED_IN(endings, ending, strrchr(location, '.'));
    return found ? found->type : -1;
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Takes the next of some words, which are parted by blanks. Its length is 0 at the end. */
static struct dal__piece next_word(const char **words)
{
    const char *word = *words + strspn(*words, " ");
    *words = word + strcspn(word, " ");
    return (struct dal__piece){.at = word, .length = (int)(*words - word)};
}

/* Makes each word a <file>. */
static int add_files(xmlNode *source, const char *words)
{
    struct dal__piece word;
    int status = DAL_OK;
    while (!status && (word = next_word(&words)).length) {
        xmlNode *file = dal__short_element(source, "file");
        if (!file)
            return DAL_ERR_NOMEM;
        xmlAddChild(source, file);
        status = dal__short_set_piece(file, "location", word);
    }
    return status;
}

/* An attribute for the type goes before one for all types. An empty value gives no attribute. */
static int give_attribute(const xmlNode *process, xmlNode *source, int attribute, int type)
{
    char name[MOST_ATTRIBUTE];
    const char *value = dal__xml_get(process, dal__short_of_type(attribute, type, name));
    int status = DAL_OK;
    if (!value)
        value = dal__xml_get(process, of_sources[attribute].name);
    if (value && *value && attribute == DAL__SOURCE_FILES)
        status = add_files(source, value);
    else if (value && *value)
        status = dal__short_set(source, of_sources[attribute].name, value);
    return status;
}

/* Drops an attribute of a process, which some source must have had. */
static void drop_attribute(struct dal__expansion *e, xmlNode *process, const char *name,
                           unsigned wanted, unsigned found)
{
    if (!xmlHasProp(process, as_xml(name)))
        return;
    if (!found)
        dal__short_refuse(e, process, "no-effect",
                          "process: %s is of sources, and there is no attribute source here", name);
    else if (!(wanted & found))
        dal__short_refuse(e, process, "no-effect",
                          "process: %s: no source of this process is of such a type", name);
    xmlUnsetProp(process, as_xml(name));
}

static void drop_attributes(struct dal__expansion *e, xmlNode *process, unsigned found)
{
    char name[MOST_ATTRIBUTE];
    for (int i = 0; i < DAL__SOURCE_ATTRIBUTES; i++) {
        drop_attribute(e, process, of_sources[i].name, of_sources[i].types, found);
        for (int type = 0; type < DAL__SOURCE_TYPES; type++)
            drop_attribute(e, process, dal__short_of_type(i, type, name), 1U << type, found);
    }
    xmlUnsetProp(process, as_xml("source"));
}

/* ---- sources --------------------------------------------------------------------------------- */

static int fill_source(const xmlNode *process, xmlNode *source, int number, int type,
                       const char *location)
{
    char id[16];
    int status;
    snprintf(id, sizeof(id), "%d", number);
    status = dal__short_set(source, "id", id);
    if (!status)
        status = dal__short_set(source, "type", types[type].type);
    if (!status)
        status = dal__short_set(source, "location", location);
    for (int i = 0; i < DAL__SOURCE_ATTRIBUTES && !status; i++)
        if (dal__short_fits(i, type))
            status = give_attribute(process, source, i, type);
    return status;
}

/* Parts "portable:blur.c": returns the type, and its location behind that; -1 if nothing tells the
 * type. */
static int part_word(const char *word, const char **location)
{
    const char *colon = strchr(word, ':');
    int type = colon ? dal__short_find_type(word, (size_t)(colon - word)) : -1;
    *location = type >= 0 ? colon + 1 : word;
    return type >= 0 ? type : dal__short_type_of(word);
}

/* Adds a source; its number is how many there are before it. */
static int add_source(struct dal__expansion *e, xmlNode *process, const char *word, int number,
                      xmlNode **behind, unsigned *found)
{
    const char *location;
    int type = part_word(word, &location);
    xmlNode *source;
    if (type < 0 || !*location) {
        dal__short_refuse(
            e, process, "source-file",
            "source '%.200s': the name must end in .c, .cl, .cu, .py, or for C++ in .cc, .cpp, "
            ".cxx or .C; else a type stands in front, as portable:blur.c (c, c++, opencl, "
            "portable, cuda, python)",
            word);
        return DAL_OK;
    }
    *found |= 1U << type;
    source = dal__short_element(process, "source");
    if (!source)
        return DAL_ERR_NOMEM;
    dal__xml_put_behind(process, *behind ? *behind : dal__short_last_port(process), source);
    *behind = source;
    return fill_source(process, source, number, type, location);
}

int dal__short_expand_sources(struct dal__expansion *e, xmlNode *process)
{
    const char *text = dal__xml_get(process, "source");
    xmlNode *behind = NULL;
    struct dal__piece piece;
    unsigned found = 0, before = e->refused;
    int number = 0, status = DAL_OK;
    while (text && !status && (piece = next_word(&text)).length) {
        char *word = dal_format("%.*s", piece.length, piece.at);
        status = word ? add_source(e, process, word, number++, &behind, &found) : DAL_ERR_NOMEM;
        dal_free(word);
    }
    if (!status && e->refused == before)
        drop_attributes(e, process, found);
    return status;
}
