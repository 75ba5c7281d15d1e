-- Neovim with dal lsp: a message appears, a hover answers, and the message goes when the text is right. Writes "right" to $RESULT.
local function say(text)
    local file = io.open(os.getenv("RESULT"), "w")
    file:write(text)
    file:close()
    vim.cmd("qall!")
end
local function work()
    local client = vim.lsp.start_client({ name = "dal", cmd = { os.getenv("DAL"), "lsp" }, root_dir = vim.fn.getcwd() })
    vim.lsp.buf_attach_client(0, client)
    assert(vim.wait(60000, function() return #vim.diagnostic.get(0) == 1 end, 20), "no message")
    local message = vim.diagnostic.get(0)[1]
    assert(message.code == "unknown-process" and message.message:find("Sqare"), vim.inspect(message))
    local line = vim.api.nvim_buf_get_lines(0, message.lnum, message.lnum + 1, true)[1]
    vim.api.nvim_buf_set_lines(0, message.lnum, message.lnum + 1, true, { (line:gsub("Sqare", "Square")) })
    assert(vim.wait(60000, function() return #vim.diagnostic.get(0) == 0 end, 20), "the message stays")
    local at = vim.fn.search('name="Square"')
    vim.api.nvim_win_set_cursor(0, { at, (vim.fn.getline(at):find("Square")) })
    local function ask(method)
        local answers = vim.lsp.buf_request_sync(0, method, vim.lsp.util.make_position_params(0, "utf-16"), 60000)
        return answers and answers[client] and answers[client].result
    end
    local hover
    assert(vim.wait(60000, function() hover = ask("textDocument/hover") return type(hover) == "table" end, 50), "no hover")
    assert(hover.contents.value:find("firings"), vim.inspect(hover))
    local definition = ask("textDocument/definition")
    assert(definition and (definition.uri or definition[1].uri):find("square"), vim.inspect(definition))
    vim.lsp.stop_client(client)
end
local ok, why = pcall(work)
say(ok and "right" or why)
