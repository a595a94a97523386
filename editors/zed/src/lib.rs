//! Starts `dslgame lsp`: the program of the folder that is open, else that of the shell.

use zed_extension_api::{self as zed, settings::LspSettings, Command, LanguageServerId, Result, Worktree};

struct Extension;

impl zed::Extension for Extension {
    fn new() -> Self {
        Extension
    }

    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let chosen = LspSettings::for_worktree(server.as_ref(), worktree)
            .ok()
            .and_then(|settings| settings.binary)
            .and_then(|binary| binary.path);
        let command = chosen
            .or_else(|| worktree.which("dslgame"))
            .ok_or("dslgame is not found: pip install 'dslgame[editors]', or set lsp.dslgame.binary.path")?;
        Ok(Command { command, args: vec!["lsp".into()], env: worktree.shell_env() })
    }
}

zed::register_extension!(Extension);
