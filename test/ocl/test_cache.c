/* rt/backend with rt/ocl: the disk cache of kernels. What is done to it, and that programs come out
 * of it. */
#define _GNU_SOURCE
#include "rt/base/cache.h"
#include "rt/backend/program.h"
#include "rt/base/alloc.h"
#include "rt/devices/devices.h"
#include "rt/ocl/backend.h"
#include "rt/ocl/ocl.h"
#include "test/capture.h"
#include "test/device.h"
#include "test/suite.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct dal_subject the_process = {"P", DAL_LOG_ERROR};

enum { PATH = 300, STARTS = 8, NOBODY = 65534 };

static char work[200], folder[PATH];
static const char *self;

/* ---- what is on the disk --------------------------------------------------------------------- */

/* A new, empty place for the cache; its folder is not there yet. */
static void new_folder(void)
{
    static int number;
    snprintf(folder, sizeof(folder), "%s/%d", work, ++number);
    setenv("DAL_KERNEL_CACHE", folder, 1);
}

static struct dal_cache_key key_of(unsigned number)
{
    struct dal_cache_key key = {{0xab, (unsigned char)number, (unsigned char)(number >> 8)}};
    return key;
}

/* Where the entry of a key is. */
static const char *entry_of(struct dal_cache_key key)
{
    static char path[2 * PATH];
    int used = snprintf(path, sizeof(path), "%s/", folder);
    dal_sha256_hex(key.digest, 2 * DAL_SHA256_BYTES, path + used);
    strcat(path, ".kernel");
    return path;
}

/* Entries in the folder; -1 when anything else is in it. */
static int count_entries(void)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int count = 0, other = 0;
    while (dir && (entry = readdir(dir))) {
        size_t bytes = strlen(entry->d_name);
        if (bytes == 64 + 7 && strcmp(entry->d_name + 64, ".kernel") == 0)
            count++;
        else
            other += entry->d_name[0] != '.';
    }
    if (dir)
        closedir(dir);
    return other ? -1 : count;
}

/* Writes `bytes` bytes that only this key has. */
static void write_bytes(unsigned number, size_t bytes)
{
    struct dal_cache_key key = key_of(number);
    struct dal_cache_binary binary = {calloc(1, bytes + 1), bytes};
    memset(binary.data, (int)number + 1, bytes);
    dal_cache_write(&key, &binary);
    free(binary.data);
}

/* Whether the entry is there, with just those bytes. */
static int has_bytes(unsigned number, size_t bytes)
{
    struct dal_cache_key key = key_of(number);
    struct dal_cache_binary binary;
    int found = dal_cache_read(&key, &binary), right = binary.bytes == bytes;
    if (found != 1) {
        CU_ASSERT(found == 0 && !binary.data && binary.bytes == 0);
        return 0;
    }
    for (size_t i = 0; right && i < bytes; i++)
        right = binary.data[i] == (unsigned char)(number + 1);
    dal_free(binary.data);
    CU_ASSERT(right);
    return right;
}

static void test_hit_and_miss(void)
{
    struct stat info;
    new_folder();
    CU_ASSERT(!has_bytes(1, 100));
    CU_ASSERT(stat(folder, &info) != 0);
    write_bytes(1, 100);
    write_bytes(2, 0);
    CU_ASSERT(has_bytes(1, 100) && has_bytes(2, 0) && !has_bytes(3, 1));
    write_bytes(1, 70000);
    CU_ASSERT(has_bytes(1, 70000));
    CU_ASSERT_EQUAL(count_entries(), 2);
    CU_ASSERT(stat(folder, &info) == 0 && (info.st_mode & 07777) == 0700);
    CU_ASSERT(stat(entry_of(key_of(1)), &info) == 0 && (info.st_mode & 07777) == 0600);
}

/* The bytes of an entry's file. */
static size_t read_file(const char *path, char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(bytes, 1, room, file) : 0;
    if (file)
        fclose(file);
    return count;
}

static void write_file(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    CU_ASSERT_FATAL(file != NULL);
    fwrite(bytes, 1, count, file);
    fclose(file);
}

/* Magic, key, length, checksum, binary: every bit matters, and so does every byte that is missing
 * or too many. */
