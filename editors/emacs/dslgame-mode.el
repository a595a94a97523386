;;; dslgame-mode.el --- Rules of board games  -*- lexical-binding: t -*-
;; Emacs 29, or 28 with the package eglot: put this file on the load path, and (require 'dslgame-mode). Needs `pip install 'dslgame[editors]'`.
;; Colours of names come from the server where eglot shows semantic tokens.

(require 'eglot)

(define-derived-mode dslgame-mode prog-mode "Game"
  "For .game and .pattern files of dslgame."
  (setq-local comment-start "# ")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil)
  (setq-local tab-width 4)
  (modify-syntax-entry ?# "<" dslgame-mode-syntax-table)
  (modify-syntax-entry ?\n ">" dslgame-mode-syntax-table)
  (modify-syntax-entry ?_ "w" dslgame-mode-syntax-table))

(add-to-list 'auto-mode-alist '("\\.game\\'" . dslgame-mode))
(add-to-list 'auto-mode-alist '("\\.pattern\\'" . dslgame-mode))
(add-to-list 'eglot-server-programs '(dslgame-mode . ("dslgame" "lsp")))
(add-hook 'dslgame-mode-hook #'eglot-ensure)

(provide 'dslgame-mode)
;;; dslgame-mode.el ends here
