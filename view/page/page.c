#include "view/page/page.h"

/* ISO C limits literals, but compilers in use do not. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

static const char css[] =
#include "view/page/page_css.inc"
    ;
static const char body[] =
#include "view/page/page_html.inc"
    ;
static const char promises[] =
#include "view/page/promises_js.inc"
    ;
static const char run[] =
#include "view/page/run_js.inc"
    ;
static const char script[] =
#include "view/page/page_js.inc"
    ;
static const char elk[] =
#include "view/page/elk_api_js.inc"
    ;
static const char elk_worker[] =
#include "view/page/elk_worker_js.inc"
    ;

/* Writes JSON within <script>, so that no '<' in it can end the element. */
static void write_data(FILE *file, const char *json)
{
    for (; *json; json++) {
        if (*json == '<')
            fputs("\\u003c", file);
        else
            putc(*json, file);
    }
}

void dal_page_write(FILE *file, const char *json)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "script-src 'unsafe-inline' blob:; worker-src blob:; "
          "style-src 'unsafe-inline'; connect-src 'self'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n"
          "<title>dalview</title>\n<style>\n",
          file);
    fputs(css, file);
    fputs("</style>\n</head>\n<body>\n", file);
    fputs(body, file);
    fputs("<script type=\"application/json\" id=\"picture\">", file);
    write_data(file, json);
    fputs("</script>\n<script type=\"text/plain\" id=\"elk-worker\">", file);
    fputs(elk_worker, file);
    fputs("</script>\n<script>", file);
    fputs(elk, file);
    fputs("</script>\n<script>\n", file);
    fputs(promises, file);
    fputs("</script>\n<script>\n", file);
    fputs(run, file);
    fputs("</script>\n<script>\n", file);
    fputs(script, file);
    fputs("</script>\n</body>\n</html>\n", file);
}
