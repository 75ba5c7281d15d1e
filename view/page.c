#include "view/picture.h"

#include <string.h>

/* ISO C has a limit for literals that no compiler in use has. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

static const char css[] =
#include "view/page_css.inc"
    ;
static const char body[] =
#include "view/page_html.inc"
    ;
static const char script[] =
#include "view/page_js.inc"
    ;
static const char elk[] =
#include "view/elk_api_js.inc"
    ;
static const char elk_worker[] =
#include "view/elk_worker_js.inc"
    ;

/* JSON within <script>: no '<' in it can end the element. */
static void add_data(struct dal_text *page, const char *json)
{
    while (*json) {
        size_t plain = strcspn(json, "<");
        dal_text_add_bytes(page, json, plain);
        json += plain;
        if (*json == '<') {
            dal_text_add(page, "\\u003c");
            json++;
        }
    }
}

void dal_picture_page(const char *json, struct dal_text *page)
{
    dal_text_add(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "script-src 'unsafe-inline' blob:; worker-src blob:; "
                       "style-src 'unsafe-inline'\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width\">\n"
                       "<title>dalview</title>\n<style>\n");
    dal_text_add(page, css);
    dal_text_add(page, "</style>\n</head>\n<body>\n");
    dal_text_add(page, body);
    dal_text_add(page, "<script type=\"application/json\" id=\"picture\">");
    add_data(page, json);
    dal_text_add(page, "</script>\n<script type=\"text/plain\" id=\"elk-worker\">");
    dal_text_add(page, elk_worker);
    dal_text_add(page, "</script>\n<script>");
    dal_text_add(page, elk);
    dal_text_add(page, "</script>\n<script>\n");
    dal_text_add(page, script);
    dal_text_add(page, "</script>\n</body>\n</html>\n");
}
