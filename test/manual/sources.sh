#!/usr/bin/env bash
# doc/explanation/sources.md is true and whole. In its tables of what each part of a source has to do with this code, all that
# stands in such type is there: files, functions in the files of their row, elements, attributes, commands, variables. And
# input/sources lists the parts of the sources: each stands in a row.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

page=$source/doc/explanation/sources.md
pages=$source/doc/man
schemas=("$source"/spec/schemas/*.xsd)

# Rows of these tables: the source's key, the part, the whole row, with a tab between.
awk '
    /^## / { key = "" }
    /^What each part of / { key = $5 " " $6 }
    key != "" && /^\| / && !/^\| (---|part|section|section, figure, equation) \|/ {
        part = $0
        sub(/^\| /, "", part)
        sub(/ \|.*/, "", part)
        print key "\t" part "\t" $0
    }' "$page" >rows
[ "$(wc -l <rows)" -ge 100 ] || fail "doc/explanation/sources.md has hardly any rows" rows

# ---- names --------------------------------------------------------------------------------------------------------------

sed -n 's/^to come: //p' "$input/sources" >to_come

# in_files PATTERN: is it in one of the row's files?
in_files() {
    [ ${#files[@]} -gt 0 ] && grep -rqE -- "$1" "${files[@]}"
}

# in_schemas NAME...: is each an element or an attribute?
in_schemas() {
    local name
    for name; do
        grep -qE "<xs:(element|attribute) name=\"$name\"" "${schemas[@]}" || return 1
    done
}

# is_command PROGRAM [WORD...]: has it a page with these verbs, experiments and options?
is_command() {
    local man=$pages/$1.1 word
    shift
    [ -e "$man" ] || return 1
    for word; do
        case $word in
        --*) grep -qE "^\.It Fl ([a-zA-Z] , Fl )?-${word#--}( |$)" "$man" ;;
        *) grep -qE "^\.(Ss|It Cm|Cm) $word( ,)?$" "$man" ;;
        esac || return 1
    done
}

# is_there TEXT: is what a row calls by this text anywhere?
is_there() {
    local text=$1 words
    case $text in
    cl[A-Z]* | CL_[A-Z]*) true ;; # OpenCL's
    '<'*'>')
        read -ra words <<<"${text//[<>]/}"
        in_schemas "${words[@]}"
        ;;
    *=\"*\") in_schemas "${text%%=*}" && grep -qF "\"$(cut -d '"' -f 2 <<<"$text")\"" "${schemas[@]}" ;;
    *'()') in_files "(^|[^A-Za-z0-9_])${text%'()'} ?\\(" ;;
    dal | dal\ * | dal[a-z]* )
        read -ra words <<<"$text"
        is_command "${words[@]}"
        ;;
    */*) false ;; # a file would have been found
    DAL_[A-Z]*) grep -qE "^\.It Ev $text$" "$pages/dal-program.7" || in_files "(^|[^A-Za-z0-9_])$text([^A-Za-z0-9_]|$)" ;;
    *[!A-Za-z0-9_]*) false ;;
    *) in_schemas "$text" || in_files "(^|[^A-Za-z0-9_])$text([^A-Za-z0-9_]|$)" ;;
    esac
}

named=0
while IFS=$'\t' read -r key part row; do
    files=()
    others=()
    while read -r text; do
        named=$((named + 1))
        if [[ $text =~ ^[A-Za-z0-9_.]+(/[A-Za-z0-9_.-]+)*$ ]] && [ -e "$source/$text" ]; then
            files+=("$source/$text")
        elif ! grep -qxF -e "$text" to_come; then
            others+=("$text")
        fi
    done < <(grep -oE '`[^`]+`' <<<"$row" | tr -d '`')
    for text in "${others[@]}"; do
        is_there "$text" || echo "$key, $part: '$text' is nowhere, or not in the files of its row"
    done
done <rows >wrong
[ ! -s wrong ] || fail "doc/explanation/sources.md names what is not there" wrong
# Files that the other tables name.
grep -oE '`[A-Za-z0-9_.]+(/[A-Za-z0-9_.-]+)+`' "$page" | tr -d '`' | sort -u | while read -r name; do
    [ -e "$source/$name" ] || echo "$name"
done >wrong
[ ! -s wrong ] || fail "doc/explanation/sources.md names files that are not there" wrong

# ---- parts --------------------------------------------------------------------------------------------------------------

# Of the list: KEY: KIND NUMBER... Of a row: "sections 4.1 to 4.3, figure 4.2"; "chapter 2" is all sections of it.
awk -F '\t' '
    function add(key, kind, number) {
        if (kind == "chapter")
            chapters[key "\t" number] = 1
        told[key "\t" (kind == "chapter" ? "section" : kind) "\t" number] = 1
    }
    function end_of(number) { sub(/.*[.]/, "", number); return number }
    function head_of(number) { return number ~ /[.]/ ? substr(number, 1, length(number) - length(end_of(number))) : "" }
    function singular(word) { sub(/s$/, "", word); return word == "appendix" ? "chapter" : word }
    function take_part(key, part, words, count, i, n, kind, last, range) {
        gsub(/,/, " ", part)
        count = split(part, words, " ")
        kind = "section"
        for (i = 1; i <= count; i++) {
            if (words[i] == "to") {
                range = 1
            } else if (words[i] ~ /^([0-9]+|[A-Z])([.][0-9]+)*$/) {
                for (n = end_of(last) + 1; range && n < end_of(words[i]) + 0; n++)
                    add(key, kind, head_of(words[i]) n)
                add(key, kind, words[i])
                last = words[i]
                range = 0
            } else if (words[i] ~ /^(section|chapter|figure|table|equation|algorithm|formula)s?$|^appendix$/) {
                kind = singular(words[i])
            }
        }
    }
    function is_told(key, kind, number) {
        if ((key "\t" kind "\t" number) in told)
            return 1
        if (kind != "section")
            return 0
        sub(/[.].*/, "", number)
        return (key "\t" number) in chapters
    }
    FILENAME == "rows" { take_part($1, $2); next }
    /^(#|to come:|$)/ { next }
    {
        key = kind = $0
        sub(/:.*/, "", key)
        sub(/.*: */, "", kind)
        count = split(kind, words, " ")
        for (i = 2; i <= count; i++) {
            listed++
            if (!is_told(key, words[1], words[i]))
                print key ": no row has " words[1] " " words[i]
        }
    }
    END { if (listed < 200) print "hardly anything is listed: " listed + 0 }' rows "$input/sources" >wrong
[ ! -s wrong ] || fail "doc/explanation/sources.md leaves out parts" wrong
echo "$(wc -l <rows) rows, $named names, $(wc -l <to_come) of them to come"
