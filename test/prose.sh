# The sentences of texts, for test/style.sh and test/manual/manual.sh, which read it.
# shellcheck shell=bash

# prose FILE: its sentences, a line each; without code, tables, headings and the addresses of links.
prose() {
    awk '
        function flush() { if (text != "") print text; text = "" }
        /^```/ { flush(); code = !code; next }
        code || /^    / && text == "" || /^\|/ || /^#/ || /^!\[/ { next }
        /^[[:blank:]]*$/ { flush(); next }
        /^ *([-*]|[0-9]+\.) / { flush() }
        { sub(/^ *([-*]|[0-9]+\.) /, ""); text = text " " $0 }
        END { flush() }' "$1" |
        sed -E 's/`[^`]*`/code/g; s/\]\([^)]*\)//g; s/[][*]//g; s/([.!?])( |$)/\1\n/g'
}

# prose_of_page FILE: the same of a manual page in mdoc. A macro's arguments are words; examples, lists of names and the
# synopsis are left out.
prose_of_page() {
    awk '
        function flush() { if (text != "") print text; text = "" }
        /^\.Bd/ { flush(); example = 1 }
        /^\.Ed/ { example = 0; next }
        example { next }
        /^\.Sh/ { flush(); example = 0; synopsis = /SYNOPSIS|NAME|SEE ALSO/; next }
        synopsis || /^\.\\"/ { next }
        /^\.(Ql|Ss|Pp|It|Bl|El|Dl|D1|Dd|Dt|Os|Fn|Fo|Fc|Fa|Ft|In)( |$)/ { flush(); next }
        /^\./ { sub(/^\.[A-Z][a-z0-9]? /, ""); gsub(/(^| )(Ns|Pq|Dq|Sq|Xr|Li|Va|Ic|Fl|Ar|Ev|Pa|Em|Sy|Nm|No)( |$)/, " "); text = text " " $0; next }
        { text = text " " $0 }
        END { flush() }' "$1" |
        sed -E 's/ +([.,:;)]+)( |$)/\1\2/g; s/([.!?])( |$)/\1\n/g'
}

# long_sentences NAME: says which lines of standard input have more than 25 words.
long_sentences() {
    awk -v name="$1" 'NF > 25 { print name ": a sentence of " NF " words: " $0 }'
}
