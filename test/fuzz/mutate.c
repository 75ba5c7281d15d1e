/*
 * Makes broken sources of good ones:
 *
 *     mutate SEED COUNT FILE...
 *
 * writes COUNT texts into the current folder, as 0, 1, ...: each is one of the files, changed in a
 * few places as people and editors do it, and as neither would. The same seed makes the same texts.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_CHANGES = 4 };

struct part {
    size_t from, to;
};

static uint64_t state;

static char text[MOST_BYTES + 1], other[MOST_BYTES + 1], made[MOST_BYTES + 1];
static size_t length, other_length;

static size_t any(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? (size_t)(state >> 11) % below : 0;
}

static size_t read_text(const char *path, char *into)
{
    FILE *file = fopen(path, "rb");
    size_t count;
    if (!file) {
        perror(path);
        exit(2);
    }
    count = fread(into, 1, MOST_BYTES / 4, file);
    fclose(file);
    return count;
}

/* A part gives way to other bytes, as long as there is room. */
static void replace_part(struct part part, const char *bytes, size_t count)
{
    size_t rest = length - part.to;
    if (part.from + count + rest > MOST_BYTES)
        return;
    memmove(made, bytes, count); /* perhaps of the text itself */
    memmove(text + part.from + count, text + part.to, rest);
    memcpy(text + part.from, made, count);
    length = part.from + count + rest;
}

static int in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The token at a place: a word, or one character. */
static struct part token_at(const char *in, size_t size, size_t at)
{
    struct part part = {at, at + (at < size)};
    if (at >= size || !in_word(in[at]))
        return part;
    while (part.from > 0 && in_word(in[part.from - 1]))
        part.from--;
    while (part.to < size && in_word(in[part.to]))
        part.to++;
    return part;
}

static struct part line_at(const char *in, size_t size, size_t at)
{
    struct part part = {at, at};
    while (part.from > 0 && in[part.from - 1] != '\n')
        part.from--;
    while (part.to < size && in[part.to] != '\n')
        part.to++;
    part.to += part.to < size;
    return part;
}

static struct part any_part(const char *in, size_t size)
{
    size_t at = any(size + 1);
    return any(2) ? token_at(in, size, at) : line_at(in, size, at);
}

static struct part place(size_t at)
{
    return (struct part){at, at};
}

/* ---- changes --------------------------------------------------------------------------------- */

static void cut_part(void)
{
    replace_part(any_part(text, length), "", 0);
}

static void cut_all_behind(void)
{
    length = any(length + 1);
}

static void duplicate_part(void)
{
    struct part part = any_part(text, length);
    replace_part(place(part.to), text + part.from, part.to - part.from);
}

static void move_part(void)
{
    struct part part = any_part(text, length);
    replace_part(place(any(length + 1)), text + part.from, part.to - part.from);
}

/* One token becomes another one of the text, or of another text. */
static void exchange_token(void)
{
    struct part from = token_at(text, length, any(length + 1)), to;
    if (any(2)) {
        to = token_at(text, length, any(length + 1));
        replace_part(from, text + to.from, to.to - to.from);
    } else {
        to = token_at(other, other_length, any(other_length + 1));
        replace_part(from, other + to.from, to.to - to.from);
    }
}

static void take_line_of_other(void)
{
    struct part line = line_at(other, other_length, any(other_length + 1));
    replace_part(place(line_at(text, length, any(length + 1)).from), other + line.from,
                 line.to - line.from);
}

static void add_mark(void)
{
    static const char marks[] = "{}()[]<>\"'\\#;:,.*&=+-!?%/@$`~^|\n\r\t \f\v";
    replace_part(place(any(length + 1)), marks + any(sizeof(marks) - 1), 1);
}

static void add_bytes(void)
{
    char bytes[16];
    size_t i, count = 1 + any(sizeof(bytes));
    for (i = 0; i < count; i++)
        bytes[i] = (char)any(256);
    replace_part(place(any(length + 1)), bytes, count);
}

static void flip_bit(void)
{
    if (length)
        text[any(length)] ^= (char)(1 << any(8));
}

/* What dalsynth looks for, where nobody puts it. */
static void add_word(void)
{
    static const char *const words[] = {
        " P_fire ",
        " P_init(DALProcess *p) { } ",
        " _local_states ",
        "\nstruct _local_states { int n[]; };\n",
        " DAL_foreach (b : PORT_out) ",
        " DAL_foreach ",
        "\n#define P_fire P_init\n",
        "\n#define P_init P_fire\n",
        "\n#define TOKEN_in_SIZE sizeof(x)\n",
        "\n#define struct union\n",
        "\n#define _local_states\n",
        "\n#include \"P.c\"\n",
        "\n#include \"P.h\"\n",
        "\n#include __FILE__\n",
        "\n#include \"/\"\n",
        "\n#include \"\"\n",
        "\n#if __OPENCL_VERSION__ >= 200\n",
        "\n#elif defined(cl_khr_fp64)\n",
        "\n#else\n",
        "\n#endif\n",
        "\n#line 7 \"nowhere\"\n",
        "\n# 3 \"\\377\\0\" 2\n",
        "\n#pragma once\n",
        "\n#undef P_fire\n",
        " __kernel ",
        " kernel void P(global int *in, global int *out) { } ",
        " __attribute__((reqd_work_group_size(1, 0, -1))) ",
        " __attribute__((alias(\"P_fire\"))) ",
        " __global ",
        " local int l[9999999999]; ",
        " typedef int TOKEN_in_t; ",
        " int main(void) { } ",
        "?\?/\n",
        "\\\n",
        "_Pragma(\"",
        "99999999999999999999",
    };
    const char *word = words[any(sizeof(words) / sizeof(words[0]))];
    replace_part(place(any(length + 1)), word, strlen(word));
}

/* Deep nesting, most often without its end. */
static void nest(void)
{
    static const char *const opening[] = {"(",     "{",  "[",  "/*",     "\n#if 1\n", "struct{",
                                          "if(1)", "-",  "*",  "sizeof", "x=",        "x?",
                                          "1+",    "f(", "do", "a<",     "\\\n",      "(int)"};
    const char *word = opening[any(sizeof(opening) / sizeof(opening[0]))];
    size_t at = any(length + 1), count = (size_t)1 << any(14);
    while (count--)
        replace_part(place(at), word, strlen(word));
}

static void change_text(void)
{
    static void (*const changes[])(void) = {
        cut_part,       cut_part,       duplicate_part,     move_part, move_part,
        exchange_token, exchange_token, take_line_of_other, add_mark,  add_mark,
        add_bytes,      flip_bit,       add_word,           add_word,  add_word,
        nest,           cut_all_behind};
    size_t count = 1 + any(MOST_CHANGES);

    while (count--)
        changes[any(sizeof(changes) / sizeof(changes[0]))]();
}

static void write_text(unsigned long number)
{
    char name[32];
    FILE *file;
    snprintf(name, sizeof(name), "%lu", number);
    file = fopen(name, "wb");
    if (!file || fwrite(text, 1, length, file) != length || fclose(file)) {
        perror(name);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    unsigned long number, count = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (argc < 4) {
        fprintf(stderr, "usage: mutate SEED COUNT FILE...\n");
        return 2;
    }
    state = strtoull(argv[1], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (number = 0; number < count; number++) {
        length = read_text(argv[3 + any((size_t)argc - 3)], text);
        other_length = read_text(argv[3 + any((size_t)argc - 3)], other);
        change_text();
        write_text(number);
    }
    return 0;
}
