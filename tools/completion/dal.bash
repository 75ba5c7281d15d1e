# Completion of dal, dalsynth, dalmap, dalview, dalinfo and dalbench for bash. complete.sh, which is installed with them, knows what
# may stand where.
# shellcheck shell=bash

_dal()
{
    local words=() word line list kind current breaks here
    local -i i

    # bash parts words at = here, they are whole there.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i > 1)) && [[ $word == = || ${COMP_WORDS[i - 1]} == = ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
    done
    here=$(readlink -f -- "$(type -P -- "${words[0]}")") || return 0
    here=${here%/*}/../share/dal/complete.sh
    [ -r "$here" ] || return 0
    list=$(sh "$here" "${words[@]}" 2>/dev/null)
    kind=${list%%$'\n'*}
    current=${words[${#words[@]} - 1]}
    breaks=
    [[ $COMP_WORDBREAKS != *=* || $current != *=* ]] || breaks=${current%=*}=
    COMPREPLY=()
    case $kind in
    files)
        compopt -o filenames 2>/dev/null
        while read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "${current#*=}")
        ;;
    xml)
        compopt -o filenames 2>/dev/null
        while read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -X '!*.xml' -- "$current" && true; compgen -d -- "$current")
        ;;
    words | words+)
        while read -r line; do
            [ -z "$line" ] || COMPREPLY+=("$(printf %q "${line#"$breaks"}")")
        done < <(tail -n +2 <<<"$list")
        [ "$kind" = words ] || [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
        ;;
    esac
    return 0
}

complete -F _dal dal dalsynth dalmap dalview dalinfo dalbench
