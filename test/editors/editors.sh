#!/usr/bin/env bash
# dal lsp in editors: Neovim and Emacs (eglot), without a screen; and the extension for Visual Studio Code, as far as it can be
# seen without one.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$source"/apps/hello/*.{xml,c,cl} .
chmod u+w ./* # those of a release may only be read
sed -i 's/Square\.in/Sqare.in/' hello.xml
export DAL=$build/tools/dal RESULT=$work/result NETWORK=$work/hello.xml HOME=$work XDG_CONFIG_HOME=$work
missing=

# edit EDITOR COMMAND...: it runs, and writes what it has found.
edit() {
    local editor=$1
    shift
    rm -f result
    timeout 300 "$@" >log 2>&1 </dev/null || [ $? -ne 77 ] || { missing+=" $editor"; return 0; }
    [ "$(cat result 2>/dev/null)" = right ] || fail "$editor" result log
    passed=$((passed + 1))
}

if command -v nvim >/dev/null; then
    edit neovim nvim --headless -u NONE -i NONE -n hello.xml -c "luafile $source/test/editors/neovim.lua"
else
    missing+=' neovim'
fi
if command -v emacs >/dev/null; then
    edit eglot emacs --batch -Q -l "$source/test/editors/emacs.el"
else
    missing+=' emacs'
fi
if command -v node >/dev/null; then
    node --check "$source/editors/vscode/extension.js" >log 2>&1 || fail "extension.js" log
    node -e 'JSON.parse(require("fs").readFileSync(process.argv[1]))' "$source/editors/vscode/package.json" || fail "package.json"
    passed=$((passed + 1))
else
    missing+=' nodejs'
fi
[ $passed -gt 0 ] || skip "these are missing:$missing"
echo "$passed editors${missing:+; these are missing:$missing}"