static void test_damaged(void)
{
    char whole[300], bytes[300];
    const char *path;
    size_t count;
    new_folder();
    write_bytes(1, 100);
    path = entry_of(key_of(1));
    count = read_file(path, whole, sizeof(whole));
    CU_ASSERT_EQUAL_FATAL(count, 180);
    for (size_t i = 0; i < count; i++) {
        memcpy(bytes, whole, count);
        bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
        write_file(path, bytes, count);
        CU_ASSERT(!has_bytes(1, 100));
        write_file(path, whole, i);
        CU_ASSERT(!has_bytes(1, 100));
    }
    memcpy(bytes, whole, count);
    write_file(path, bytes, count + 1);
    CU_ASSERT(!has_bytes(1, 100));
    write_bytes(1, 100);
    CU_ASSERT(has_bytes(1, 100));
    CU_ASSERT_EQUAL(count_entries(), 1);
}

/* An entry under the name of another one. */
static void test_foreign(void)
{
    char from[2 * PATH];
    new_folder();
    write_bytes(1, 100);
    snprintf(from, sizeof(from), "%s", entry_of(key_of(1)));
    CU_ASSERT(rename(from, entry_of(key_of(2))) == 0);
    CU_ASSERT(!has_bytes(1, 100) && !has_bytes(2, 100));
}

static void test_permissions(void)
{
    static const mode_t open_to_others[] = {0620, 0602, 0666, 0777};
    static const mode_t open_folders[] = {0770, 0707, 0777, 01777};
    struct stat info;
    new_folder();
    write_bytes(1, 100);
    for (size_t i = 0; i < 4; i++) {
        chmod(entry_of(key_of(1)), open_to_others[i]);
        CU_ASSERT(!has_bytes(1, 100));
    }
    write_bytes(1, 100);
    CU_ASSERT(has_bytes(1, 100));
    CU_ASSERT(stat(entry_of(key_of(1)), &info) == 0 && (info.st_mode & 07777) == 0600);
    for (size_t i = 0; i < 4; i++) {
        chmod(folder, open_folders[i]);
        CU_ASSERT(!has_bytes(1, 100));
        write_bytes(2, 100);
        CU_ASSERT_EQUAL(count_entries(), 1);
    }
    chmod(folder, 0755);
    CU_ASSERT(has_bytes(1, 100));
}

/* Of somebody else: only root can make such a thing, or take another's place. */
static void test_owner(void)
{
    if (geteuid() != 0) {
        printf("(not root) ");
        return;
    }
    new_folder();
    write_bytes(1, 100);
    CU_ASSERT(chown(entry_of(key_of(1)), NOBODY, NOBODY) == 0);
    CU_ASSERT(!has_bytes(1, 100));
    write_bytes(1, 100);
    CU_ASSERT(has_bytes(1, 100));
    CU_ASSERT(chown(folder, NOBODY, NOBODY) == 0);
    CU_ASSERT(!has_bytes(1, 100));
}

/* What is no file is no entry, and does not hold anybody up. */
static void test_no_file(void)
{
    char target[2 * PATH], bytes[300];
    struct stat info;
    const char *path;
    size_t count;
    new_folder();
    write_bytes(1, 100);
    path = entry_of(key_of(1));
    snprintf(target, sizeof(target), "%s/target", work);
    CU_ASSERT(rename(path, target) == 0);
    count = read_file(target, bytes, sizeof(bytes));
    CU_ASSERT(symlink(target, path) == 0);
    CU_ASSERT(!has_bytes(1, 100));
    write_bytes(1, 50);
    CU_ASSERT(has_bytes(1, 50));
    CU_ASSERT(lstat(path, &info) == 0 && S_ISREG(info.st_mode));
    CU_ASSERT_EQUAL(read_file(target, bytes, sizeof(bytes)), count);
    unlink(path);
    CU_ASSERT(mkfifo(path, 0600) == 0);
    CU_ASSERT(!has_bytes(1, 100));
    write_bytes(1, 100);
    CU_ASSERT(has_bytes(1, 100));
    unlink(path);
    CU_ASSERT(mkdir(path, 0700) == 0);
    CU_ASSERT(!has_bytes(1, 100));
    write_bytes(1, 100);
    CU_ASSERT(!has_bytes(1, 100));
    CU_ASSERT_EQUAL(count_entries(), 1);
}

/* ---- where it is ----------------------------------------------------------------------------- */

