-- Links to the .md files that are pages of the site lead to the .html files; others lead to nothing and are plain text.
local pages = os.getenv("DAL_PAGES") or ""
local source = os.getenv("DAL_PAGE") or "" -- this file, below the top folder

local function resolve(target)
    local parts = {}
    for part in (source:match("(.*/)") or ""):gmatch("[^/]+") do parts[#parts + 1] = part end
    for part in target:gmatch("[^/]+") do
        if part == ".." then table.remove(parts)
        elseif part ~= "." then parts[#parts + 1] = part end
    end
    return table.concat(parts, "/")
end

function Link(link)
    if link.target:match("^%a+:") or link.target:match("^#") then return link end
    local file = resolve(link.target:gsub("#.*", ""))
    if not (" " .. pages .. " "):find(" " .. file .. " ", 1, true) then return link.content end
    link.target = link.target:gsub("README%.md", "index.html"):gsub("%.md", ".html")
    return link
end
