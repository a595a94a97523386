-- Neovim: put this file into ~/.config/nvim/plugin/. Needs `pip install 'dslgame[editors]'`.
-- vim.g.dslgame_command may name another command, such as { "/path/to/.venv/bin/dslgame", "lsp" }.

local pattern = { "dslgame", "dslgame-pattern" }

vim.cmd([[autocmd BufRead,BufNewFile *.game setfiletype dslgame]])
vim.cmd([[autocmd BufRead,BufNewFile *.pattern setfiletype dslgame-pattern]])

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
    if vim.lsp.start then
      vim.lsp.start(options)
    else -- Neovim 0.7
      vim.lsp.buf_attach_client(event.buf, vim.lsp.start_client(options))
    end
  end,
})