static int is_there(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* Keeps one entry with these variables, NULL for unset; whether it is found again. */
static int keeps_with(const char *given, const char *xdg, const char *home)
{
    const char *const names[] = {"DAL_KERNEL_CACHE", "XDG_CACHE_HOME", "HOME"};
    const char *const values[] = {given, xdg, home};
    for (int i = 0; i < 3; i++) {
        if (values[i])
            setenv(names[i], values[i], 1);
        else
            unsetenv(names[i]);
    }
    write_bytes(1, 100);
    return has_bytes(1, 100);
}

static void test_places(void)
{
    char home[PATH], path[2 * PATH];
    const char *old = getenv("HOME");
    char *kept = old ? strdup(old) : NULL;
    snprintf(home, sizeof(home), "%s/home", work);
    CU_ASSERT_FATAL(mkdir(home, 0755) == 0);
    CU_ASSERT(!keeps_with("off", home, home));
    CU_ASSERT(!keeps_with(NULL, NULL, NULL) && !keeps_with("", "", ""));
    CU_ASSERT(!keeps_with(NULL, "relative", "relative"));
    CU_ASSERT(!keeps_with("relative", home, home) && !is_there("relative"));
    snprintf(path, sizeof(path), "%s/missing/home", work);
    CU_ASSERT(!keeps_with(NULL, NULL, path));
    CU_ASSERT(!keeps_with("/dev/null/x", NULL, home) && !keeps_with("/dev/null", NULL, home));
    snprintf(path, sizeof(path), "%s/.cache", home);
    CU_ASSERT(!is_there(path));
    CU_ASSERT(keeps_with(NULL, "relative", home));
    snprintf(path, sizeof(path), "%s/.cache/dal", home);
    CU_ASSERT(is_there(path));
    snprintf(path, sizeof(path), "%s/xdg/", home);
    CU_ASSERT(keeps_with(NULL, path, NULL));
    snprintf(path, sizeof(path), "%s/xdg/dal", home);
    CU_ASSERT(is_there(path));
    if (kept)
        setenv("HOME", kept, 1);
    free(kept);
}

/* A home that somebody else owns gets no folder that only root can write. */
static void test_home_of_another(void)
{
    char home[PATH], path[2 * PATH];
    snprintf(home, sizeof(home), "%s/another", work);
    CU_ASSERT_FATAL(mkdir(home, 0755) == 0);
    if (geteuid() != 0 || chown(home, NOBODY, NOBODY) != 0) {
        printf("(not root) ");
        return;
    }
    CU_ASSERT(!keeps_with(NULL, NULL, home));
    snprintf(path, sizeof(path), "%s/.cache", home);
    CU_ASSERT(!is_there(path));
}

/* Root may write anywhere, so for this it is somebody else. */
static void test_read_only(void)
{
    int is_root = geteuid() == 0;
    new_folder();
    write_bytes(1, 100);
    if (is_root) {
        CU_ASSERT(chown(folder, NOBODY, NOBODY) == 0 &&
                  chown(entry_of(key_of(1)), NOBODY, NOBODY) == 0 && chmod(work, 0755) == 0);
        CU_ASSERT_FATAL(seteuid(NOBODY) == 0);
    }
    chmod(folder, 0500);
    CU_ASSERT(has_bytes(1, 100));
    write_bytes(2, 100);
    CU_ASSERT(!has_bytes(2, 100));
    chmod(folder, 0700);
    write_bytes(2, 100);
    CU_ASSERT(has_bytes(2, 100));
    if (is_root)
        CU_ASSERT_FATAL(seteuid(0) == 0);
}

/* A file that may not become so large is not begun: the signal would end the program. */
static void test_file_limit(void)
{
    struct rlimit old, low;
    new_folder();
    getrlimit(RLIMIT_FSIZE, &old);
    low = (struct rlimit){.rlim_cur = 150, .rlim_max = old.rlim_max};
    CU_ASSERT(setrlimit(RLIMIT_FSIZE, &low) == 0);
    write_bytes(1, 100);
    write_bytes(2, 70);
    setrlimit(RLIMIT_FSIZE, &old);
    CU_ASSERT(!has_bytes(1, 100) && has_bytes(2, 70));
    CU_ASSERT_EQUAL(count_entries(), 1);
}

/* ---- how much it is -------------------------------------------------------------------------- */

/* The entry was used so many seconds ago. */
static void set_age(const char *path, long seconds)
{
    const struct timespec times[2] = {{time(NULL) - seconds, 0}, {time(NULL) - seconds, 0}};
    CU_ASSERT(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0);
}

static void test_limit(void)
{
    enum { SIZE = 300000 };
    char path[2 * PATH], left[3 * PATH];
    new_folder();
    setenv("DAL_KERNEL_CACHE_MB", "1", 1);
    for (unsigned i = 0; i < 3; i++) {
        write_bytes(i, SIZE);
        set_age(entry_of(key_of(i)), 100 - i);
    }
    snprintf(path, sizeof(path), "%s/precious.kernel", folder);
    write_file(path, "kept", 4);
    set_age(path, 1000000);
    snprintf(left, sizeof(left), "%.*s.1-0.tmp", (int)strlen(entry_of(key_of(0))) - 7,
             entry_of(key_of(0)));
    write_file(left, "left behind", 11);
    set_age(left, 1000000);
    CU_ASSERT(has_bytes(0, SIZE)); /* so 1 is the one that was not used for longest */
    write_bytes(3, SIZE);
    CU_ASSERT(has_bytes(0, SIZE) && !has_bytes(1, SIZE) && has_bytes(2, SIZE) &&
              has_bytes(3, SIZE));
    write_bytes(4, 1100000);
    CU_ASSERT(!has_bytes(4, 1100000) && has_bytes(3, SIZE));
    CU_ASSERT(is_there(path) && !is_there(left));
    unsetenv("DAL_KERNEL_CACHE_MB");
}

static void test_limit_none(void)
{
    static const char *const bad[] = {"x", "1x", "-1", "99999999999999999999"};
    struct capture said;
    new_folder();
    setenv("DAL_KERNEL_CACHE_MB", "0", 1);
    write_bytes(1, 100);
    CU_ASSERT(!has_bytes(1, 100));
    CU_ASSERT_FATAL(capture_begin(&said) == 0);
    for (unsigned i = 0; i < 4; i++) {
        setenv("DAL_KERNEL_CACHE_MB", bad[i], 1);
        write_bytes(i, 100);
        CU_ASSERT(has_bytes(i, 100));
    }
    unsetenv("DAL_KERNEL_CACHE_MB");
    CU_ASSERT_PTR_NOT_NULL(strstr(capture_end(&said), "warning: DAL_KERNEL_CACHE_MB=x: not a "));
    CU_ASSERT_PTR_NULL(strstr(said.text, "1x")); /* once */
    capture_finish(&said);
}

/* ---- programs -------------------------------------------------------------------------------- */

static const char shift[] = "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
                            "void shift(__global int *a)\n"
                            "{\n"
                            "    __local int line[8];\n"
                            "    line[get_local_id(0)] = a[get_global_id(0)] + STEP;\n"
                            "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "    a[get_global_id(0)] = line[7 - get_local_id(0)];\n"
                            "}\n";

/* What a run found. */
struct found {
    int status, wrong;        /* DAL_OK with right numbers */
    int built, loaded;        /* programs */
    size_t work_group, asked; /* of the kernel: most work-items, reqd_work_group_size */
    cl_ulong local_bytes;
};

static int run_kernel(struct dal_device *device, dal_function kernel, int step)
{
    enum { COUNT = 64 };
    static const struct dal_launch launch = {1, {COUNT, 1, 1}, {8, 1, 1}};
    const struct dal_backend *backend = device->backend;
    int32_t numbers[COUNT], wrong = 0;
    dal_commands queue = NULL;
    dal_memory buffer = NULL;
    int status = backend->commands(device, 0, &queue);
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i;
    if (status == DAL_OK)
        status =
            backend->memory(device, &the_process, DAL_MEMORY_PLAIN, sizeof(numbers), NULL, &buffer);
    if (status == DAL_OK)
        status = backend->write(queue, &the_process, buffer, 0, numbers, sizeof(numbers), 1, NULL);
    if (status == DAL_OK)
        status = backend->set_memory(kernel, &the_process, 0, buffer);
    if (status == DAL_OK)
        status = backend->launch(queue, &the_process, kernel, &launch, NULL, 0, NULL);
    if (status == DAL_OK)
        status = suite_read(backend, queue, buffer, numbers, sizeof(numbers));
    for (int i = 0; status == DAL_OK && i < COUNT; i++)
        wrong += numbers[i] != i / 8 * 8 + 7 - i % 8 + step;
    if (buffer)
        backend->memory_free(device, buffer);
    if (queue)
        backend->commands_free(device, queue);
    return status < 0 ? status : wrong;
}

static void ask_kernel(struct dal_device *device, dal_function function, struct found *found)
{
    cl_kernel kernel = dal_ocl_kernel(function);
    cl_device_id id = dal_ocl_device(device)->id;
    size_t asked[3] = {0};
    clGetKernelWorkGroupInfo(kernel, id, CL_KERNEL_WORK_GROUP_SIZE, sizeof(found->work_group),
                             &found->work_group, NULL);
    clGetKernelWorkGroupInfo(kernel, id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(asked), asked,
                             NULL);
    clGetKernelWorkGroupInfo(kernel, id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(found->local_bytes),
                             &found->local_bytes, NULL);
    found->asked = asked[0];
}

/* Opens the device, makes the kernel, launches it, closes the device: one start of a program. */
static struct found start_on(const char *identifier, const char *text, const char *options,
                             int step)
{
    const struct dal_function_source source = {
        .file = "shift.cl", .text = text, .options = options, .name = "shift"};
    struct found found = {0};
    struct dal_device *device;
    struct dal_devices *ocl;
    dal_function kernel = NULL;
    found.status = suite_open(&ocl, identifier);
    if (found.status < 0)
        return found;
    device = dal_devices_get(ocl, 0);
    found.status = device->backend->function(device, &the_process, &source, &kernel);
    if (kernel) {
        ask_kernel(device, kernel, &found);
        found.wrong = run_kernel(device, kernel, step);
        device->backend->function_free(kernel);
    }
    found.built = device->built;
    found.loaded = device->loaded;
    dal_devices_close(ocl);
    return found;
}

static const char *device_name;

static struct found start_with(const char *options, int step)
{
    return start_on(device_name, shift, options, step);
}

static int is_right(struct found found, int built, int loaded)
{
    return found.status == DAL_OK && found.wrong == 0 && found.built == built &&
           found.loaded == loaded;
}

/* Runs `test` for every device, and its first sub-device. */
static void each_device(void (*test)(void))
{
    struct dal_device_list list;
    CU_ASSERT_FATAL(dal_backend_opencl.list(&list, DAL_LOG_ERROR) == DAL_OK);
    for (size_t i = 0; i < list.count; i++) {
        device_name = list.info[i].identifier;
        new_folder();
        test();
    }
    device_name = list.count ? strdup(list.info[0].wildcard) : "CPU_DEV1";
    dal_backend_opencl.list_finish(&list);
}

static void starts_twice(void)
{
    struct found first = start_with("-DSTEP=3", 3), second = start_with("-DSTEP=3", 3);
    CU_ASSERT(is_right(first, 1, 0));
    CU_ASSERT(is_right(second, 0, 1));
    CU_ASSERT_EQUAL(first.work_group, second.work_group);
    CU_ASSERT_EQUAL(first.asked, second.asked);
    CU_ASSERT_EQUAL(first.local_bytes, second.local_bytes);
    CU_ASSERT(is_right(start_with("-DSTEP=4", 4), 1, 0));
    CU_ASSERT(is_right(start_with("-DSTEP=4", 4), 0, 1));
    CU_ASSERT(is_right(start_with("-DSTEP=3", 3), 0, 1));
    CU_ASSERT_EQUAL(count_entries(), 2);
}

static void test_programs(void)
{
    each_device(starts_twice);
}

static void test_sub_device(void)
{
    char name[100];
    struct found first;
    new_folder();
    snprintf(name, sizeof(name), "%s_SUB1", device_name);
    first = start_on(name, shift, "-DSTEP=3", 3);
    if (first.status == DAL_ERR_NODEVICE) {
        printf("(no sub-devices) ");
        return;
    }
    CU_ASSERT(is_right(first, 1, 0));
    first = start_on(name, shift, "-DSTEP=3", 3);
    CU_ASSERT(first.status == DAL_OK && first.wrong == 0);
}

/* An entry that is whole, but of no use to the driver; and one without a binary. */
static void test_refused(void)
{
    char text[3000];
    struct dal_cache_binary rubbish = {(unsigned char *)text, sizeof(text)}, none = {0};
    const struct dal_cache_binary *const bad[] = {&rubbish, &none};
    DIR *dir;
    struct dirent *entry;
    struct dal_cache_key key;
    for (int i = 0; i < 2; i++) {
        new_folder();
        CU_ASSERT(is_right(start_with("-DSTEP=3", 3), 1, 0));
        memset(text, 'x', sizeof(text));
        dir = opendir(folder);
        while (dir && (entry = readdir(dir)))
            for (size_t k = 0; k < sizeof(key.digest) && strlen(entry->d_name) > 64; k++)
                sscanf(entry->d_name + 2 * k, "%2hhx", &key.digest[k]);
        closedir(dir);
        dal_cache_write(&key, bad[i]);
        CU_ASSERT(is_right(start_with("-DSTEP=3", 3), 1, 0));
        CU_ASSERT(is_right(start_with("-DSTEP=3", 3), 0, 1));
        CU_ASSERT_EQUAL(count_entries(), 1);
    }
}

/* Starts with the wish to hear warnings, as PROGRAM --check does. Is there one of shift.cl? */
static int warns(const char *text, int wants_warnings, struct found *found)
{
    struct capture said;
    int warned;
    CU_ASSERT_FATAL(capture_begin(&said) == 0);
    dal_backend_want_warnings(wants_warnings);
    *found = start_on(device_name, text, "-DSTEP=3", 3);
    dal_backend_want_warnings(0);
    warned = strstr(capture_end(&said), "shift.cl:1: warning: [kernel-build] ") != NULL;
    capture_finish(&said);
    return warned;
}

/* Each check builds, and tells what the compiler has to say. What it has built, other starts load;
 * they tell nothing. */
static void test_check(void)
{
    static const char doubtful[] = "#line 1 \"shift.cl\"\n"
                                   "__global float *of(__global int *a) { return a; }\n";
    char text[sizeof(doubtful) + sizeof(shift)];
    struct found found;
    new_folder();
    snprintf(text, sizeof(text), "%s%s", doubtful, shift);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT(warns(text, 1, &found));
        CU_ASSERT(is_right(found, 1, 0));
        CU_ASSERT_EQUAL(count_entries(), 1);
        CU_ASSERT(!warns(text, 0, &found));
        CU_ASSERT(is_right(found, 0, 1));
    }
}

