#include "synth/program/depends.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"

#include <dirent.h>
#include <string.h>

/* A file of dependencies is as long as the list of its headers. */
enum { MOST_BYTES = 1 << 26 };

/* Words as make has them: each once, in `list` with a line end behind it and in front. */
struct words {
    struct dal_text list;
    const char *own;
};

static void add_word(struct words *words, const char *word)
{
    char *line = dal_format("\n%s\n", word);
    if (!line)
        words->list.lost = 1;
    else if (!strstr(dal_text_get(&words->list), line))
        dal_text_add(&words->list, line + 1);
    dal_free(line);
}

/* Adds a path as make has it in a rule. */
static void add_path(struct words *words, const char *path, size_t length)
{
    struct dal_text word = {0};
    size_t own = words->own ? strlen(words->own) : 0;
    if (own && length > own && strncmp(path, words->own, own) == 0 && path[own] == '/')
        return;
    for (size_t i = 0; i < length; i++) {
        if (path[i] == '$')
            dal_text_add(&word, "$");
        else if (path[i] == ' ' || path[i] == '#')
            dal_text_add(&word, "\\");
        dal_text_add_bytes(&word, path + i, 1);
    }
    words->list.lost |= word.lost;
    add_word(words, dal_text_get(&word));
    dal_text_finish(&word);
}

static void add_paths(struct words *words, const char *lines)
{
    for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
        add_path(words, lines, strcspn(lines, "\n"));
}

/* Adds what lies outside of the folder, and the word that says that a name is none for make. */
static void add_rule(struct words *words, char *text)
{
    char *rest = NULL;
    for (char *word = strtok_r(text, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest))
        if ((*word == '/' && word[strlen(word) - 1] != ':') || strcmp(word, "always") == 0)
            add_word(words, word);
}

static int is_rule(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, ".d") == 0;
}

/* Adds what the compiler wrote down; nothing where nothing was built. */
static int add_rules(struct words *words, const char *folder)
{
    DIR *list = opendir(folder);
    const struct dirent *entry;
    int status = list ? DAL_OK : DAL_ERR_IO;
    while (!status && (entry = readdir(list))) {
        char *path, *text = NULL;
        const char *why;
        size_t length;
        if (!is_rule(entry->d_name))
            continue;
        path = dal_format("%s/%s", folder, entry->d_name);
        status = path ? dal_file_read(path, MOST_BYTES, &text, &length, &why) : DAL_ERR_NOMEM;
        if (!status)
            add_rule(words, text);
        dal_free_all(path, text);
    }
    if (list)
        closedir(list);
    return status;
}

static void print_targets(struct dal_text *rule, const struct dal_program *program,
                          const char *output)
{
    static const char *const of_library[][2] = {{"lib", ".so"}, {"lib", ".a"}, {"", ".h"}};
    struct words targets = {0};
    const char *folder = output ? output : program->name;
    size_t count = program->emit.is_library ? sizeof(of_library) / sizeof(of_library[0]) : 0;
    for (size_t i = 0; i <= count; i++) {
        const char *const *part = i < count ? of_library[i] : (const char *const[]){"", ""};
        char *path = dal_format("%s/%s%s%s", folder, part[0], program->name, part[1]);
        if (path)
            add_path(&targets, path, strlen(path));
        targets.list.lost |= !path;
        dal_free(path);
    }
    for (const char *at = dal_text_get(&targets.list); *at; at += strcspn(at, "\n") + 1)
        dal_text_printf(rule, "%.*s ", (int)strcspn(at, "\n"), at);
    rule->lost |= targets.list.lost;
    dal_text_finish(&targets.list);
}

/* Each file has an empty rule behind, so that make goes on where one is gone. */
static int print_rule(const struct dal_program *program, const char *output, const char *words,
                      const char *file)
{
    struct dal_text rule = {0};
    int status = DAL_ERR_NOMEM;
    print_targets(&rule, program, output);
    rule.length -= rule.length > 0;
    dal_text_add(&rule, ":");
    for (const char *at = words; *at; at += strcspn(at, "\n") + 1)
        dal_text_printf(&rule, " \\\n %.*s", (int)strcspn(at, "\n"), at);
    dal_text_add(&rule, "\n");
    for (const char *at = words; *at; at += strcspn(at, "\n") + 1)
        dal_text_printf(&rule, "%.*s:\n", (int)strcspn(at, "\n"), at);
    if (!rule.lost)
        status = dal_text_write(dal_text_get(&rule), "--depends", file);
    dal_text_finish(&rule);
    return status;
}

int dal_depends_write(const struct dal_program *program, const struct dal_text *read,
                      const char *output, const char *own, const char *file)
{
    struct words words = {.own = own};
    int status = read->lost ? DAL_ERR_NOMEM : DAL_OK;
    dal_text_add(&words.list, "\n");
    add_paths(&words, dal_text_get(read));
    if (!status)
        status = add_rules(&words, program->output_dir);
    if (!status)
        status = words.list.lost ? DAL_ERR_NOMEM
                                 : print_rule(program, output, dal_text_get(&words.list) + 1, file);
    dal_text_finish(&words.list);
    return status;
}
