#include "spec/model/libs.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/text.h"

#include <string.h>

/* Options of the linker that have an argument, in the same word or in the next one. */
enum option { FOLDER, LIBRARY, MAP_FILE, NO_OPTION };
static const char *const options[] = {[FOLDER] = "-L", [LIBRARY] = "-l", [MAP_FILE] = "-Map"};

struct finding {
    const char *folder;
    int (*found)(void *of, const char *path, const char *word);
    void *of;
    struct dal_text folders; /* of all -L, a line each */
    enum option option;      /* whose argument is the next word */
    int status;
};

/* Returns 0 if there is no such file. */
static int offer_file(struct finding *f, const char *file, const char *word)
{
    char *path = file[0] == '/' ? dal_strdup(file) : dal_format("%s/%s", f->folder, file);
    int is_there = path && !dal_file_fault(path);
    if (!path)
        f->status = DAL_ERR_NOMEM;
    else if (is_there)
        f->status = f->found(f->of, path, word);
    dal_free(path);
    return is_there;
}

/* Offers what the linker takes for -lNAME, or FILE for -l:FILE. */
static void offer_library(struct finding *f, const char *name, const char *word)
{
    static const char *const endings[] = {"so", "a"};
    const char *at = dal_text_get(&f->folders);
    int is_file = *name == ':';
    for (; *at; at += strcspn(at, "\n") + 1)
        for (int i = 0; i < 2 - is_file && !f->status; i++) {
            int length = (int)strcspn(at, "\n");
            char *file = is_file ? dal_format("%.*s/%s", length, at, name + 1)
                                 : dal_format("%.*s/lib%s.%s", length, at, name, endings[i]);
            int is_there = file && offer_file(f, file, word);
            f->status = file ? f->status : DAL_ERR_NOMEM;
            dal_free(file);
            if (is_there)
                return;
        }
}

/* The linker looks for a library in the folders of all -L, also of those behind it. So a first pass
 * takes the folders, and a second one the libraries. */
static void offer_word(struct finding *f, const char *word, int pass)
{
    enum option option = f->option;
    const char *argument = word;
    if (strcmp(word, "-Xlinker") == 0)
        return;
    for (int i = 0; i < NO_OPTION && option == NO_OPTION; i++)
        if (strncmp(word, options[i], strlen(options[i])) == 0) {
            option = (enum option)i;
            argument += strlen(options[i]);
        }
    f->option = *argument ? NO_OPTION : option;
    if (!*argument)
        return;
    if (pass == 0 && option == FOLDER)
        dal_text_list_add(&f->folders, argument, strlen(argument));
    else if (pass == 1 && option == LIBRARY)
        offer_library(f, argument, word);
    else if (pass == 1 && option == NO_OPTION && *word != '-')
        offer_file(f, word, word);
}

static void offer_words(struct finding *f, const char *libs, int pass)
{
    struct dal_text word = {0};
    f->option = NO_OPTION;
    while (!f->status && dal_text_next_word(&libs, &word) > 0) {
        int is_list = strncmp(dal_text_get(&word), "-Wl,", 4) == 0;
        char *rest = NULL, *at = is_list ? strtok_r(word.data + 4, ",", &rest) : NULL;
        if (!is_list)
            offer_word(f, dal_text_get(&word), pass);
        for (; at && !f->status; at = strtok_r(NULL, ",", &rest))
            offer_word(f, at, pass);
    }
    f->folders.lost |= word.lost;
    dal_text_finish(&word);
}

int dal_libs_find(const char *libs, const char *folder,
                  int (*found)(void *of, const char *path, const char *word), void *of)
{
    struct finding f = {.folder = folder, .found = found, .of = of};
    struct dal_text words = {0}, files = {0};
    char *beside = dal_format("%s/", folder), *at, *rest = NULL;
    if (beside)
        dal_file_options(&words, libs, beside, &files);
    if (!beside || words.lost || files.lost)
        f.status = DAL_ERR_NOMEM;
    for (int pass = 0; pass < 2; pass++)
        offer_words(&f, dal_text_get(&words), pass);
    at = files.data ? strtok_r(files.data, "\n", &rest) : NULL;
    for (; at && !f.status; at = strtok_r(NULL, "\n", &rest))
        offer_file(&f, at, "@");
    if (!f.status && f.folders.lost)
        f.status = DAL_ERR_NOMEM;
    dal_text_finish(&words);
    dal_text_finish(&files);
    dal_text_finish(&f.folders);
    dal_free(beside);
    return f.status;
}