/* Programs whose binary does not say all: what they include, and what a source wants to hear. */
static void test_not_kept(void)
{
    char including[sizeof(shift) + 2 * PATH], path[PATH];
    struct capture said;
    new_folder();
    snprintf(path, sizeof(path), "%s/step.h", work);
    write_file(path, "#define STEP 3\n", 15);
    snprintf(including, sizeof(including), "# include \"%s\"\n%s", path, shift);
    CU_ASSERT_FATAL(capture_begin(&said) == 0);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT(is_right(start_on(device_name, including, "", 3), 1, 0));
        CU_ASSERT(is_right(start_with("-DSTEP=3 -Werror", 3), 1, 0));
    }
    CU_ASSERT_EQUAL(count_entries(), 0);
    setenv("DAL_KERNEL_CACHE", "off", 1);
    CU_ASSERT(is_right(start_with("-DSTEP=3", 3), 1, 0));
    CU_ASSERT(is_right(start_with("-DSTEP=3", 3), 1, 0));
    capture_end(&said);
    capture_finish(&said);
}

/* A source that does not build is an error at every start. */
static void test_broken(void)
{
    struct capture said;
    new_folder();
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_FATAL(capture_begin(&said) == 0);
        CU_ASSERT_EQUAL(start_with("", 3).status, DAL_ERR_BUILD);
        CU_ASSERT_PTR_NOT_NULL(strstr(capture_end(&said), "STEP"));
        capture_finish(&said);
    }
    CU_ASSERT_EQUAL(count_entries(), 0);
}

