#include "spec/base/file.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"
#include "spec/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OPTIONS = 1 << 20 }; /* bytes of a file of options */

static const struct {
    mode_t kind;
    const char *why;
} kinds[] = {
    {S_IFDIR, "it is a folder"},
    {S_IFIFO, "it is a named pipe, not a regular file"},
    {S_IFSOCK, "it is a socket"},
    {S_IFCHR, "it is a device, not a regular file"},
    {S_IFBLK, "it is a device, not a regular file"},
};

static const char *wrong_kind(mode_t mode)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if ((mode & S_IFMT) == kinds[i].kind)
            return kinds[i].why;
    return S_ISREG(mode) ? NULL : "it is not a regular file";
}

/* Asks what the path is before it opens it, since opening a device may do something. Asks again
 * about the opened file. The open does not wait if the path has become something else. */
static int open_regular(const char *path, struct stat *about, const char **why)
{
    int fd = -1;
    *why = stat(path, about) ? strerror(errno) : wrong_kind(about->st_mode);
    if (!*why) {
        fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        *why = fd < 0 || fstat(fd, about) ? strerror(errno) : wrong_kind(about->st_mode);
    }
    if (*why && fd >= 0)
        close(fd);
    return *why ? -1 : fd;
}

struct content {
    char *data;
    size_t length, room; /* one byte more than is read into */
};

/* Makes room for more: some files do not know their size before they are read. */
static int make_room(struct content *content)
{
    size_t room = 2 * content->room;
    char *data;
    if (content->length + 1 < content->room)
        return DAL_OK;
    data = dal_realloc(content->data, room, 1);
    if (!data)
        return DAL_ERR_NOMEM;
    content->data = data;
    content->room = room;
    return DAL_OK;
}

static int read_content(int fd, size_t most, struct content *content, const char **why)
{
    ssize_t got;
    do {
        if (make_room(content))
            return DAL_ERR_NOMEM;
        got = read(fd, content->data + content->length, content->room - content->length - 1);
        if (got < 0 && errno != EINTR) {
            *why = strerror(errno);
            return DAL_ERR_IO;
        }
        content->length += got > 0 ? (size_t)got : 0;
        if (content->length > most)
            return DAL_ERR_LIMIT;
    } while (got);
    content->data[content->length] = '\0';
    return DAL_OK;
}

/* Sources are read by several threads. */
static pthread_mutex_t note_lock = PTHREAD_MUTEX_INITIALIZER;
static struct dal_text *noted;

void dal_files_note(struct dal_text *paths)
{
    pthread_mutex_lock(&note_lock);
    noted = paths;
    pthread_mutex_unlock(&note_lock);
}

static void note(const char *path)
{
    pthread_mutex_lock(&note_lock);
    if (noted)
        dal_text_printf(noted, "%s\n", path);
    pthread_mutex_unlock(&note_lock);
}

static const char *(*replacement)(const char *path, size_t *length);

void dal_files_replace(const char *(*text)(const char *path, size_t *length))
{
    replacement = text;
}

const char *dal_file_replaced(const char *path, size_t *length)
{
    return replacement && path ? replacement(path, length) : NULL;
}

static int read_file(const char *path, size_t most, char **data, size_t *length, const char **why)
{
    struct content content = {0};
    struct stat about;
    int fd = open_regular(path, &about, why), status;
    if (fd < 0)
        return DAL_ERR_IO;
    if ((unsigned long long)about.st_size > most) {
        close(fd);
        return DAL_ERR_LIMIT;
    }
    content.room = (size_t)about.st_size + 2;
    content.data = dal_alloc(content.room);
    status = content.data ? read_content(fd, most, &content, why) : DAL_ERR_NOMEM;
    close(fd);
    if (status) {
        dal_free(content.data);
        return status;
    }
    *data = content.data;
    *length = content.length;
    return DAL_OK;
}

static int copy_text(const char *text, size_t most, char **data, size_t *length)
{
    if (*length > most)
        return DAL_ERR_LIMIT;
    *data = dal_strdup(text);
    return *data ? DAL_OK : DAL_ERR_NOMEM;
}

int dal_file_read(const char *path, size_t most, char **data, size_t *length, const char **why)
{
    const char *text = dal_file_replaced(path, length);
    int status;
    *data = NULL;
    status = text ? copy_text(text, most, data, length) : read_file(path, most, data, length, why);
    if (!status)
        note(path);
    else
        *length = 0;
    return status;
}

const char *dal_folder_fault(const char *path)
{
    struct stat about;
    const char *why = stat(path, &about)       ? strerror(errno)
                      : S_ISDIR(about.st_mode) ? NULL
                                               : "is not a folder";
    return why || access(path, R_OK | X_OK) == 0 ? why : strerror(errno);
}

const char *dal_file_fault(const char *path)
{
    struct stat about;
    const char *why;
    size_t length;
    if (dal_file_replaced(path, &length))
        return NULL;
    why = stat(path, &about) ? strerror(errno) : wrong_kind(about.st_mode);
    return why || access(path, R_OK) == 0 ? why : strerror(errno);
}

char *dal__beside(const char *file, const char *location)
{
    const char *slash = strrchr(file, '/');
    if (location[0] == '/' || !slash)
        return dal_strdup(location);
    return dal_format("%.*s/%s", (int)(slash - file), file, location);
}

static void add_options_of(struct dal_text *words, const char *path, const char *file,
                           struct dal_text *files)
{
    char *text;
    size_t length;
    const char *why;
    int status = dal_file_read(path, MOST_OPTIONS, &text, &length, &why);
    words->lost |= status == DAL_ERR_NOMEM;
    if (!status)
        dal_file_options(words, text, file, files);
    dal_free(text);
}

void dal_file_options(struct dal_text *words, const char *options, const char *file,
                      struct dal_text *files)
{
    struct dal_text word = {0};
    while (dal_text_next_word(&options, &word) > 0) {
        const char *name = dal_text_get(&word);
        char *path = *name == '@' ? dal__beside(file, name + 1) : NULL;
        words->lost |= word.lost | (*name == '@' && !path);
        if (*name != '@') {
            dal_text_add_shell(words, name);
            dal_text_add(words, " ");
        } else if (path && dal_text_list_join(files, path, strlen(path))) {
            add_options_of(words, path, file, files);
        }
        dal_free(path);
    }
    dal_text_finish(&word);
}
