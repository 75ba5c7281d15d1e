/* Copies the text of a kernel's source with changes, and adds the words that stand in front of
 * it. */
#include "synth/codegen/c/unit.h"

#include <string.h>

/* ---- words of OpenCL C that CUDA has not ----------------------------------------------------- */

static const char words[] = "#ifndef DAL_LOCAL_VARIABLE\n"
                            "#define DAL_LOCAL_VARIABLE    __local\n"
                            "#define DAL_CONSTANT_VARIABLE __constant\n"
                            "#endif\n";

static const char constant[] = "#ifndef DAL_CONSTANT_IN_KERNEL\n"
                               "#ifdef __cplusplus\n"
                               "#define DAL_CONSTANT_IN_KERNEL static DAL_CONSTANT_VARIABLE\n"
                               "#else\n"
                               "#define DAL_CONSTANT_IN_KERNEL __constant\n"
                               "#endif\n"
                               "#endif\n";

/* C++ does not convert a void * to another pointer by itself. */
static const char pointer[] =
    "#ifndef DAL_POINTER\n"
    "#ifdef __cplusplus\n"
    "#pragma push_macro(\"class\")\n"
    "#undef class\n"
    "struct dal__pointer {\n"
    "    void *to;\n"
    "    template <class type> operator type *() const { return (type *)to; }\n"
    "};\n"
    "#pragma pop_macro(\"class\")\n"
    "#define __builtin_offsetof(type, member) ((size_t)&((type *)0)->member)\n"
    "#define DAL_POINTER          dal__pointer\n"
    "#define DAL_POINTER_TO(what) (dal__pointer{what})\n"
    "#else\n"
    "#define DAL_POINTER          __global void *\n"
    "#define DAL_POINTER_TO(what) (what)\n"
    "#endif\n"
    "#endif\n";

void dal__add_words(struct dal_text *text)
{
    dal_text_add(text, words);
}

void dal__add_constant_word(struct dal_text *text, const struct dal_variants *variants)
{
    int is_inside = 0;
    for (size_t i = 0; i < variants->count; i++)
        is_inside |= dal_fact_find(&variants->list[i].facts, DAL_FACT_MEMORY,
                                   "DAL_CONSTANT_IN_KERNEL") != NULL;
    if (is_inside)
        dal_text_add(text, constant);
}

void dal__add_pointer(struct dal_text *text)
{
    dal_text_add(text, pointer);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* The next word to be replaced that has not been left out. */
static const struct dal_fact *next_word(struct dal__copy *copy)
{
    const struct dal_facts *facts = copy->facts;
    for (; facts && copy->next < facts->count; copy->next++) {
        const struct dal_fact *fact = &facts->list[copy->next];
        if (fact->kind == DAL_FACT_MEMORY && fact->place.start >= copy->at)
            return fact;
    }
    return NULL;
}

void dal__copy_until(struct dal__copy *copy, size_t offset)
{
    const struct dal_fact *word = next_word(copy);
    while (word && word->place.start < offset) {
        dal_text_add_bytes(copy->text, copy->source + copy->at, word->place.start - copy->at);
        dal_text_add(copy->text, word->name);
        copy->at = word->place.start + word->place.bytes;
        copy->next++;
        word = next_word(copy);
    }
    if (copy->at < offset)
        dal_text_add_bytes(copy->text, copy->source + copy->at, offset - copy->at);
    copy->at = offset;
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* Adds a text on one line, without the lines that say where it is from. */
static void add_line(struct dal_text *text, const char *at, const char *end)
{
    for (; at < end; at++) {
        dal_text_add_bytes(text, *at == '\n' ? " " : at, 1);
        if (*at == '\n' && at[1] == '#')
            at += strcspn(at + 1, "\n");
    }
}

void dal__add_parameter(struct dal_text *text, const char *source, const struct dal_fact *parameter,
                        const char *called)
{
    const struct dal_parameter_fact *fact = &parameter->parameter;
    const char *start = source + fact->start;
    const char *name = source + fact->at;
    const char *end = source + fact->end;
    const char *rest = name + strlen(parameter->name);
    if (!fact->is_array) {
        add_line(text, start, name);
        dal_text_add(text, called);
        add_line(text, rest, end);
        return;
    }
    rest += strcspn(rest, "[");
    if (rest < end)
        add_line(text, start, name);
    else { /* the array is in its type's name */
        rest = fact->canonical + strcspn(fact->canonical, "[");
        end = rest + strlen(rest);
        add_line(text, fact->canonical, rest);
    }
    rest += strcspn(rest, "]") + 1;
    dal_text_printf(text, rest < end ? "(*%s)" : "*%s", called);
    add_line(text, rest, end);
}

/* Must the text stand only once? It must where it declares a type, or has attributes, which belong
 * to declarations. */
static int is_once(const char *at, const char *end)
{
    static const char attribute[] = "__attribute";
    for (; at < end; at++)
        if (*at == '{' || strncmp(at, attribute, strlen(attribute)) == 0)
            return 1;
    return 0;
}

void dal__add_cast(struct dal_text *text, const char *source, const struct dal_fact *parameter)
{
    dal_text_add(text, "(");
    if (is_once(source + parameter->parameter.start, source + parameter->parameter.end))
        dal_text_add(text, "__global void *");
    else
        dal__add_parameter(text, source, parameter, "");
    dal_text_add(text, ")");
}