static struct dal_cache_key key_with(const struct dal_device *device, const char *text,
                                     const char *options)
{
    struct dal_cache_key key;
    dal__program_key(device, text, options, &key);
    return key;
}

static int differ(struct dal_cache_key a, struct dal_cache_key b)
{
    return memcmp(&a, &b, sizeof(a)) != 0;
}

static void test_key(void)
{
    struct dal_device device = {.backend = &dal_backend_opencl}, other;
    struct dal_device_info *info = &device.info;
    char **const texts[] = {&other.info.name,   &other.info.vendor,   &other.info.version,
                            &other.info.driver, &other.info.platform, &other.info.platform_version};
    struct dal_cache_key key;
    info->name = info->vendor = info->version = info->driver = info->platform =
        info->platform_version = "one";
    key = key_with(&device, "text", "-O");
    CU_ASSERT(!differ(key, key_with(&device, "text", "-O")));
    CU_ASSERT(differ(key, key_with(&device, "text-", "O")));
    CU_ASSERT(differ(key, key_with(&device, "text", "-OX")));
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        other = device;
        *texts[i] = "two";
        CU_ASSERT(differ(key, key_with(&other, "text", "-O")));
    }
    other = device;
    other.info.compute_units = 7;
    CU_ASSERT(differ(key, key_with(&other, "text", "-O")));
}

