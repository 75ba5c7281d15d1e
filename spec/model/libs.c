#include "spec/model/libs.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/text.h"

#include <string.h>

struct finding {
    const char *folder;
    int (*found)(void *of, const char *path, const char *word);
    void *of;
    struct dal_text folders; /* of the -L so far, a line each */
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

static void offer_library(struct finding *f, const char *word)
{
    static const char *const endings[] = {"so", "a"};
    const char *at = dal_text_get(&f->folders);
    for (; *at; at += strcspn(at, "\n") + 1)
        for (size_t i = 0; i < 2 && !f->status; i++) {
            char *file =
                dal_format("%.*s/lib%s.%s", (int)strcspn(at, "\n"), at, word + 2, endings[i]);
            int is_there = file && offer_file(f, file, word);
            f->status = file ? f->status : DAL_ERR_NOMEM;
            dal_free(file);
            if (is_there)
                return;
        }
}

static void offer_words(struct finding *f, const char *libs)
{
    struct dal_text word = {0};
    int is_folder = 0; /* the word in front was -L alone */
    while (!f->status && dal_text_next_word(&libs, &word) > 0) {
        const char *text = dal_text_get(&word);
        int is_option = strncmp(text, "-L", 2) == 0;
        if (is_folder || (is_option && text[2]))
            dal_text_list_add(&f->folders, text + (is_folder ? 0 : 2),
                              strlen(text) - (is_folder ? 0 : 2));
        else if (strncmp(text, "-l", 2) == 0)
            offer_library(f, text);
        else if (*text != '-')
            offer_file(f, text, text);
        is_folder = !is_folder && is_option && !text[2];
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
    offer_words(&f, dal_text_get(&words));
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
