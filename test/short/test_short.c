/* Every network of the source tree: its short form means what the long one does. */
#define _GNU_SOURCE /* nftw */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/short.h"
#include "test/suite.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t count, shorter, root_length;
static const char written[] = "short.tmp.xml";

static int is_xml(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".xml") == 0;
}

static void write_file(const char *text)
{
    FILE *file = fopen(written, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* NULL for what is no network of the right form. */
static char *convert(int (*make)(struct dal_diags *, const char *, char **), const char *path)
{
    struct dal_diags diags;
    char *text;
    int status;
    dal_diags_init(&diags);
    status = make(&diags, path, &text);
    CU_ASSERT((status == DAL_OK) == (text != NULL));
    dal_diags_finish(&diags);
    return text;
}

static int try_file(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    char *before, *brief, *after;
    (void)status;
    (void)walk;
    if (type != FTW_F || !is_xml(path) || strncmp(path + root_length, "/build/", 7) == 0)
        return 0;
    before = convert(dal_network_expand, path);
    if (!before)
        return 0;
    brief = convert(dal_network_shorten, path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(brief);
    write_file(brief);
    after = convert(dal_network_expand, written);
    if (!after || strcmp(before, after) != 0)
        printf("\n%s is another one after it was shortened", path);
    CU_ASSERT(after && strcmp(before, after) == 0);
    count++;
    shorter += strlen(brief) < strlen(before);
    dal_free(before);
    dal_free(brief);
    dal_free(after);
    return 0;
}

static void test_tree(void)
{
    const char *source = getenv("DAL_SRCDIR");
    root_length = strlen(source ? source : ".");
    CU_ASSERT_EQUAL_FATAL(nftw(source ? source : ".", try_file, 16, FTW_PHYS), 0);
    unlink(written);
    printf("%zu networks, %zu of them shorter ", count, shorter);
    CU_ASSERT(count > 100 && shorter > count / 2);
}

/* Comments, empty lines and attributes that are no network's own stay. */
static void test_text(void)
{
    static const char text[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!-- first -->\n"
        "<processnetwork xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" name=\"a\" "
        "xsi:noNamespaceSchemaLocation=\"x&amp;y.xsd\">\n"
        "  <!-- of A:\n"
        "       two lines -->\n"
        "  <process name=\"A\" source=\"a.c\"/>\n"
        "\n"
        "  <!-- behind \xc3\xa9 -->\n"
        "  <process name=\"B\" source=\"b.c\">\n"
        "    <!-- inside -->\n"
        "    <parameter name=\"p\" value=\"&lt;&quot;&#10;\"/>\n"
        "  </process>\n"
        "  <channel from=\"A.x\" to=\"B.y\" tokensize=\"4\"/>\n"
        "</processnetwork>\n"
        "<!-- last -->\n";
    char *brief;
    write_file(text);
    brief = convert(dal_network_shorten, written);
    CU_ASSERT_PTR_NOT_NULL_FATAL(brief);
    CU_ASSERT_STRING_EQUAL(brief, text);
    dal_free(brief);
    unlink(written);
}

static void test_memory(void)
{
    unsigned long n = 0;
    char *text = NULL;
    write_file("<processnetwork name=\"a\"><process name=\"A\" source=\"a.c\"/>"
               "<process name=\"B\" source=\"b.c\"/><channel from=\"A.x\" to=\"B.y\"/>"
               "</processnetwork>");
    while (!text && n < 2000) {
        struct dal_diags diags;
        int status;
        dal_diags_init(&diags);
        dal_alloc_fail_at(++n);
        status = dal_network_shorten(&diags, written, &text);
        dal_alloc_fail_at(0);
        CU_ASSERT(status == DAL_OK || diags.lost);
        dal_diags_finish(&diags);
    }
    CU_ASSERT(n > 20);
    CU_ASSERT_PTR_NOT_NULL(text);
    dal_free(text);
    unlink(written);
}

int main(void)
{
    static const struct test tests[] = {
        {"all networks of the tree", test_tree},
        {"comments and layout", test_text},
        {"memory that runs out", test_memory},
    };
    return run_suite("short", tests, sizeof(tests) / sizeof(tests[0]));
}
