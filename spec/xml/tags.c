#include "spec/xml/tags.h"

#include <string.h>

/* A text, read before libxml sees it. Zero bytes, as in UTF-16, are skipped. */
struct scan {
    const char *at, *end;
    int line, has_zeros;
};

/* Returns the next byte, or -1 at the end. */
static int next_byte(struct scan *scan)
{
    int byte = 0;
    while (scan->at < scan->end && !(byte = (unsigned char)*scan->at++))
        scan->has_zeros = 1;
    scan->line += byte == '\n';
    return byte ? byte : -1;
}

/* Moves behind a mark of up to three bytes. */
static void pass_mark(struct scan *scan, const char *mark)
{
    size_t length = strlen(mark);
    char last[3] = {0};
    int byte;
    while ((byte = next_byte(scan)) >= 0) {
        last[0] = last[1];
        last[1] = last[2];
        last[2] = (char)byte;
        if (memcmp(last + 3 - length, mark, length) == 0)
            return;
    }
}

/* Counts attributes up to the end of a tag, at most one more than `most`. With zero bytes a
 * quotation mark may be half a letter: then the text in values counts, too. */
static int count_attributes(struct scan *scan, int byte, int most)
{
    int count = 0, quote = 0;
    for (; byte >= 0 && (byte != '>' || quote) && count <= most; byte = next_byte(scan)) {
        count += byte == '=' && !quote;
        if (quote ? byte == quote : byte == '"' || byte == '\'')
            quote = quote || scan->has_zeros ? 0 : byte;
    }
    return count;
}

/* Moves behind a tag, a comment or the like; its `<` has been passed. Returns how many attributes
 * it has. */
static int pass_tag(struct scan *scan, int most)
{
    int byte = next_byte(scan);
    if (byte == '?') {
        pass_mark(scan, "?>");
        return 0;
    }
    if (byte != '!')
        return count_attributes(scan, byte, most);
    byte = next_byte(scan);
    if (byte == '-' && next_byte(scan) == '-')
        pass_mark(scan, "-->");
    else if (byte == '[')
        pass_mark(scan, "]]>");
    return 0;
}

int dal__tags_crowded(const char *text, size_t bytes, int most)
{
    struct scan scan = {.at = text, .end = text + bytes, .line = 1};
    int byte;
    while ((byte = next_byte(&scan)) >= 0) {
        int line = scan.line;
        if (byte == '<' && pass_tag(&scan, most) > most)
            return line;
    }
    return 0;
}
