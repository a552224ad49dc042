;;; idewire.el --- Editor for coding agents such as Claude Code  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Author: The authors of idewire
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, convenience
;; URL: https://github.com/idewire/idewire

;;; Commentary:

;; `idewire-mode' makes Emacs the editor of the coding agents in its folder: they see the selection, propose
;; changes that are reviewed in Ediff, and read the diagnostics of Flymake or Flycheck.  It needs the command
;; `idewire', which comes by `npm install -g idewire' with this file.
;;
;;   (use-package idewire
;;     :load-path "…/idewire/editors/emacs"
;;     :config (idewire-mode 1))
;;
;; One file, although it is long: `package-install-file' and a plain `load-file' need nothing else.

;;; Code:

(require 'cl-lib)
(require 'project)
(require 'subr-x)

(defgroup idewire nil
  "Connects Emacs with coding agents."
  :group 'tools
  :prefix "idewire-")

(defcustom idewire-command '("idewire")
  "The command `idewire', as a list of the program and its first arguments."
  :type '(repeat string))

(defcustom idewire-folders nil
  "The folders that agents find this Emacs by.
A list of them, or a function without arguments that returns one.
By default these are the roots of the projects of open files,
and the directory that Emacs was started in if it has open files.
The home directory and / are never shared."
  :type '(choice (const :tag "Of the projects" nil) (repeat directory) function))

(defcustom idewire-share 'selection
  "How much is shared with agents: `off', `path', `selection' or `all'.
The function `idewire-share' changes it at any time."
  :type '(choice (const off) (const path) (const selection) (const all)))

(defcustom idewire-exclude nil
  "Files that agents may not see, as patterns of a .gitignore."
  :type '(repeat string))

(defcustom idewire-review-function #'idewire-review-ediff
  "Shows a proposed change.
With nil, agents ask in their own terminal.  A function of your own
is called in the main window of the frame with the buffers of the
old and of the proposed text.  What it shows besides, it may put
into buffers whose variable `idewire-review-of' is that of the
second one."
  :type '(choice (const :tag "Ediff" idewire-review-ediff)
                 (const :tag "Two windows, and the differences in a third" idewire-review-diff)
                 (const :tag "In the terminal of the agent" nil)
                 function))

(defcustom idewire-run-agent "claude"
  "The agent of `idewire-run', as `idewire run' names it."
  :type 'string)

(defcustom idewire-run-direction 'right
  "Where `idewire-run' opens the terminal."
  :type '(choice (const right) (const left) (const below) (const above)))

(defcustom idewire-run-size 0.4
  "The part of the frame that the terminal of `idewire-run' takes."
  :type 'number)

(defcustom idewire-diff-opened-hook nil
  "Functions that are called with the plist of a proposed change."
  :type 'hook)

(defcustom idewire-diff-closed-hook nil
  "Functions that are called with the plist of a change that has ended."
  :type 'hook)

(defconst idewire--version "0.1.0"
  "The version of this package: the command has to be of the same.")

(defconst idewire--max-bytes (* 16 1024 1024)
  "A larger file is not sent.")

(defconst idewire--max-units 100001
  "The limit of a selected text that is sent; idewire shares one less.")

(defconst idewire--interval 0.05
  "Seconds between two states.")

(defconst idewire--max-pause 30
  "The longest pause before the host is started again, in seconds.")

(defvar idewire-mode)
(defvar idewire--process nil "The process of idewire, or nil.")
(defvar idewire--state 'off "The member :state of `idewire-status'.")
(defvar idewire--message "" "The member :message of `idewire-status'.")
(defvar idewire--agents nil "The connected agents, as idewire describes them.")
(defvar idewire--pending nil "The changes that wait, oldest first, as `idewire--diff'.")

(cl-defstruct (idewire--diff (:copier nil))
  "A change that waits for the person."
  id path old-path agent proposed outside version answer buffer old-buffer
  (state 'waiting) layout tab)

(defun idewire--notice (format-string &rest arguments)
  "Show one line: FORMAT-STRING with ARGUMENTS."
  (let ((text (replace-regexp-in-string "[\n\r]+" " " (apply #'format format-string arguments))))
    (message "%s" (truncate-string-to-width (concat "idewire: " text)
                                            (max 20 (* 3 (frame-width)))))))

(defmacro idewire--guarded (&rest body)
  "Run BODY; an error becomes a notice, for Emacs would pause after one in a timer."
  (declare (indent 0) (debug t))
  `(condition-case problem
       (progn ,@body)
     (error (idewire--notice "%s" (error-message-string problem)) nil)))

;;;; Paths and buffers

(defun idewire--real (path)
  "PATH without links and final slash; of a missing file the nearest directory's."
  (let ((real (file-truename (expand-file-name path))))
    (if (string= real "/") real (directory-file-name real))))

(defun idewire--inside-p (path folder)
  "Whether PATH is FOLDER or below it."
  (or (string= path folder) (string-prefix-p (file-name-as-directory folder) path)))

(defun idewire--short (path)
  "PATH for a notice, without the folder that has it."
  (let ((folder (seq-find (lambda (each) (idewire--inside-p path each)) (idewire--list-folders))))
    (if folder (file-relative-name path folder) (abbreviate-file-name path))))

(defun idewire--version (path)
  "Return the time, size and inode of the file at PATH; nil without a file."
  (when-let ((attributes (file-attributes path)))
    (list (file-attribute-modification-time attributes) (file-attribute-size attributes)
          (file-attribute-inode-number attributes))))

(defvar-local idewire--known-path nil
  "The name of the buffer's file, its size in blocks, and the real path or nil.")

(defun idewire--binary-p ()
  "Whether the current buffer is binary."
  (or (not enable-multibyte-characters)
      (save-excursion
        (save-restriction
          (widen)
          (goto-char (point-min))
          (search-forward "\0" (min (point-max) 100000) t)))))

(defun idewire--path (&optional buffer)
  "The real path of the text file in BUFFER; nil for any other buffer."
  (with-current-buffer (or buffer (current-buffer))
    (when (and buffer-file-name
               (<= (buffer-size) idewire--max-bytes)
               (not (file-remote-p buffer-file-name)))
      (let ((key (cons buffer-file-name (/ (buffer-size) 4096))))
        (unless (equal (car idewire--known-path) key)
          (setq idewire--known-path
                (cons key (unless (idewire--binary-p) (idewire--real buffer-file-name)))))
        (cdr idewire--known-path)))))

(defun idewire--find (path)
  "The buffer of the file at the real PATH."
  (seq-find (lambda (buffer) (equal (idewire--path buffer) path)) (buffer-list)))

(defun idewire--load (path)
  "The buffer of the file at PATH, without a question."
  (or (idewire--find path)
      (let ((enable-local-variables :safe)
            (enable-local-eval nil)
            (vc-follow-symlinks t)
            (large-file-warning-threshold nil)
            (find-file-wildcards nil))
        (find-file-noselect path 'nowarn))))

(defvar vc-follow-symlinks)

(defun idewire--message-p (path)
  "Whether the file at PATH is the message of a commit."
  (string-match-p "\\(?:COMMIT_EDITMSG\\|MERGE_MSG\\|TAG_EDITMSG\\|git-rebase-todo\\)\\'" path))

(defvar idewire--roots (make-hash-table :test #'equal)
  "The folders of directories, as `idewire--root' found them since the last start.")

(defun idewire--find-root (directory)
  "The project of DIRECTORY, or where Emacs was started; a real path or nil."
  (let ((project (ignore-errors (project-current nil directory)))
        (start (idewire--real command-line-default-directory)))
    (cond (project (idewire--real (project-root project)))
          ((idewire--inside-p directory start) start))))

(defun idewire--root (path)
  "The folder that the file at PATH belongs to, or nil."
  (let* ((directory (file-name-directory path))
         (known (gethash directory idewire--roots 'unknown)))
    (if (eq known 'unknown)
        (puthash directory (idewire--find-root directory) idewire--roots)
      known)))

(defun idewire--project-folders ()
  "The folders of the open files."
  (delq nil (mapcar (lambda (buffer)
                      (when-let ((path (idewire--path buffer)))
                        (unless (idewire--message-p path)
                          (idewire--root path))))
                    (reverse (buffer-list)))))

(defun idewire--list-folders ()
  "The real paths of the folders, each once."
  (let ((home (idewire--real "~"))
        (found (delete-dups
                (copy-sequence (cond ((functionp idewire-folders) (funcall idewire-folders))
                                     (idewire-folders)
                                     (t (idewire--project-folders)))))))
    (delete-dups (seq-remove (lambda (folder) (member folder (list home "/")))
                             (mapcar #'idewire--real (seq-remove #'file-remote-p found))))))

(defun idewire--demand-inside (path)
  "Raise an error unless the real PATH is in a folder."
  (unless (seq-some (lambda (folder) (idewire--inside-p path folder)) (idewire--list-folders))
    (error "%s is outside the workspace folders, or a link leads it there" path)))

;;;; Text and positions

(defconst idewire--unwritable "[\x3fff80-\x3fffff\xd800-\xdfff]"
  "Characters that JSON cannot contain: raw bytes and halves of surrogate pairs.")

(defun idewire--clean (text)
  "TEXT as valid JSON text, without properties."
  (let ((plain (substring-no-properties text)))
    (when (and (not (multibyte-string-p plain)) (string-match-p "[^\0-\177]" plain))
      (setq plain (string-to-multibyte plain)))
    (if (string-match-p idewire--unwritable plain)
        (replace-regexp-in-string idewire--unwritable "\xfffd" plain t t)
      plain)))

(defun idewire--ends ()
  "How lines of the current buffer end in its file."
  (pcase (and buffer-file-coding-system (coding-system-eol-type buffer-file-coding-system))
    (1 "\r\n")
    (2 "\r")
    (_ "\n")))

(defun idewire--whole-text ()
  "The text of the current buffer as its file would have it."
  (save-restriction
    (widen)
    (let ((text (buffer-substring-no-properties (point-min) (point-max)))
          (ends (idewire--ends)))
      (concat (when (and buffer-file-coding-system
                         (string-match-p "with-signature" (symbol-name buffer-file-coding-system)))
                "\xfeff")
              (if (string= ends "\n") text (string-replace "\n" ends text))))))

(defun idewire--file-text (path)
  "The text of the file at PATH, to the byte; an error if it is none."
  (let ((attributes (file-attributes path)))
    (cond ((null attributes) (error "%s: there is no such file" path))
          ((file-directory-p path) (error "%s is not a file" path))
          ((not (file-regular-p path)) (error "%s is not a regular file" path))
          ((> (file-attribute-size attributes) idewire--max-bytes)
           (error "%s has %d bytes; at most %d are read"
                  path (file-attribute-size attributes) idewire--max-bytes)))
    (with-temp-buffer
      (set-buffer-multibyte nil)
      (insert-file-contents-literally path)
      (when (search-forward "\0" nil t)
        (error "%s is not a text file" path))
      (decode-coding-string (buffer-string) 'utf-8-unix))))

(defun idewire--units (from to)
  "The UTF-16 units between the positions FROM and TO."
  (let ((characters (- to from)))
    (if (= characters (- (position-bytes to) (position-bytes from)))
        characters
      (save-excursion
        (goto-char from)
        (while (re-search-forward "[\x10000-\x10ffff]" to t)
          (setq characters (1+ characters)))
        characters))))

(defun idewire--position (at)
  "The position AT of the widened current buffer, for idewire."
  (save-excursion
    (goto-char at)
    (list :line (1- (line-number-at-pos at t))
          :character (let ((inhibit-field-text-motion t))
                       (idewire--units (line-beginning-position) at)))))

(defun idewire--point-of (position)
  "Where POSITION of idewire is in the widened current buffer."
  (save-excursion
    (goto-char (point-min))
    (let ((missing (forward-line (plist-get position :line)))
          (end nil)
          (units (plist-get position :character)))
      (if (> missing 0)
          (point-max)
        (setq end (line-end-position))
        (goto-char (min end (+ (point) units)))
        (let ((begin (line-beginning-position)))
          (while (> (idewire--units begin (point)) units)
            (backward-char)))
        (point)))))

(defun idewire--range (from to limit)
  "The range between FROM and TO, with LIMIT characters of its text at most."
  (list :start (idewire--position from)
        :end (idewire--position to)
        :text (idewire--clean (buffer-substring-no-properties
                               from (max from (min to (+ from limit)))))))

;;;; JSON-RPC

(defvar idewire--callbacks nil "By id of a request: the function that gets result and error.")
(defvar idewire--held nil
  "Lines for a suspended host, newest first: Emacs does not write to one.")
(defvar idewire--last-id 0 "The id of the last request.")
(defvar idewire--parts nil "What was received of the current line, newest first.")
(defvar idewire--problem nil "Why the host has refused something.")

(defun idewire--send (message)
  "Send MESSAGE, a plist."
  (when (process-live-p idewire--process)
    (let ((line (json-serialize (append '(:jsonrpc "2.0") message))))
      (if (eq (process-status idewire--process) 'stop)
          (push line idewire--held)
        (idewire--write line)))))

(defun idewire--write (line)
  "Write LINE to the host."
  ;; The process may exit meanwhile; the sentinel handles that.
  (ignore-errors (process-send-string idewire--process (concat line "\n"))))

(defun idewire--write-held ()
  "Write the lines that were queued while the host was suspended."
  (let ((lines (nreverse idewire--held)))
    (setq idewire--held nil)
    (mapc #'idewire--write lines)))

(defun idewire--request (method params done)
  "Request METHOD with PARAMS; DONE gets the result and the error's message.
Each of them is nil if the other is there."
  (if (not (process-live-p idewire--process))
      (funcall done nil (format "idewire does not run: %s"
                                (if (string-empty-p idewire--message)
                                    "M-x idewire-mode" idewire--message)))
    (setq idewire--last-id (1+ idewire--last-id))
    (push (cons idewire--last-id done) idewire--callbacks)
    (idewire--send (list :id idewire--last-id :method method :params params))))

(defun idewire--reply (id result)
  "Answer the request ID with RESULT."
  (when id (idewire--send (list :id id :result result))))

(defun idewire--fail (id message &optional code)
  "Answer the request ID with an error: MESSAGE and CODE."
  (when id
    (idewire--send (list :id id :error (list :code (or code 1) :message (idewire--clean message))))))

(defun idewire--parse (line)
  "The message in LINE, bytes in UTF-8; nil if Emacs cannot read it."
  (ignore-errors
    (json-parse-string (decode-coding-string line 'utf-8-unix)
                       :object-type 'plist :array-type 'list :null-object nil :false-object nil)))

(defun idewire--receive (line)
  "Act upon LINE, which the host has sent."
  (let ((message (idewire--parse line)))
    (cond
     ((null message)
      (when (string-match "\\`{\"jsonrpc\":\"2.0\",\"id\":\\([0-9]+\\),\"method\"" line)
        (idewire--fail (string-to-number (match-string 1 line)) "Emacs cannot read this message")))
     ((plist-get message :method)
      (idewire--handle (plist-get message :method) (plist-get message :params)
                       (plist-get message :id)))
     (t
      (when-let ((callback (assq (plist-get message :id) idewire--callbacks)))
        (setq idewire--callbacks (delq callback idewire--callbacks))
        (funcall (cdr callback) (plist-get message :result)
                 (plist-get (plist-get message :error) :message)))))))

(defun idewire--filter (process chunk)
  "Take CHUNK of the output of PROCESS; lines are joined once, at their end."
  (when (eq process idewire--process)
    (let ((start 0) end)
      (while (setq end (string-search "\n" chunk start))
        (push (substring chunk start end) idewire--parts)
        (let ((line (apply #'concat (nreverse idewire--parts))))
          (setq idewire--parts nil)
          (save-match-data
            (save-current-buffer
              (idewire--guarded (idewire--receive line)))))
        (setq start (1+ end)))
      (when (< start (length chunk))
        (push (substring chunk start) idewire--parts)))))

;;;; What is sent

(defvar idewire--greeted nil "Whether the host has taken the hello.")
(defvar idewire--sent nil "The parts of the last state, as JSON.")
(defvar idewire--timer nil "Runs while no state may be sent.")
(defvar idewire--changed nil "Whether something may have changed since the last state.")
(defvar idewire--unanswered nil
  "Whether the host has not yet taken the last state.
Emacs waits for a process whose pipe is full: a host that does not
read gets no second one.")
(defvar idewire--latest nil
  "The last selection: its buffer, the markers of its ranges and of point.")
(defvar idewire--focused nil "The buffer that was current after the last command.")
(defvar-local idewire--focused-ms 0 "When the buffer was last in the selected window.")

(defconst idewire--language-ids
  '(("js" . "javascript") ("js2" . "javascript") ("emacs-lisp" . "elisp") ("sh" . "shellscript")
    ("bash" . "shellscript") ("text" . "plaintext") ("fundamental" . "plaintext") ("c++" . "cpp")
    ("js-json" . "json") ("gfm" . "markdown") ("tsx" . "typescriptreact") ("mhtml" . "html"))
  "The names that LSP has for major modes.")

(defun idewire--language-id ()
  "The name that LSP has for the language of the current buffer."
  (let ((name (replace-regexp-in-string "\\(?:-ts\\)?-mode\\'" "" (symbol-name major-mode))))
    (or (cdr (assoc name idewire--language-ids)) name)))

(defun idewire--focused-buffer ()
  "The buffer that the person is in."
  (window-buffer (selected-window)))

(defun idewire--json-bool (value)
  "VALUE for JSON."
  (if value t :false))

(defun idewire--documents ()
  "The open files."
  (let ((focused (idewire--focused-buffer)))
    (vconcat
     (delq nil
           (mapcar (lambda (buffer)
                     (when-let ((path (idewire--path buffer)))
                       (with-current-buffer buffer
                         (list :path (idewire--clean path)
                               :languageId (idewire--language-id)
                               :dirty (idewire--json-bool (buffer-modified-p))
                               :active (idewire--json-bool (eq buffer focused))
                               :visible (idewire--json-bool (get-buffer-window buffer 'visible))
                               :lastFocusedMs idewire--focused-ms))))
                   ;; `buffer-list' is in the order of last use: with a fixed order fewer states differ.
                   (sort (buffer-list)
                         (lambda (a b) (string< (buffer-name a) (buffer-name b)))))))))

(defun idewire--fake-cursors ()
  "The bounds of the regions of multiple-cursors."
  (when (bound-and-true-p multiple-cursors-mode)
    (delq nil
          (mapcar (lambda (overlay)
                    (let ((at (overlay-get overlay 'point)) (mark (overlay-get overlay 'mark)))
                      (when (and (eq (overlay-get overlay 'type) 'fake-cursor)
                                 (overlay-get overlay 'mark-active))
                        (cons (min (marker-position at) (marker-position mark))
                              (max (marker-position at) (marker-position mark))))))
                  (overlays-in (point-min) (point-max))))))

(defun idewire--bounds ()
  "The bounds of the regions of the current buffer, in order; nil without one."
  (when (and (region-active-p) (mark t) (/= (point) (mark t)))
    (sort (append (mapcar (lambda (each) (cons (car each) (cdr each)))
                          (ignore-errors (region-bounds)))
                  (idewire--fake-cursors))
          (lambda (a b) (< (car a) (car b))))))

(defun idewire--markers (bounds)
  "BOUNDS as markers."
  (mapcar (lambda (each) (cons (copy-marker (car each) t) (copy-marker (cdr each)))) bounds))

(defun idewire--release ()
  "Forget the last selection."
  (when idewire--latest
    (when (buffer-live-p (nth 0 idewire--latest))
      (with-current-buffer (nth 0 idewire--latest)
        (remove-hook 'after-change-functions #'idewire--changed-later t)))
    (dolist (each (nth 1 idewire--latest))
      (set-marker (car each) nil)
      (set-marker (cdr each) nil))
    (set-marker (nth 2 idewire--latest) nil)
    (setq idewire--latest nil)))

(defun idewire--note-selection ()
  "Remember the selection of the focused buffer.
A region that is no longer active stands until the cursor moves: a
person selects here, and then asks in another terminal."
  (let ((buffer (idewire--focused-buffer)))
    (when (idewire--path buffer)
      (with-current-buffer buffer
        (let ((bounds (idewire--bounds)))
          (unless (or (and (null bounds)
                           (eq (nth 0 idewire--latest) buffer)
                           (eql (marker-position (nth 2 idewire--latest)) (point)))
                      (and bounds
                           (eq (nth 0 idewire--latest) buffer)
                           (equal bounds (mapcar (lambda (each)
                                                   (cons (marker-position (car each))
                                                         (marker-position (cdr each))))
                                                 (nth 1 idewire--latest)))))
            (idewire--release)
            (setq idewire--latest
                  (list buffer (idewire--markers (or bounds (list (cons (point) (point)))))
                        (copy-marker (point) t)))
            (add-hook 'after-change-functions #'idewire--changed-later nil t)))))))

(defun idewire--selection ()
  "The last selection, for idewire; `:null' if there is none."
  (let* ((buffer (nth 0 idewire--latest))
         (path (and (buffer-live-p buffer) (idewire--path buffer)))
         (left idewire--max-units))
    (if (null path)
        :null
      (with-current-buffer buffer
        (save-restriction
          (widen)
          (let (ranges)
            (dolist (each (nth 1 idewire--latest))
              (when (and (> left 0) (marker-position (car each)))
                (let* ((from (marker-position (car each)))
                       (to (max from (marker-position (cdr each)))))
                  (push (idewire--range from to left) ranges)
                  (setq left (- left (- to from))))))
            (list :path (idewire--clean path) :ranges (vconcat (nreverse ranges)))))))))

(defun idewire--read-state ()
  "The whole state, by part."
  (idewire--note-selection)
  (list (list 'folders :folders
              (vconcat (mapcar (lambda (folder) (list :path (idewire--clean folder)))
                               (idewire--list-folders))))
        (list 'documents :documents (idewire--documents))
        (list 'selection :selection (idewire--selection)
              :focused (idewire--json-bool
                        (and idewire--latest
                             (eq (nth 0 idewire--latest) (idewire--focused-buffer)))))))

(defun idewire--news ()
  "The members of the state that have changed."
  (let (params)
    (dolist (part (idewire--read-state) params)
      (let ((json (json-serialize (cdr part))))
        (unless (or (equal json (alist-get (car part) idewire--sent))
                    (equal (cdr part) '(:folders [])))
          (setf (alist-get (car part) idewire--sent) json)
          (setq params (append params (cdr part))))))))

(defun idewire--send-state ()
  "Send what has changed."
  (setq idewire--changed nil)
  (when-let ((params (idewire--news)))
    (setq idewire--unanswered t)
    (idewire--request "host/state" params #'idewire--state-taken)))

(defun idewire--state-taken (&rest _)
  "The host has taken the last state."
  (setq idewire--unanswered nil)
  (when idewire--changed (idewire--something-changed)))

(defun idewire--large-p ()
  "Whether the state may be more than a pipe takes at once."
  (let ((size 0))
    (dolist (each (nth 1 idewire--latest) (> size 10000))
      (setq size (+ size (- (or (marker-position (cdr each)) 0)
                            (or (marker-position (car each)) 0)))))))

(defun idewire--send-state-soon ()
  "Send what has changed; a large state once the host is known to read."
  (idewire--note-selection)
  (if (not (idewire--large-p))
      (idewire--send-state)
    (setq idewire--unanswered t)
    (idewire--request "host/state" nil
                      (lambda (&rest _)
                        (setq idewire--unanswered nil)
                        (idewire--guarded (idewire--send-state))))))

(defun idewire--tick ()
  "The interval is over."
  (setq idewire--timer nil)
  (when idewire--changed (idewire--something-changed)))

(defun idewire--something-changed (&rest _)
  "Send the state now, or when the interval is over."
  (setq idewire--changed t)
  (when (and idewire--greeted (not idewire--timer)
             (not idewire--unanswered))
    (setq idewire--timer (run-with-timer idewire--interval nil #'idewire--tick))
    (idewire--guarded (idewire--send-state-soon))))

(defun idewire--changed-later (&rest _)
  "Look soon: now a command or a process may be at work, with the cursor elsewhere."
  (setq idewire--changed t)
  (when (and idewire--greeted (not idewire--timer))
    (setq idewire--timer (run-with-timer idewire--interval nil #'idewire--tick))))

(defun idewire--flush ()
  "Send the state now, without waiting for the interval."
  (when idewire--greeted
    (idewire--guarded (idewire--send-state))))

(defvar idewire--had-region nil "Whether the region was active after the last command.")

(defun idewire--after-command ()
  "Follow the person."
  (let ((has (region-active-p)))
    (unless (eq (current-buffer) idewire--focused)
      (setq idewire--focused (current-buffer)
            idewire--focused-ms (truncate (* 1000 (float-time)))))
    ;; Also send a region that was activated and deactivated within the interval.
    (when (and idewire--had-region (not has) idewire--changed (not idewire--unanswered))
      (idewire--flush))
    (when has (idewire--guarded (idewire--note-selection)))
    (setq idewire--had-region has)
    (idewire--something-changed)))

;;;; Diagnostics

(declare-function flymake-diagnostics "flymake" (&optional beg end))
(declare-function flymake-diagnostic-beg "flymake" (diag))
(declare-function flymake-diagnostic-end "flymake" (diag))
(declare-function flymake-diagnostic-type "flymake" (diag))
(declare-function flymake-diagnostic-text "flymake" (diag))
(declare-function flycheck-error-line "ext:flycheck" (err))
(declare-function flycheck-error-column "ext:flycheck" (err))
(declare-function flycheck-error-end-line "ext:flycheck" (err))
(declare-function flycheck-error-end-column "ext:flycheck" (err))
(declare-function flycheck-error-level "ext:flycheck" (err))
(declare-function flycheck-error-message "ext:flycheck" (err))
(declare-function flycheck-error-checker "ext:flycheck" (err))
(declare-function flycheck-error-id "ext:flycheck" (err))
(defvar flycheck-current-errors)

(defun idewire--severity (name)
  "The severity that NAME of a type or level stands for."
  (cond ((string-match-p "error" name) "error")
        ((string-match-p "warn" name) "warning")
        (t "information")))

(defun idewire--of-flymake ()
  "The diagnostics that Flymake has for the current buffer."
  (mapcar (lambda (diagnostic)
            (let ((type (flymake-diagnostic-type diagnostic))
                  (beg (flymake-diagnostic-beg diagnostic)))
              (list :range (list :start (idewire--position beg)
                                 :end (idewire--position
                                       (max beg (or (flymake-diagnostic-end diagnostic) beg))))
                    :severity (idewire--severity
                               (format "%s" (or (get type 'flymake-category) type)))
                    :message (idewire--clean (flymake-diagnostic-text diagnostic))
                    :source "flymake")))
          (flymake-diagnostics)))

(defun idewire--at-column (line column)
  "Where LINE and COLUMN, both from 1, are in the current buffer."
  (save-excursion
    (goto-char (point-min))
    (forward-line (1- line))
    (min (line-end-position) (+ (point) (max 0 (1- (or column 1)))))))

(defun idewire--of-flycheck ()
  "The diagnostics that Flycheck has for the current buffer."
  (mapcar (lambda (each)
            (let* ((line (or (flycheck-error-line each) 1))
                   (from (idewire--at-column line (flycheck-error-column each)))
                   (to (if (flycheck-error-end-column each)
                           (idewire--at-column (or (flycheck-error-end-line each) line)
                                               (flycheck-error-end-column each))
                         from))
                   (id (flycheck-error-id each)))
              (append
               (list :range (list :start (idewire--position from)
                                  :end (idewire--position (max from to)))
                     :severity (idewire--severity (format "%s" (flycheck-error-level each)))
                     :message (idewire--clean (format "%s" (flycheck-error-message each)))
                     :source (format "%s" (flycheck-error-checker each)))
               (when (stringp id) (list :code (idewire--clean id))))))
          flycheck-current-errors))

(defun idewire--diagnostics-of (buffer)
  "The diagnostics of BUFFER, as a vector."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (vconcat (when (bound-and-true-p flymake-mode) (idewire--of-flymake))
               (when (bound-and-true-p flycheck-mode) (idewire--of-flycheck))))))

(defun idewire--read-diagnostics (path)
  "The diagnostics of the file at PATH, or of all open files if it is nil."
  (let (files)
    (dolist (buffer (buffer-list))
      (when-let ((own (idewire--path buffer)))
        (when (or (null path) (string= path own))
          (push (list :path (idewire--clean own) :diagnostics (idewire--diagnostics-of buffer))
                files))))
    (list :files (vconcat files))))

(defvar-local idewire--last-diagnostics nil "The diagnostics that agents know of.")
(defvar idewire--diagnostics-timer nil "Looks for new diagnostics, for Flymake runs no hook.")

(defun idewire--announce-diagnostics ()
  "Announce the files whose diagnostics have changed."
  (when idewire--greeted
    (let (paths)
      (dolist (buffer (buffer-list))
        (when-let ((path (and (or (buffer-local-value 'idewire--last-diagnostics buffer)
                                  (buffer-local-value 'idewire--known-path buffer))
                              (idewire--path buffer))))
          (with-current-buffer buffer
            (let ((now (when (or (bound-and-true-p flymake-mode) (bound-and-true-p flycheck-mode))
                         (idewire--diagnostics-of buffer))))
              (unless (equal now idewire--last-diagnostics)
                (setq idewire--last-diagnostics now)
                (push (idewire--clean path) paths))))))
      (when paths
        (idewire--send (list :method "host/diagnosticsChanged"
                             :params (list :paths (vconcat paths))))))))

;;;; What agents request

(defvar-local idewire-review-of nil
  "The id of the proposed change that the buffer belongs to.")
(put 'idewire-review-of 'permanent-local t)

(defconst idewire--pause 4
  "Seconds without input after which a person no longer counts as typing.")

(defun idewire--typing-p ()
  "Whether the person is in the middle of something."
  (or (active-minibuffer-window)
      (bound-and-true-p isearch-mode)
      (> (length (this-single-command-keys)) 0)
      (input-pending-p)
      executing-kbd-macro
      (let ((idle (current-idle-time)))
        (and (or (null idle) (< (float-time idle) idewire--pause))
             (symbolp last-command)
             (string-match-p "insert\\|newline\\|delete\\|kill\\|yank\\|self-input\\|send-raw"
                             (symbol-name last-command))))))

(defun idewire--plain-window ()
  "A window of the selected frame that may show a file."
  (let ((fits (lambda (window)
                (not (or (window-dedicated-p window) (window-parameter window 'window-side)
                         (window-minibuffer-p window))))))
    (if (funcall fits (selected-window))
        (selected-window)
      (seq-find fits (window-list nil 'no-minibuffer)))))

(defun idewire--go-to (range)
  "Select RANGE in the current buffer, whose window is selected."
  (widen)
  (let ((from (idewire--point-of (plist-get range :start)))
        (to (idewire--point-of (plist-get range :end))))
    (goto-char to)
    (if (= from to)
        (deactivate-mark)
      (push-mark from t t))))

(defun idewire--reveal (params)
  "Show the file of PARAMS, unless the person types."
  (let ((path (idewire--real (plist-get params :path)))
        (range (plist-get params :range)))
    (idewire--demand-inside path)
    (unless (or (file-exists-p path) (idewire--find path))
      (error "%s: there is no such file" path))
    (let* ((here (idewire--focused-buffer))
           (busy (or (idewire--typing-p) (buffer-local-value 'idewire-review-of here)))
           (window (idewire--plain-window)))
      (cond
       ((or busy (null window)) (idewire--notice "an agent shows %s" (idewire--short path)))
       ((and (plist-get params :preserveFocus) (eq window (selected-window)))
        (let ((other (display-buffer (idewire--load path) '(nil (inhibit-same-window . t)))))
          (when (and other range)
            (set-window-point other (with-current-buffer (window-buffer other)
                                      (idewire--point-of (plist-get range :start)))))))
       (t
        (let ((buffer (idewire--load path))
              (shown (selected-window)))
          (set-window-buffer window buffer)
          (with-selected-window window
            (when range (idewire--go-to range)))
          (if (plist-get params :preserveFocus)
              (select-window shown)
            (select-window window)))))
      nil)))

(defun idewire--read (params)
  "The text of the file of PARAMS, unsaved text first."
  (let ((path (idewire--real (plist-get params :path))))
    (idewire--demand-inside path)
    (let ((buffer (idewire--find path)))
      (list :text (idewire--clean
                   (if (and buffer (buffer-modified-p buffer))
                       (with-current-buffer buffer (idewire--whole-text))
                     (idewire--file-text path)))))))

(defun idewire--save (params)
  "Save the file of PARAMS, without a question."
  (let* ((path (plist-get params :path))
         (buffer (idewire--find (idewire--real path))))
    (cond
     ((null buffer) (list :saved :false :message (idewire--clean (concat path " is not open"))))
     ((not (buffer-modified-p buffer)) '(:saved t))
     ((not (verify-visited-file-modtime buffer))
      '(:saved :false
        :message "the file has changed on the disk since Emacs has read it; the person must decide"))
     (t
      (condition-case problem
          (with-current-buffer buffer
            (cl-letf (((symbol-function 'yes-or-no-p) #'idewire--refuse)
                      ((symbol-function 'y-or-n-p) #'idewire--refuse))
              (let ((inhibit-message t))
                (save-buffer 0)))
            (list :saved (idewire--json-bool (not (buffer-modified-p)))))
        (error (list :saved :false :message (idewire--clean (error-message-string problem)))))))))

(defun idewire--refuse (prompt &rest _)
  "Answer PROMPT, which no agent may cause, with an error."
  (error "Emacs would ask: %s" prompt))

(declare-function eglot-format-buffer "eglot" ())
(declare-function lsp-format-buffer "ext:lsp-mode" ())

(defun idewire--format (params)
  "Format the file of PARAMS by its language server."
  (let* ((path (plist-get params :path))
         (buffer (or (idewire--find (idewire--real path)) (error "%s is not open" path))))
    (with-current-buffer buffer
      (cond ((bound-and-true-p eglot--managed-mode) (eglot-format-buffer))
            ((bound-and-true-p lsp-managed-mode) (lsp-format-buffer))
            (t (error "No language server is attached to %s" path)))
      nil)))

(defun idewire--close-tab (params)
  "Kill the saved buffer whose path or name is the key of PARAMS."
  (let* ((key (plist-get params :key))
         (buffer (seq-find (lambda (each)
                             (when-let ((path (idewire--path each)))
                               (or (string= path key)
                                   (string= (file-name-nondirectory path) key))))
                           (buffer-list))))
    (list :closed (idewire--json-bool
                   (and buffer (not (buffer-modified-p buffer)) (kill-buffer buffer))))))

(defun idewire--answer (method params)
  "The result of METHOD with PARAMS, or an error for the model of the agent."
  (pcase method
    ("host/read" (idewire--read params))
    ((or "host/reveal" "host/select") (idewire--reveal params))
    ("host/diagnostics"
     (let ((path (plist-get params :path)))
       (idewire--read-diagnostics (and path (idewire--real path)))))
    ("host/save" (idewire--save params))
    ("host/format" (idewire--format params))
    ("host/closeTab" (idewire--close-tab params))
    (_ (signal 'idewire-no-method (list method)))))

(define-error 'idewire-no-method "There is no such method")

(defun idewire--handle (method params id)
  "Act upon METHOD with PARAMS; ID is that of a request."
  (pcase method
    ("host/listening" (idewire--on-listening params))
    ("host/agents"
     (setq idewire--agents (plist-get params :agents))
     (force-mode-line-update t))
    ("host/warning" (idewire--on-warning params))
    ("host/written" (idewire--reload (plist-get params :path)))
    ("host/problem" (setq idewire--problem (plist-get params :message)))
    ("host/openDiff"
     (condition-case problem
         (idewire--open-diff params id)
       (error (idewire--fail id (concat "Emacs cannot show this text: "
                                        (error-message-string problem))))))
    ("host/closeDiff" (idewire--reply id (idewire--close-diff (plist-get params :id))))
    (_
     (condition-case problem
         (let ((result (idewire--answer method params)))
           (idewire--flush)
           (idewire--reply id result))
       (idewire-no-method (idewire--fail id (error-message-string problem) -32601))
       (error (idewire--fail id (error-message-string problem)))))))

(defun idewire--reload (path)
  "Load the file at PATH, which an agent has written, unless text is unsaved."
  (when-let ((buffer (idewire--find (idewire--real path))))
    (with-current-buffer buffer
      (cond
       ((verify-visited-file-modtime buffer))
       ((buffer-modified-p)
        (idewire--notice "%s was written by an agent; your unsaved text is kept"
                         (idewire--short path)))
       ((file-exists-p path)
        (let ((enable-local-variables :safe) (enable-local-eval nil) (inhibit-message t))
          (idewire--guarded (revert-buffer t t t))))))))

;;;; Reviews

(defvar-local idewire--proposal-format nil
  "The byte order mark and the line ends of a proposal, which are not shown.")
(put 'idewire--proposal-format 'permanent-local t)

(defvar idewire-proposal-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'idewire-accept)
    (define-key map (kbd "C-c C-k") #'idewire-reject)
    map)
  "Keys in a proposal, and in what it is compared with.")

(define-minor-mode idewire-proposal-mode
  "Has the keys that answer a proposed change."
  :lighter " Proposal")

(defun idewire--diff-of (id)
  "The waiting change with ID, or nil."
  (seq-find (lambda (diff) (equal (idewire--diff-id diff) id)) idewire--pending))

(defun idewire--plist (diff)
  "DIFF for programs."
  (list :id (idewire--diff-id diff) :path (idewire--diff-path diff)
        :agent (idewire--diff-agent diff) :buffer (idewire--diff-buffer diff)))

(defun idewire--agent-name (agent)
  "The display name of AGENT."
  (or (plist-get agent :title) (plist-get agent :name) "an agent"))

(defun idewire--name-of-session (session)
  "The display name of the agent of SESSION."
  (idewire--agent-name (seq-find (lambda (agent) (equal (plist-get agent :session) session))
                                 idewire--agents)))

(defun idewire--colour (path)
  "Give the current buffer the colours of the file at PATH, and nothing else.
Its text is foreign: it runs no hooks, local variables, or checkers,
some of which expand its macros."
  (let ((mode (assoc-default path auto-mode-alist #'string-match-p))
        (enable-local-variables nil)
        (enable-dir-local-variables nil))
    ;; This hook would turn on globalized minor modes.
    (setq-local change-major-mode-hook nil)
    (while (consp mode) (setq mode (car mode)))
    (condition-case nil
        (delay-mode-hooks
          (funcall (if (and mode (fboundp mode)) mode #'fundamental-mode)))
      (error (delay-mode-hooks (fundamental-mode))))
    (setq-local completion-at-point-functions nil)
    (setq-local eldoc-documentation-functions nil)
    (ignore-errors (font-lock-mode 1))))

(defun idewire--fill (text)
  "Make TEXT the contents of the current buffer, and remember how to write it back."
  (let* ((mark (if (string-prefix-p "\xfeff" text) "\xfeff" ""))
         (rest (substring text (length mark)))
         (bare (string-replace "\r\n" "\n" rest))
         ;; Mixed line endings stay in the text, with ^M.
         (dos (and (not (string= bare rest))
                   (string= (string-replace "\n" "\r\n" bare) rest)))
         (inhibit-read-only t))
    (erase-buffer)
    (insert (if dos bare rest))
    (goto-char (point-min))
    (setq buffer-undo-list nil)
    (setq idewire--proposal-format (cons mark (if dos "\r\n" "\n")))
    (setq-local buffer-file-coding-system (if dos 'utf-8-dos 'utf-8-unix))
    (set-buffer-modified-p nil)))

(defun idewire--proposal-text (buffer)
  "The text in BUFFER, as the file would have it."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (let ((text (buffer-substring-no-properties (point-min) (point-max)))
            (ends (cdr idewire--proposal-format)))
        (concat (car idewire--proposal-format)
                (if (string= ends "\n") text (string-replace "\n" ends text)))))))

(defun idewire--make-buffer (kind diff text)
  "A buffer for the KIND of TEXT of DIFF."
  (let ((buffer (generate-new-buffer
                 (format "*%s %s*" kind
                         (replace-regexp-in-string
                          "[[:cntrl:]]" "?" (file-name-nondirectory (idewire--diff-path diff)))))))
    (with-current-buffer buffer
      (setq default-directory (let ((folder (file-name-directory (idewire--diff-path diff))))
                                (if (file-directory-p folder) folder default-directory)))
      (idewire--fill text)
      (idewire--colour (idewire--diff-path diff))
      (setq idewire-review-of (idewire--diff-id diff))
      (idewire-proposal-mode 1)
      (setq header-line-format
            (list " " (if (idewire--diff-outside diff) "outside the workspace! " "")
                  (format "%s by %s: C-c C-c accepts, C-c C-k rejects" kind
                          (string-replace "%" "%%" (idewire--diff-agent diff))))))
    buffer))

(defun idewire--old-text (path)
  "The text that a change of the file at PATH is compared with."
  (condition-case nil
      (idewire--file-text path)
    (error "")))

(defun idewire--open-diff (params id)
  "Take the change that PARAMS propose; the request ID is answered later."
  (let* ((process idewire--process)
         (path (plist-get params :path))
         (diff (make-idewire--diff
                :id (plist-get params :id) :path path :old-path (plist-get params :oldPath)
                :agent (idewire--name-of-session (plist-get params :session))
                :proposed (plist-get params :proposed)
                :outside (plist-get params :outsideWorkspace)
                :version (idewire--version path)
                :answer (lambda (outcome)
                          (when (eq process idewire--process) (idewire--reply id outcome))))))
    (setf (idewire--diff-buffer diff)
          (idewire--make-buffer "proposal" diff (idewire--diff-proposed diff)))
    (with-current-buffer (idewire--diff-buffer diff)
      (add-hook 'kill-buffer-hook #'idewire--proposal-killed nil t))
    (setq idewire--pending (append idewire--pending (list diff)))
    (idewire--guarded (run-hook-with-args 'idewire-diff-opened-hook (idewire--plist diff)))
    (when (or (idewire--any-shown) (idewire--typing-p))
      (idewire--notice "%s proposes a change to %s (M-x idewire-diffs)"
                       (idewire--diff-agent diff) (idewire--short path)))
    (idewire--show-soon)))

(defun idewire--any-shown ()
  "Whether a change is in view."
  (seq-some (lambda (diff) (eq (idewire--diff-state diff) 'shown)) idewire--pending))

(defvar idewire--show-timer nil "Shows the next change once the person types no more.")

(defun idewire--show-soon ()
  "Show the oldest change that was never shown, once that disturbs nobody."
  (unless idewire--show-timer
    (setq idewire--show-timer (run-with-timer 0 nil #'idewire--show-next))))

(defun idewire--show-next ()
  "Show the oldest change that was never shown, or wait while the person types."
  (setq idewire--show-timer nil)
  (when-let ((diff (and (not (idewire--any-shown))
                        (seq-find (lambda (each) (eq (idewire--diff-state each) 'waiting))
                                  idewire--pending))))
    (if (idewire--typing-p)
        (setq idewire--show-timer (run-with-timer 0.2 nil #'idewire--show-next))
      (idewire--guarded (idewire--show diff)))))

(defun idewire--current-tab ()
  "Identifies the current tab of the selected frame."
  (when-let ((tabs (frame-parameter nil 'tabs)))
    (cl-position 'current-tab tabs :key #'car)))

(defun idewire--show (diff)
  "Show DIFF in the selected frame and tab."
  (if-let ((window (get-buffer-window (idewire--diff-buffer diff) 'visible)))
      (progn (select-frame-set-input-focus (window-frame window))
             (select-window window))
    (unless (buffer-live-p (idewire--diff-old-buffer diff))
      (setf (idewire--diff-old-buffer diff)
            (idewire--make-buffer "file" diff (idewire--old-text (idewire--diff-old-path diff))))
      (with-current-buffer (idewire--diff-old-buffer diff)
        (setq buffer-read-only t)))
    (setf (idewire--diff-layout diff) (current-window-configuration)
          (idewire--diff-tab diff) (idewire--current-tab)
          (idewire--diff-state diff) 'shown)
    (select-window (or (idewire--plain-window) (selected-window)))
    (condition-case problem
        (funcall (or idewire-review-function #'idewire-review-diff)
                 (idewire--diff-old-buffer diff) (idewire--diff-buffer diff))
      (error (setf (idewire--diff-state diff) 'hidden)
             (signal (car problem) (cdr problem))))))

(defun idewire--arrange (old new below lines)
  "Show the buffers OLD and NEW beside each other, BELOW them the third.
That has LINES.  The side windows of the frame stay.  Return the three windows."
  (let* ((left (or (idewire--plain-window) (selected-window)))
         (window-min-height 1)
         under right)
    (dolist (window (window-list nil 'no-minibuffer))
      (unless (or (eq window left) (window-parameter window 'window-side))
        (ignore-errors (delete-window window))))
    (when below
      (setq under (split-window left (- lines) 'below))
      (set-window-buffer under below))
    (setq right (split-window left nil 'right))
    (set-window-buffer left old)
    (set-window-buffer right new)
    (list left right under)))

(defun idewire-review-diff (old new)
  "Show the buffers OLD and NEW beside each other, their differences below."
  (let ((differences (and (executable-find "diff") (idewire--differences old new))))
    (select-window (nth 1 (idewire--arrange old new differences
                                            (max 4 (/ (frame-height) 3)))))))

(autoload 'diff-no-select "diff")

(defun idewire--differences (old new)
  "A buffer with the differences between the buffers OLD and NEW."
  (let ((id (buffer-local-value 'idewire-review-of new))
        (buffer (generate-new-buffer (format "*differences %s*" (buffer-name new)))))
    (delay-mode-hooks (diff-no-select old new nil t buffer))
    (with-current-buffer buffer
      (setq idewire-review-of id)
      (idewire-proposal-mode 1))
    buffer))

(defvar ediff-window-setup-function)
(defvar ediff-window-A)
(defvar ediff-window-B)
(defvar ediff-window-C)
(declare-function ediff-setup-control-buffer "ediff-wind" (control))
(declare-function ediff-really-quit "ediff-util" (reverse))
(autoload 'ediff-buffers "ediff")

(defun idewire-review-ediff (old new)
  "Compare the buffers OLD and NEW in Ediff."
  (require 'ediff-util)
  (let ((ediff-window-setup-function #'idewire--ediff-windows)
        (id (buffer-local-value 'idewire-review-of new)))
    (condition-case nil
        ;; In a terminal, Ediff ignores the variable.
        (cl-letf (((symbol-function 'ediff-setup-windows) #'idewire--ediff-windows))
          (ediff-buffers old new (list (lambda () (idewire--in-ediff id)))))
      ;; The program diff refuses texts with NUL.
      (error (idewire--end-ediff id)
             (idewire-review-diff old new)))))

(defun idewire--ediff-windows (old new _ancestor control)
  "Show OLD and NEW, and the control panel CONTROL below them.
Ediff's own functions take the side windows of the frame."
  (pcase-let ((`(,left ,right ,below) (idewire--arrange old new control 3)))
    (with-current-buffer control
      (setq ediff-window-A left ediff-window-B right ediff-window-C nil))
    (select-window below)
    (ediff-setup-control-buffer control)))

(defun idewire--in-ediff (id)
  "Make the current control panel that of the change ID."
  (setq idewire-review-of id)
  (idewire-proposal-mode 1)
  (add-hook 'ediff-quit-hook
            (lambda () (run-with-timer 0 nil #'idewire--ediff-quitted id))
            -90 t))

(defun idewire--ediff-quitted (id)
  "The person has left the Ediff of the change ID, if that still waits."
  (when-let ((diff (idewire--diff-of id)))
    (idewire--hide diff t)))

(defun idewire--end-ediff (id)
  "Quit the Ediff of the change ID, with all its buffers."
  (dolist (buffer (buffer-list))
    (when (and (equal (buffer-local-value 'idewire-review-of buffer) id)
               (eq (buffer-local-value 'major-mode buffer) 'ediff-mode))
      (with-current-buffer buffer
        (cl-letf (((symbol-function 'y-or-n-p) #'ignore))
          ;; Ediff arranges windows anew when it ends.
          (save-window-excursion
            (idewire--guarded (ediff-really-quit nil))))))))

(defun idewire--review-windows (id)
  "The windows of the selected frame with buffers of the change ID."
  (seq-filter (lambda (window)
                (equal (buffer-local-value 'idewire-review-of (window-buffer window)) id))
              (window-list nil 'no-minibuffer)))

(defun idewire--end-view (diff)
  "Take DIFF from the screen; windows and focus become what they were."
  (let* ((id (idewire--diff-id diff))
         (layout (idewire--diff-layout diff))
         (frame (and layout (window-configuration-frame layout)))
         (here (selected-frame)))
    (setf (idewire--diff-layout diff) nil)
    (let ((restores (and layout (frame-live-p frame)
                         (with-selected-frame frame
                           (and (equal (idewire--current-tab) (idewire--diff-tab diff))
                                (idewire--review-windows id))))))
      (idewire--end-ediff id)
      (when restores
        (set-window-configuration layout t)
        (unless (eq here (selected-frame)) (select-frame here))))
    (let ((own (idewire--diff-buffer diff)))
      (dolist (buffer (buffer-list))
        (when (and (not (eq buffer own))
                   (equal (buffer-local-value 'idewire-review-of buffer) id))
          (with-current-buffer buffer (set-buffer-modified-p nil))
          (kill-buffer buffer))))))

(defun idewire--settle (diff outcome)
  "DIFF ends with OUTCOME: the agent gets it, and the next change is shown."
  (setq idewire--pending (delq diff idewire--pending))
  (setf (idewire--diff-state diff) 'over)
  (funcall (idewire--diff-answer diff) outcome)
  (idewire--guarded (idewire--end-view diff))
  (let ((buffer (idewire--diff-buffer diff)))
    (when (buffer-live-p buffer)
      (with-current-buffer buffer (set-buffer-modified-p nil))
      (kill-buffer buffer)))
  (idewire--guarded (run-hook-with-args 'idewire-diff-closed-hook (idewire--plist diff)))
  (when idewire--pending (idewire--show-soon)))

(defun idewire--proposal-killed ()
  "The buffer of a proposal is killed: the question is closed."
  (when-let ((diff (idewire--diff-of idewire-review-of)))
    (when (eq (idewire--diff-buffer diff) (current-buffer))
      (setq idewire--pending (delq diff idewire--pending))
      ;; Ediff cannot quit once one of its buffers is killed.
      (idewire--end-ediff idewire-review-of)
      ;; Emacs is in the middle of killing the buffer.
      (run-with-timer 0 nil #'idewire--settle diff '(:kind "closed")))))

(defun idewire--note-hidden (&rest _)
  "A change that is in no window any more still waits."
  (dolist (diff idewire--pending)
    (when (and (eq (idewire--diff-state diff) 'shown)
               (not (get-buffer-window (idewire--diff-buffer diff) t))
               (equal (idewire--diff-tab diff) (idewire--current-tab)))
      (run-with-timer 0 nil #'idewire--hide diff))))

(defun idewire--hide (diff &optional quits)
  "DIFF was taken from the screen without an answer.
Its windows may be there still if the person QUITS its view."
  (when (and (eq (idewire--diff-state diff) 'shown)
             (or quits (not (get-buffer-window (idewire--diff-buffer diff) t))))
    (setf (idewire--diff-state diff) 'hidden)
    (idewire--guarded (idewire--end-view diff))
    (setf (idewire--diff-old-buffer diff) nil)
    (idewire--notice "the change to %s still waits (M-x idewire-diffs)"
                     (idewire--short (idewire--diff-path diff)))
    (idewire--show-soon)))

(defun idewire--edited-text (diff)
  "The text of DIFF as the person has edited it; nil if it is the proposed one."
  (let ((text (idewire--proposal-text (idewire--diff-buffer diff))))
    (unless (string= text (idewire--diff-proposed diff))
      (when (string-match-p idewire--unwritable text)
        (user-error "The proposal has bytes that are no characters"))
      text)))

(defun idewire--close-diff (id)
  "The change ID needs no answer any more.  Return the result of the request."
  (if-let ((diff (idewire--diff-of id)))
      (let ((text (ignore-errors (idewire--edited-text diff))))
        (idewire--settle diff '(:kind "cancelled"))
        (append '(:alreadyClosed :false) (when text (list :text text))))
    '(:alreadyClosed t)))

(defun idewire--drop-diffs ()
  "The host has ended: no answer is awaited."
  (dolist (diff (copy-sequence idewire--pending))
    (setf (idewire--diff-answer diff) #'ignore)
    (idewire--settle diff nil)))

(defun idewire--meant (id)
  "The change with ID; without one that of the current buffer, or the only one."
  (or (idewire--diff-of (or id idewire-review-of))
      (cond (id (user-error "No change %s waits" id))
            ((null idewire--pending) (user-error "No change waits"))
            ((cdr idewire--pending) (user-error "Several changes wait: M-x idewire-diffs"))
            (t (car idewire--pending)))))

;;;###autoload
(defun idewire-accept (&optional id)
  "Accept the change with ID, as it stands in its buffer.
Without ID, the one of the current buffer, or the only one."
  (interactive)
  (let* ((diff (idewire--meant id))
         (version (idewire--version (idewire--diff-path diff))))
    (unless (equal version (idewire--diff-version diff))
      (setf (idewire--diff-version diff) version)
      (user-error "%s has changed since this change was proposed; accept again if you still want it"
                  (idewire--short (idewire--diff-path diff))))
    (let ((text (idewire--edited-text diff)))
      (idewire--settle diff (append '(:kind "accepted") (when text (list :text text)))))))

;;;###autoload
(defun idewire-reject (&optional id)
  "Reject the change with ID.
Without ID, the one of the current buffer, or the only one."
  (interactive)
  (idewire--settle (idewire--meant id) '(:kind "rejected")))

;;;###autoload
(defun idewire-show (&optional id)
  "Show the change with ID, or the only one."
  (interactive)
  (idewire--show (idewire--meant id)))

;;;###autoload
(defun idewire-diffs ()
  "Show a change that waits; asks for one if there are several."
  (interactive)
  (cond ((null idewire--pending) (idewire--notice "no change waits"))
        ((null (cdr idewire--pending)) (idewire--show (car idewire--pending)))
        (t
         (let* ((choices (mapcar (lambda (diff)
                                   (cons (format "%s  %s, by %s" (idewire--diff-id diff)
                                                 (idewire--short (idewire--diff-path diff))
                                                 (idewire--diff-agent diff))
                                         diff))
                                 idewire--pending))
                (choice (completing-read "Change: " choices nil t)))
           (idewire--show (cdr (assoc choice choices)))))))

(defun idewire-pending-diffs ()
  "Return plists of :id, :path, :agent and :buffer, one for each waiting change."
  (mapcar #'idewire--plist idewire--pending))

;;;; The process

(defvar idewire--restart nil "The timer that starts the host again.")
(defvar idewire--failures 0 "How often the host has ended in sequence.")
(defvar idewire--started 0 "When the host was started.")
(defvar idewire--in-use nil "Whether another process serves the folder.")
(defvar idewire--waiters nil "Functions to call once agents can find this Emacs.")

(defun idewire--set (state &optional message)
  "Note the STATE of the host, with a MESSAGE for the person."
  (setq idewire--state state
        idewire--message (or message ""))
  (force-mode-line-update t))

(defvar idewire--mismatch nil "The last message about the version of the command.")

(defun idewire--check-version ()
  "Ask the command for its version, without waiting for it."
  (ignore-errors
    (let ((default-directory (expand-file-name "~/")))
      (make-process
       :name "idewire version" :command (append idewire-command '("--version"))
       :connection-type 'pipe :noquery t :sentinel #'ignore
       :filter (lambda (_process printed) (idewire--note-version (string-trim printed)))))))

(defun idewire--note-version (found)
  "Report once that the command has the version FOUND, if it is another."
  (let ((problem (when (and (string-match-p "\\`[0-9]+\\.[0-9]+\\.[0-9]+" found)
                            (not (string= found idewire--version)))
                   (format "this package is %s, the command %s: update the older one"
                           idewire--version found))))
    (when (and problem (not (equal problem idewire--mismatch)))
      (idewire--notice "%s" problem))
    (setq idewire--mismatch problem)))

(defun idewire--on-listening (params)
  "Agents can find this Emacs, as PARAMS describe."
  (setq idewire--failures 0)
  (when (eq idewire--state 'starting) (idewire--check-version))
  (idewire--set (if (plist-get params :joined) 'joined 'listening))
  (let ((waiters idewire--waiters))
    (setq idewire--waiters nil)
    (mapc #'funcall waiters)))

(defun idewire--on-warning (params)
  "Show the warning in PARAMS."
  (pcase (plist-get params :code)
    ("folder-in-use"
     (setq idewire--in-use t)
     (idewire--set 'waiting (plist-get params :message)))
    ("mention-lost")
    (_ (idewire--notice "%s" (plist-get params :message)))))

(defun idewire--explain (errors)
  "What the person can do about a host that has ended with ERRORS."
  (cond
   ((string-match-p "SyntaxError\\|ERR_REQUIRE_ESM\\|Unsupported engine" errors)
    "idewire needs Node 20.19 or newer; the `node' that it runs with is older")
   ((string-match-p "env: .*node.*No such file" errors)
    "idewire found no `node': add its folder to `exec-path' and to PATH")
   (idewire--problem)
   ((car (last (split-string errors "[\r\n]+" t "[ \t]+"))))
   (t "idewire ended")))

(defun idewire--sentinel (process _event)
  "PROCESS has ended, or continues after it was suspended."
  (when (and (eq process idewire--process) (eq (process-status process) 'run))
    (idewire--write-held))
  (when (and (eq process idewire--process) (not (process-live-p process)))
    (let* ((errors (idewire--take-errors process))
           (was-listening (memq idewire--state '(listening joined)))
           (message (idewire--explain errors)))
      (idewire--forget)
      (when (> (- (float-time) idewire--started) 60)
        (setq idewire--failures 0))
      (setq idewire--failures (1+ idewire--failures))
      (cond
       (idewire--in-use
        (idewire--set 'waiting message)
        (when (= idewire--failures 1) (idewire--notice "%s" message))
        (idewire--start-after idewire--max-pause))
       ((and (not was-listening) (>= idewire--failures 4))
        (idewire--set 'failed message)
        (idewire--notice "%s" message))
       (t
        (idewire--set 'waiting message)
        (when (= idewire--failures 1)
          (idewire--notice "%s" (if was-listening "idewire ended, and is started again" message)))
        (idewire--start-after (min idewire--max-pause (expt 2 (1- idewire--failures)))))))))

(defun idewire--take-errors (process)
  "What PROCESS has written to stderr; its buffer is killed."
  (let ((buffer (process-get process 'idewire-errors)))
    (if (not (buffer-live-p buffer))
        ""
      (when-let ((pipe (get-buffer-process buffer)))
        (accept-process-output pipe 0.1)
        (set-process-sentinel pipe #'ignore))
      (prog1 (with-current-buffer buffer
               (buffer-substring-no-properties (max (point-min) (- (point-max) 4096)) (point-max)))
        (let ((kill-buffer-query-functions nil)) (kill-buffer buffer))))))

(defun idewire--start-after (seconds)
  "Start the host again after SECONDS."
  (setq idewire--restart (run-with-timer seconds nil #'idewire--start)))

(defun idewire--forget ()
  "Reset the state of the process."
  (setq idewire--process nil
        idewire--agents nil
        idewire--callbacks nil
        idewire--parts nil
        idewire--held nil
        idewire--sent nil
        idewire--greeted nil
        idewire--unanswered nil)
  (idewire--drop-diffs))

(defun idewire--members ()
  "The requests that this Emacs answers."
  (vconcat '("read" "reveal" "select" "diagnostics" "save" "format" "closeTab")
           (when idewire-review-function '("openDiff" "closeDiff"))))

(defun idewire--greet ()
  "Send the hello."
  (setq idewire--sent nil)
  (idewire--request "host/hello"
                    (list :protocol 1 :name "Emacs" :version emacs-version
                          :members (idewire--members) :events ["warning" "written"]
                          :state (idewire--news))
                    (lambda (_result problem)
                      (if problem
                          (setq idewire--problem problem)
                        (setq idewire--greeted t)
                        (idewire--something-changed)))))

(defun idewire--command (&rest words)
  "The command with WORDS and the options of the host."
  (append idewire-command words
          (list "--share" (symbol-name idewire-share))
          (mapcan (lambda (pattern) (list "--exclude" pattern)) (copy-sequence idewire-exclude))))

(defun idewire--start ()
  "Start the host, if there is a folder."
  (when idewire--restart
    (cancel-timer idewire--restart)
    (setq idewire--restart nil))
  (let ((folder (car (idewire--list-folders))))
    (cond
     ((process-live-p idewire--process))
     ((not (fboundp 'json-serialize))
      (idewire--set 'failed "this Emacs was built without JSON"))
     ((null folder) (idewire--set 'off "no project folder: the home directory and / are not shared"))
     ((not (let ((default-directory folder)) (executable-find (car idewire-command))))
      (idewire--set 'failed (format "%s was not found in `exec-path': npm install -g idewire installs it, with Node 20.19 or newer"
                                    (car idewire-command)))
      (idewire--notice "%s" idewire--message))
     (t (idewire--spawn folder)))))

(defun idewire--spawn (folder)
  "Start the host in FOLDER."
  (setq idewire--in-use nil idewire--problem nil idewire--started (float-time))
  (idewire--set 'starting)
  (condition-case problem
      (let ((default-directory (file-name-as-directory folder))
            (process-adaptive-read-buffering nil)
            (errors (generate-new-buffer " *idewire errors*" t)))
        (setq idewire--process
              (make-process :name "idewire" :command (idewire--command "host" "--stdio")
                            :connection-type 'pipe :coding 'no-conversion :noquery t
                            :stderr errors :filter #'idewire--filter
                            :sentinel #'idewire--sentinel))
        (process-put idewire--process 'idewire-errors errors)
        (when-let ((pipe (get-buffer-process errors)))
          (set-process-query-on-exit-flag pipe nil)
          (set-process-sentinel pipe #'ignore))
        (idewire--greet))
    (error
     (idewire--set 'failed (error-message-string problem))
     (idewire--notice "%s" idewire--message))))

(defun idewire--stop ()
  "End the host."
  (let ((process idewire--process))
    (idewire--set 'off)
    (when idewire--restart
      (cancel-timer idewire--restart)
      (setq idewire--restart nil))
    (idewire--forget)
    (when process
      (ignore-errors (process-send-eof process))
      (idewire--take-errors process))))

(defun idewire--found-file ()
  "Start the host with the first file of a folder."
  (when-let ((path (idewire--path)))
    (unless (or idewire--process idewire--restart (eq idewire--state 'failed)
                (idewire--message-p path))
      (idewire--guarded (idewire--start))))
  (idewire--something-changed))

;;;; Commands

(defun idewire-status ()
  "A plist of :state, :message and :agents.
The state is `off', `starting', `listening', `joined', `waiting' or `failed'."
  (list :state idewire--state :message idewire--message :agents (copy-sequence idewire--agents)))

(defun idewire-mode-line ()
  "Return the text for the mode line."
  (concat " idewire"
          (pcase idewire--state
            ((or 'listening 'joined)
             (if idewire--agents (format ":%d" (length idewire--agents)) ""))
            (state (format ":%s" state)))
          (if idewire--pending (format "!%d" (length idewire--pending)) "")))

;;;###autoload
(defun idewire-share (level)
  "Share LEVEL with agents: `off', `path', `selection' or `all'."
  (interactive
   (list (intern (completing-read "Agents may know: " '("off" "path" "selection" "all") nil t))))
  (unless (memq level '(off path selection all))
    (user-error "The level is off, path, selection or all"))
  (setq idewire-share level)
  (when (process-live-p idewire--process)
    (idewire--request "host/share" (list :level (symbol-name level)
                                         :exclude (vconcat idewire-exclude))
                      (lambda (result problem)
                        (idewire--notice "%s" (or problem (concat "agents may know: "
                                                                  (plist-get result :level))))))))

(defun idewire--choose-session ()
  "The session of the agent that the person chooses; nil for all of them."
  (when (cdr idewire--agents)
    (let* ((choices (cons '("all of them")
                          (mapcar (lambda (agent)
                                    (cons (format "%s (%s)" (idewire--agent-name agent)
                                                  (or (plist-get agent :pid)
                                                      (plist-get agent :session)))
                                          (plist-get agent :session)))
                                  idewire--agents)))
           (choice (completing-read "Send to: " choices nil t)))
      (cdr (assoc choice choices)))))

(defun idewire--region-lines ()
  "The first and the last line of the region, from 0; nil without one."
  (when (use-region-p)
    (let ((end (region-end)))
      ;; A region that ends at the start of a line does not include that line.
      (list :start (1- (line-number-at-pos (region-beginning) t))
            :end (1- (line-number-at-pos
                      (if (and (> end (region-beginning))
                               (save-excursion (goto-char end) (bolp)))
                          (1- end)
                        end)
                      t))))))

;;;###autoload
(defun idewire-send (&optional path)
  "Refer the agents to the lines of the region, or to this file.
With a prefix argument, or from Lisp with PATH, to another file or folder."
  (interactive (list (when current-prefix-arg (read-file-name "Send: " nil nil t))))
  (let* ((real (if path (idewire--real path)
                 (or (idewire--path)
                     (user-error "This buffer is no file: name one with C-u M-x idewire-send"))))
         (lines (unless path (idewire--region-lines)))
         (session (idewire--choose-session)))
    (idewire--request
     "host/mention"
     (append (list :path (idewire--clean real))
             (when lines (list :lines lines))
             (when session (list :session session)))
     (lambda (result problem)
       (if problem
           (idewire--notice "%s" problem)
         (idewire--notice "sent %s%s to %s" (idewire--short real)
                          (if lines (format " %d-%d" (1+ (plist-get lines :start))
                                            (1+ (plist-get lines :end)))
                            "")
                          (mapconcat #'idewire--name-of-session
                                     (plist-get result :sessions) ", ")))))))

;;;###autoload
(defun idewire-sent ()
  "Show what agents were sent last, exactly as they received it."
  (interactive)
  (idewire--request "host/sent" nil
                    (lambda (result problem)
                      (if problem
                          (idewire--notice "%s" problem)
                        (idewire--show-sent (plist-get result :messages))))))

(defun idewire--show-sent (messages)
  "Show MESSAGES to agents in a buffer."
  (with-current-buffer (get-buffer-create "*idewire sent*")
    (let ((inhibit-read-only t))
      (erase-buffer)
      (dolist (each messages)
        (insert (format-time-string "%T" (seconds-to-time (/ (plist-get each :sentMs) 1000)))
                "  to " (idewire--name-of-session (plist-get each :session)) "\n"
                (plist-get each :frame) "\n\n"))
      (unless messages (insert "Nothing was sent yet.\n")))
    (special-mode)
    (goto-char (point-max))
    (display-buffer (current-buffer))))

(declare-function term-mode "term" ())
(declare-function term-char-mode "term" ())
(declare-function term-exec "term" (buffer name command startfile switches))
(declare-function eat-mode "ext:eat" ())
(declare-function eat-exec "ext:eat" (buffer name command startfile switches))
(declare-function vterm-mode "ext:vterm" ())
(defvar vterm-shell)

(defun idewire--run-words (agent folder)
  "The command for AGENT in FOLDER, connected to this Emacs."
  (append idewire-command (list "run" agent folder)
          (when (process-live-p idewire--process)
            (list "--editor" (number-to-string (process-id idewire--process))))))

(defun idewire--open-terminal (agent folder)
  "Open a terminal with AGENT in FOLDER, and return its buffer."
  (let* ((words (idewire--run-words agent folder))
         (buffer (get-buffer-create (format "*idewire %s*" agent)))
         (default-directory (file-name-as-directory folder)))
    (idewire--display-terminal buffer)
    (with-current-buffer buffer
      (setq default-directory (file-name-as-directory folder))
      (cond
       ((require 'vterm nil t)
        (let ((vterm-shell (mapconcat #'shell-quote-argument words " ")))
          (vterm-mode)))
       ((require 'eat nil t)
        (eat-mode)
        (eat-exec buffer agent (car words) nil (cdr words)))
       (t
        (require 'term)
        (term-mode)
        (term-exec buffer agent (car words) nil (cdr words))
        (term-char-mode)
        ;; The usual prefix goes to Emacs, not to the agent.
        (setq-local term-prompt-regexp "^")
        (when-let ((process (get-buffer-process buffer)))
          (set-process-query-on-exit-flag process nil)))))
    buffer))

(defun idewire--display-terminal (buffer)
  "Show BUFFER beside the windows of the frame, and go there."
  (select-window
   (display-buffer buffer
                   (list #'display-buffer-in-direction
                         (cons 'direction idewire-run-direction)
                         (cons 'window 'root)
                         (cons (if (memq idewire-run-direction '(left right))
                                   'window-width 'window-height)
                               idewire-run-size)))))

;;;###autoload
(defun idewire-run (&optional agent)
  "Run AGENT in a terminal, connected to this Emacs; again: go there, or hide it.
With a prefix argument, ask which one."
  (interactive
   (list (when current-prefix-arg
           (completing-read "Agent: " '("claude" "gemini" "qwen" "copilot" "opencode" "codex")
                            nil nil nil nil idewire-run-agent))))
  (let* ((name (or agent idewire-run-agent))
         (buffer (get-buffer (format "*idewire %s*" name)))
         (window (and buffer (get-buffer-window buffer))))
    (cond
     ((not (and buffer (process-live-p (get-buffer-process buffer))))
      (when buffer (kill-buffer buffer))
      (idewire--when-listening
       (lambda () (idewire--guarded
                    (idewire--open-terminal name (car (idewire--list-folders)))))))
     ((null window) (idewire--display-terminal buffer))
     ((and (eq window (selected-window)) (not (one-window-p))) (delete-window window))
     (t (select-window window)))))

(defun idewire--when-listening (run)
  "Call RUN once agents can find this Emacs."
  (unless idewire-mode (idewire-mode 1))
  (if (memq idewire--state '(listening joined))
      (funcall run)
    (setq idewire--waiters (append idewire--waiters (list run)))
    (idewire--start)
    (when (memq idewire--state '(off failed))
      (setq idewire--waiters nil)
      (idewire--notice "%s" idewire--message))))

(defconst idewire--hooks
  '((post-command-hook . idewire--after-command)
    (find-file-hook . idewire--found-file)
    (first-change-hook . idewire--changed-later)
    (after-save-hook . idewire--changed-later)
    (after-revert-hook . idewire--changed-later)
    (buffer-list-update-hook . idewire--changed-later)
    (window-configuration-change-hook . idewire--note-hidden)
    (flycheck-after-syntax-check-hook . idewire--announce-diagnostics)
    (kill-emacs-hook . idewire--stop))
  "What `idewire-mode' follows.")

;;;###autoload
(define-minor-mode idewire-mode
  "Make this Emacs the editor of the coding agents in its folder."
  :global t
  :lighter (:eval (idewire-mode-line))
  (pcase-dolist (`(,hook . ,function) idewire--hooks)
    (if idewire-mode (add-hook hook function) (remove-hook hook function)))
  (when idewire--diagnostics-timer
    (cancel-timer idewire--diagnostics-timer)
    (setq idewire--diagnostics-timer nil))
  (if (not idewire-mode)
      (progn (idewire--release)
             (idewire--stop))
    (setq idewire--failures 0)
    (clrhash idewire--roots)
    (setq idewire--diagnostics-timer
          (run-with-idle-timer 0.5 t #'idewire--announce-diagnostics))
    (when (seq-some (lambda (buffer)
                      (when-let ((path (idewire--path buffer)))
                        (not (idewire--message-p path))))
                    (buffer-list))
      (idewire--guarded (idewire--start)))))

(provide 'idewire)
;;; idewire.el ends here
