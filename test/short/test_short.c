/* Every network of the source tree: its short form means what the long one does. */
#define _GNU_SOURCE /* nftw */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/write/short.h"
#include "test/suite.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t count, shorter, with_long, root_length;
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

static char *convert(int (*make)(struct dal_diags *, const char *, char **), const char *path);

/* The same of a text, which is freed. */
static char *convert_text(int (*make)(struct dal_diags *, const char *, char **), char *text)
{
    char *made;
    write_file(text);
    dal_free(text);
    made = convert(make, written);
    CU_ASSERT_PTR_NOT_NULL_FATAL(made);
    return made;
}

static void same_texts(const char *what, const char *path, const char *a, const char *b)
{
    if (strcmp(a, b) != 0)
        printf("\n%s: %s", path, what);
    CU_ASSERT_STRING_EQUAL(a, b);
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

/* Each form leads to the other and back, and is the same when it is made once more. Returns whether
 * it is a network. */
static int try_network(const char *path)
{
    char *before = convert(dal_network_expand, path), *brief;
    char *again, *after, *once_more, *from_long;
    if (!before)
        return 0;
    brief = convert(dal_network_shorten, path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(brief);
    after = convert_text(dal_network_expand, dal_strdup(brief));
    again = convert_text(dal_network_shorten, dal_strdup(brief));
    once_more = convert_text(dal_network_expand, dal_strdup(before));
    from_long = convert_text(dal_network_shorten, dal_strdup(before));
    same_texts("another one after it was shortened", path, before, after);
    same_texts("shorter when it is shortened twice", path, brief, again);
    same_texts("longer when it is expanded twice", path, before, once_more);
    same_texts("its long form becomes another short one", path, brief, from_long);
    count++;
    shorter += strlen(brief) < strlen(before);
    with_long += strstr(brief, "<sw_channel") != NULL;
    dal_free(before);
    dal_free(brief);
    dal_free(after);
    dal_free(again);
    dal_free(once_more);
    dal_free(from_long);
    return 1;
}

static int try_file(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)walk;
    if (type == FTW_F && is_xml(path) && strncmp(path + root_length, "/build/", 7) != 0)
        try_network(path);
    return 0;
}

static void test_tree(void)
{
    const char *source = getenv("DAL_SRCDIR");
    root_length = strlen(source ? source : ".");
    CU_ASSERT_EQUAL_FATAL(nftw(source ? source : ".", try_file, 16, FTW_PHYS), 0);
    unlink(written);
    printf("%zu networks, %zu of them shorter, %zu with long channels ", count, shorter, with_long);
    CU_ASSERT(count > 100 && shorter > count / 2);
    CU_ASSERT(with_long < count / 4); /* those of wrong networks, whose ends do not fit */
}

/* ---- networks by chance ---- */

static const char drawn[] = "drawn.tmp.xml";
static unsigned long long chance;
static int comments;

static int draw(int below)
{
    chance = chance * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((chance >> 33) % (unsigned)below);
}

/* Sometimes a comment, each with a number of its own. */
static void draw_comment(FILE *out)
{
    if (draw(5) == 0)
        fprintf(out, "%s<!-- comment %d. -->\n", draw(3) ? "" : "\n", comments++);
}

static void draw_attributes(FILE *out, int is_short)
{
    static const char *const names[] = {"cflags",      "libs",  "include",         "pkgs",
                                        "contraction", "files", "dataparallelism", "executiontime"};
    static const char *const values[][2] = {{"-O2", "-O3 -DA=&quot;x y&quot;"},
                                            {"-lm", "-lm -lz"},
                                            {"inc", "inc other"},
                                            {"zlib", "zlib fftw3"},
                                            {"on", "off"},
                                            {"b.c", "b.c d.cpp"},
                                            {"auto", "64"},
                                            {"7", "1,0,2"}};
    static const char *const types[] = {".c", ".cxx", ".opencl", ".portable"};
    for (int i = 0; i < 8; i++)
        if (draw(3) == 0 && (is_short || i != 5))
            fprintf(out, " %s%s=\"%s\"", names[i],
                    is_short && i < 7 && draw(3) == 0 ? types[draw(4)] : "", values[i][draw(2)]);
}

static void draw_source(FILE *out, int number)
{
    static const char *const types[] = {"c", "c++", "opencl", "portable"};
    static const char *const files[] = {"a.c", "a.cl", "a.cpp", "a", "c:a.c", "a b.c"};
    fprintf(out, "<source type=\"%s\" location=\"%s\"", types[draw(4)], files[draw(6)]);
    if (draw(3))
        fprintf(out, " id=\"%d\"", draw(4) ? number : number + 1);
    draw_attributes(out, 0);
    if (draw(3)) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    draw_comment(out);
    fputs("<file location=\"f.c\"/><file location=\"g h.cc\"/></source>\n", out);
}

static void draw_process(FILE *out, int number)
{
    static const char *const words[] = {"a.c", "a.cl b.c", "portable:a.c a.cpp", "c:x c++:y.c"};
    int is_short = draw(2);
    fprintf(out, "<process name=\"P%d%s\"", number, is_short ? "[i]" : "");
    if (is_short) {
        fprintf(out, " source=\"%s\"", words[draw(4)]);
        draw_attributes(out, 1);
    }
    fputs(">\n", out);
    if (!is_short)
        fputs("<append function=\"i\"/>\n", out);
    draw_comment(out);
    if (draw(3) == 0)
        fprintf(out, "<port type=\"output\" name=\"o%d\"%s/>\n", number,
                draw(2) ? " blocks=\"2\"" : "");
    for (int i = draw(3); !is_short && i >= 0; i--)
        draw_source(out, i);
    draw_comment(out);
    fputs("<parameter name=\"a\" value=\"1\"/></process>\n", out);
}

static void draw_sides(FILE *out, int from, int to, int number)
{
    fprintf(out, "<connection name=\"%s%d\"><append function=\"i\"/><origin name=\"P%d\">", "in",
            number, from);
    fprintf(out, "<append function=\"i\"/><port name=\"o%d\"/></origin><target name=\"c%d\">", from,
            number);
    fputs("<append function=\"i\"/><port name=\"in\"/></target></connection>\n", out);
    draw_comment(out);
    fprintf(out, "<connection name=\"c%d_P%d\"><append function=\"i\"/><origin name=\"c%d\">",
            number, to, number);
    fprintf(out, "<append function=\"i\"/><port name=\"out\"/></origin><target name=\"P%d\">", to);
    draw_comment(out);
    fprintf(out, "<append function=\"i\"/><port name=\"i%d\"/></target></connection>\n", number);
}

static void draw_channel(FILE *out, int from, int to, int number)
{
    static const char *const rest[] = {"", " tokensize=\"4\" size=\"3\"", " tokenratein=\"1,2\"",
                                       " initialtokens=\"1\" value=\"&#9;00\""};
    const char *attributes = rest[draw(4)];
    if (draw(2)) {
        fprintf(out, "<channel%s from=\"P%d[i].o%d\" to=\"P%d[%s].i%d\"%s",
                draw(2) ? "" : " type=\"int\"", from, from, to, draw(3) ? "i" : "(i+1)%2", number,
                attributes);
        fprintf(out, draw(2) ? " name=\"c%d[i]\"/>\n" : "/>\n", number);
        return;
    }
    fprintf(out, "<sw_channel name=\"c%d\"%s>", number, attributes);
    draw_comment(out);
    fputs("<append function=\"i\"/><port type=\"input\" name=\"in\"/>\n", out);
    fputs("<port type=\"output\" name=\"out\"/></sw_channel>\n", out);
    draw_comment(out);
    draw_sides(out, from, to, number);
}

static void draw_network(void)
{
    int processes = 1 + draw(3), channels = draw(4);
    FILE *out = fopen(drawn, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    comments = 0;
    draw_comment(out);
    fputs("<processnetwork name=\"drawn\">\n", out);
    draw_comment(out);
    fputs("<iterator variable=\"i\" range=\"2\">\n", out);
    for (int i = 0; i < processes; i++) {
        draw_comment(out);
        draw_process(out, i);
    }
    for (int i = 0; i < channels; i++) {
        draw_comment(out);
        draw_channel(out, draw(processes), draw(processes), i);
    }
    draw_comment(out);
    fputs("</iterator></processnetwork>\n", out);
    draw_comment(out);
    CU_ASSERT_EQUAL(fclose(out), 0);
}

/* Are all comments in both forms? */
static void keeps_comments(int seed)
{
    char *both[] = {convert(dal_network_shorten, drawn), convert(dal_network_expand, drawn)};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < comments; k++) {
            char text[32];
            snprintf(text, sizeof(text), "<!-- comment %d. -->", k);
            if (!strstr(both[i], text))
                printf("\nnetwork %d: comment %d is lost", seed, k);
            CU_ASSERT_PTR_NOT_NULL(strstr(both[i], text));
        }
        dal_free(both[i]);
    }
}

static void test_drawn(void)
{
    int good = 0;
    for (int seed = 0; good < 300 && seed < 3000; seed++) {
        chance = (unsigned long long)seed * 1000003 + 1;
        draw_network();
        if (!try_network(drawn))
            continue;
        good++;
        keeps_comments(seed);
    }
    CU_ASSERT_EQUAL(good, 300);
    unlink(written);
    unlink(drawn);
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
        {"networks by chance", test_drawn},
        {"comments and layout", test_text},
        {"memory that runs out", test_memory},
    };
    return run_suite("short", tests, sizeof(tests) / sizeof(tests[0]));
}
