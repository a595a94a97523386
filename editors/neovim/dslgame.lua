-- Neovim: put this file into ~/.config/nvim/plugin/. Needs `pip install 'dslgame[editors]'`.
-- vim.g.dslgame_command may name another command, such as { "/path/to/.venv/bin/dslgame", "lsp" }.
-- vim.g.dslgame_grammars may name the folder that editors/tree-sitter/build.py writes: colours and folding from there.

local pattern = { "dslgame", "dslgame-pattern" }

vim.cmd([[autocmd BufRead,BufNewFile *.game setfiletype dslgame]])
vim.cmd([[autocmd BufRead,BufNewFile *.pattern setfiletype dslgame-pattern]])

local function start_tree_sitter(buffer, folder)
  local filetype = vim.bo[buffer].filetype
  local language = filetype:gsub("-", "_")
  local place = vim.fn.expand(folder) .. "/" .. language
  local queries = require("vim.treesitter.query")
  if vim.treesitter.language and vim.treesitter.language.add then
    vim.treesitter.language.add(language, { path = place .. "/parser.so" })
    vim.treesitter.language.register(language, filetype)
  else -- Neovim 0.7 and 0.8
    require("vim.treesitter.language").require_language(language, place .. "/parser.so")
  end
  for _, name in ipairs({ "highlights", "folds" }) do
    local text = table.concat(vim.fn.readfile(place .. "/queries/" .. name .. ".scm"), "\n")
    local set = queries.set or queries.set_query
    set(language, name, text)
  end
  if vim.treesitter.start then
    vim.treesitter.start(buffer, language)
  else -- Neovim 0.7
    vim.treesitter.highlighter.new(vim.treesitter.get_parser(buffer, language))
  end
  if vim.treesitter.foldexpr then
    vim.wo.foldmethod = "expr"
    vim.wo.foldexpr = "v:lua.vim.treesitter.foldexpr()"
    vim.wo.foldenable = false -- zi folds
  end
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = pattern,
  callback = function(event)
    vim.bo[event.buf].commentstring = "# %s"
    vim.bo[event.buf].shiftwidth = 4
    vim.bo[event.buf].expandtab = true
    local options = {
      name = "dslgame",
      cmd = vim.g.dslgame_command or { "dslgame", "lsp" },
      root_dir = vim.fn.fnamemodify(event.file, ":p:h"),
    }
    if vim.g.dslgame_grammars then
      start_tree_sitter(event.buf, vim.g.dslgame_grammars)
    end
    if vim.lsp.start then
      vim.lsp.start(options)
    else -- Neovim 0.7
      vim.lsp.buf_attach_client(event.buf, vim.lsp.start_client(options))
    end
  end,
})