/* That something fits is found once; that it does not is asked each time. Drivers that count
 * their warnings on standard error have none to count. */
static void test_fits(void)
{
    static const char text[] = "typedef char fits[BYTES <= LIMIT ? 1 : -1];\n"
                               "int doubtful(__global int *a) { __global float *q = a; }\n"
                               "__kernel void k(__global int *a) { a[0] = 1; }\n";
    struct dal_device *device;
    struct capture said;
    struct dal_devices *ocl;
    new_folder();
    CU_ASSERT_FATAL(suite_open(&ocl, device_name) == DAL_OK);
    device = dal_devices_get(ocl, 0);
    CU_ASSERT_FATAL(capture_begin(&said) == 0);
    CU_ASSERT_EQUAL(dal_backend_opencl.fits(device, &the_process, text, "-DBYTES=10", "LIMIT", 10),
                    1);
    CU_ASSERT_EQUAL(count_entries(), 1);
    dal_ocl_fail_at(1);
    CU_ASSERT_EQUAL(dal_backend_opencl.fits(device, &the_process, text, "-DBYTES=10", "LIMIT", 10),
                    1);
    dal_ocl_fail_at(0);
    CU_ASSERT_EQUAL(dal_backend_opencl.fits(device, &the_process, text, "-DBYTES=11", "LIMIT", 10),
                    0);
    CU_ASSERT_EQUAL(dal_backend_opencl.fits(device, &the_process, text, "-DBYTES=11", "LIMIT", 10),
                    0);
    CU_ASSERT_EQUAL(
        dal_backend_opencl.fits(device, &the_process, text, "-DBYTES=nothing", "LIMIT", 10), 1);
    CU_ASSERT(!strstr(capture_end(&said), "warning") || strstr(device->info.name, "Oclgrind"));
    capture_finish(&said);
    dal_devices_close(ocl);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static int alloc_left(unsigned long n)
{
    int failed = 0;
    for (unsigned long i = 0; i < n && !failed; i++) {
        void *memory = dal_alloc(1);
        failed = memory == NULL;
        dal_free(memory);
    }
    return failed;
}

static int ocl_left(unsigned long n)
{
    int failed = 0;
    for (unsigned long i = 0; i < n && !failed; i++)
        failed = dal_backend_fault("none") != CL_SUCCESS;
    return failed;
}

/* Fails the n-th for every n; whatever becomes of a start, the next one is right. Returns how many
 * places there were, or -1. */
static int sweep(void (*fail_at)(unsigned long n), int (*left)(unsigned long n), int warm)
{
    struct capture said;
    unsigned long n = 0;
    int right = 1, over = 0;
    if (capture_begin(&said) != 0)
        return -1;
    while (right && !over) {
        struct found found;
        if (!warm)
            new_folder();
        fail_at(++n);
        found = start_with("-DSTEP=3", 3);
        over = left(n);
        fail_at(0);
        right = found.status < 0 || found.wrong <= 0;
        if (warm)
            right = right && is_right(start_with("-DSTEP=3", 3), 0, 1);
    }
    capture_end(&said);
    capture_finish(&said);
    return right && start_with("-DSTEP=3", 3).wrong == 0 ? (int)n - 1 : -1;
}

static void test_faults_cold(void)
{
    CU_ASSERT(sweep(dal_alloc_fail_at, alloc_left, 0) > 20);
    CU_ASSERT(sweep(dal_ocl_fail_at, ocl_left, 0) > 20);
}

static void test_faults_warm(void)
{
    new_folder();
    CU_ASSERT(is_right(start_with("-DSTEP=3", 3), 1, 0));
    CU_ASSERT(sweep(dal_alloc_fail_at, alloc_left, 1) > 20);
    CU_ASSERT(sweep(dal_ocl_fail_at, ocl_left, 1) > 20);
}

/* ---- several programs at once ---------------------------------------------------------------- */

static pid_t start_program(const char *step)
{
    pid_t child = fork();
    if (child == 0) {
        execl(self, self, device_name, step, (char *)NULL);
        _exit(127);
    }
    return child;
}

static void test_at_once(void)
{
    pid_t children[STARTS];
    int good = 1, status;
    new_folder();
    for (int i = 0; i < STARTS; i++)
        children[i] = start_program(i % 2 ? "5" : "6");
    for (int i = 0; i < STARTS; i++)
        good &= waitpid(children[i], &status, 0) == children[i] && status == 0;
    CU_ASSERT(good);
    CU_ASSERT_EQUAL(count_entries(), 2);
    CU_ASSERT(is_right(start_with("-DSTEP=5", 5), 0, 1));
    CU_ASSERT(is_right(start_with("-DSTEP=6", 6), 0, 1));
}

/* Writes an entry of its own size and bytes in the place of others, and reads: 0 when there was
 * always one that is whole. */
static int write_and_read(unsigned number)
{
    enum { ROUNDS = 200, SIZE = 20000 };
    struct dal_cache_key key = key_of(0);
    struct dal_cache_binary binary = {calloc(number + 1, SIZE), (number + 1) * SIZE}, found;
    int good = binary.data != NULL;
    memset(binary.data, (int)number, binary.bytes);
    for (int i = 0; good && i < ROUNDS; i++) {
        dal_cache_write(&key, &binary);
        good = dal_cache_read(&key, &found) == 1 && found.bytes == (found.data[0] + 1u) * SIZE &&
               found.data[found.bytes - 1] == found.data[0];
        dal_free(found.data);
    }
    free(binary.data);
    return !good;
}

static void test_writers_at_once(void)
{
    pid_t children[STARTS];
    int good = 1, status;
    new_folder();
    for (unsigned i = 0; i < STARTS; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(write_and_read(i));
    }
    for (int i = 0; i < STARTS; i++)
        good &= waitpid(children[i], &status, 0) == children[i] && status == 0;
    CU_ASSERT(good);
    CU_ASSERT_EQUAL(count_entries(), 1);
}

/* What test_at_once() starts. */
static int be_program(const char *identifier, const char *step)
{
    char options[32];
    struct found found;
    snprintf(options, sizeof(options), "-DSTEP=%s", step);
    found = start_on(identifier, shift, options, atoi(step));
    return found.status != DAL_OK || found.wrong != 0;
}

static void remove_all(void)
{
    char command[PATH];
    snprintf(command, sizeof(command), "rm -rf '%s'", work);
    if (system(command) != 0)
        fprintf(stderr, "%s is left behind\n", work);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"hit and miss", test_hit_and_miss},
        {"a damaged entry", test_damaged},
        {"an entry under a wrong name", test_foreign},
        {"what others may write", test_permissions},
        {"what others own", test_owner},
        {"no file", test_no_file},
        {"where it is", test_places},
        {"a home of somebody else", test_home_of_another},
        {"a folder that takes no files", test_read_only},
        {"files that may not be large", test_file_limit},
        {"the oldest go", test_limit},
        {"no room, and no number", test_limit_none},
        {"programs of every device", test_programs},
        {"a program of a sub-device", test_sub_device},
        {"a binary that the driver refuses", test_refused},
        {"what a check has built", test_check},
        {"programs that are not kept", test_not_kept},
        {"a source that does not build", test_broken},
        {"keys", test_key},
        {"what fits", test_fits},
        {"faults without an entry", test_faults_cold},
        {"faults with one", test_faults_warm},
        {"eight writers at once", test_writers_at_once},
        {"eight programs at once", test_at_once},
    };
    const char *parent = getenv("TMPDIR");
    int status;
    if (argc == 3)
        return be_program(argv[1], argv[2]);
    self = argv[0];
    snprintf(work, sizeof(work), "%.100s/dal-test_cache.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(work))
        return 1;
    status = run_suite("cache", tests, sizeof(tests) / sizeof(tests[0]));
    remove_all();
    return status;
}
