import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DiffAnswer } from "../../../tests/src/editor-contract.ts";
import { builtBin } from "../../../tests/src/line-program.ts";
import type { Workspace } from "../../../tests/src/reference-clients/serve-context.ts";
import { Editor, type EditorKind, type EditorOptions, type Facts } from "../../test/editor.ts";

const library = fileURLToPath(new URL("../idewire.el", import.meta.url));

/** The directories of those libraries that are installed, by this machine's `load-path` with `EMACSLOADPATH`. */
export function directoriesOf(...libraries: readonly string[]): readonly string[] {
  return libraries.flatMap((name) => {
    const form = `(princ (or (locate-library "${name}") ""))`;
    const { stdout } = spawnSync("emacs", ["--batch", "--eval", form], { encoding: "utf8" });
    return stdout ? [dirname(stdout)] : [];
  });
}

/** A text as a string literal of Emacs Lisp. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

const inUse = "(window-buffer (selected-window))";

const facts: Readonly<Record<keyof Facts, string>> = {
  state: "(symbol-name (plist-get (idewire-status) :state))",
  hostPid: "(process-id idewire--process)",
  editorPid: "(emacs-pid)",
  pending: "(length (idewire-pending-diffs))",
  agents: "(length (plist-get (idewire-status) :agents))",
  windows: "(length (window-list))",
  text: `(with-current-buffer ${inUse} (substring-no-properties (buffer-string)))`,
  isFile: `(if (idewire--path ${inUse}) t :false)`,
  isCurrent: "(plist-get (cdr (assq 'selection (idewire--read-state))) :focused)",
  ranges: `(progn (idewire--note-selection) (plist-get (idewire--selection) :ranges))`,
  notices: '(with-current-buffer "*Messages*" (substring-no-properties (buffer-string)))',
  sentStates: "idewire-test-count",
  column: `(with-current-buffer ${inUse} (- (point) (line-beginning-position)))`,
  readMs:
    "(let ((start (float-time (get-internal-run-time)))) (idewire--read-state) (truncate (* 1000 (- (float-time (get-internal-run-time)) start))))",
};

/** An Emacs in a terminal. */
export class Emacs extends Editor {
  readonly #server: string;
  readonly #folder: string;

  constructor(workspace: Workspace, options: EditorOptions = {}) {
    const { root } = workspace.fixture;
    const name = randomBytes(6).toString("hex");
    const init = join(root, `${name}.el`);
    // Emacs requires a folder that only its user can open.
    const folder = join(root, name);
    const command = (options.command ?? [process.execPath, builtBin]).map(quote).join(" ");
    writeFileSync(
      init,
      [
        `(setq server-socket-dir ${quote(folder)} server-name "server")`,
        "(setq make-backup-files nil auto-save-default nil create-lockfiles nil)",
        // Otherwise Emacs compiles the loaded libraries, and shows warnings about them.
        "(setq native-comp-deferred-compilation nil native-comp-jit-compilation nil)",
        "(setq native-comp-enable-subr-trampolines nil)",
        "(setq large-file-warning-threshold nil)",
        // Otherwise copying a region moves the cursor to its other end for a moment.
        "(setq copy-region-blink-delay 0)",
        "(server-start)",
        `(load ${quote(library)} nil t)`,
        `(setq idewire-command '(${command}))`,
        options.share === undefined ? "" : `(setq idewire-share '${options.share})`,
        options.reviews === false ? "(setq idewire-review-function nil)" : "",
        options.code ?? "",
        "(idewire-mode 1)",
      ].join("\n"),
    );
    super(workspace, ["emacs", "-nw", "-Q", "-l", init, ...(options.files ?? [])], options);
    this.#server = join(folder, "server");
    this.#folder = workspace.folder;
  }

  /** Runs a command by its name, as `M-x` does. */
  command(name: string): void {
    this.keys("M-x");
    this.type(name);
    this.keys("Enter");
  }

  evaluate(expression: string): string {
    const args = ["-s", this.#server, "--eval", expression];
    const { stdout, stderr } = spawnSync("emacsclient", args, {
      encoding: "utf8",
      timeout: 5_000,
      // Emacs evaluates the expression in this directory.
      cwd: this.#folder,
    });
    return (stdout || stderr).trim();
  }

  protected expressionOf(fact: keyof Facts): string {
    // Emacs 30 returns bytes, Emacs 28 characters.
    return `(string-as-multibyte (json-serialize (vector ${facts[fact]})))`;
  }

  protected parse(evaluated: string): unknown {
    return (JSON.parse(JSON.parse(evaluated)) as unknown[])[0];
  }

  right(count: number): void {
    this.keys("-N", String(count), "C-f");
  }

  down(): void {
    this.keys("C-n");
  }

  selectRight(count: number): void {
    this.keys("C-Space", ...repeated("C-f", count));
  }

  selectFromEnd(count: number): void {
    this.keys("C-e", "C-Space", ...repeated("C-b", count));
  }

  selectLine(): void {
    this.keys("C-a", "C-Space", "C-e");
  }

  selectTwoLines(): void {
    this.keys("C-a", "C-Space", "C-n", "C-e");
  }

  selectAll(): void {
    this.keys("M-<", "C-Space", "M->");
  }

  selectBlock(width: number, height: number): void {
    this.keys("C-x", "Space", ...repeated("C-n", height - 1), ...repeated("C-f", width));
  }

  /** Not by C-g: three of them abort whatever Emacs is doing, including its hooks. */
  endSelection(): void {
    this.keys("M-w");
  }

  leaveFile(): void {
    this.#switchTo("*scratch*");
  }

  openFile(name: string): void {
    this.keys("C-x", "C-f");
    this.type(name);
    this.keys("Enter");
  }

  typeAtEnd(text: string): void {
    this.keys("M->");
    this.type(text);
  }

  endTyping(): void {
    this.keys("C-a");
  }

  splitWindow(): void {
    this.keys("C-x", "3");
  }

  insertAbove(line: string): void {
    const insert = `(save-excursion (goto-char (point-min)) (insert ${quote(`${line}\n`)}))`;
    this.evaluate(`(with-current-buffer "a.txt" ${insert})`);
  }

  quit(): void {
    this.keys("C-x", "C-c");
  }

  accept(): void {
    this.keys("C-c", "C-c");
  }

  acceptByName(): void {
    this.command("idewire-accept");
  }

  reject(): void {
    this.keys("C-c", "C-k");
  }

  listDiffs(): void {
    this.command("idewire-diffs");
  }

  appendToProposal(line: string): void {
    this.keys("C-x", "o", "C-x", "o", "M->");
    this.type(line);
    this.keys("Enter");
  }

  discardProposal(): void {
    this.evaluate(
      '(dolist (buffer (buffer-list)) (when (string-prefix-p "*proposal " (buffer-name buffer)) (kill-buffer buffer)))',
    );
  }

  sendTwoLines(): void {
    this.keys("M-<", "C-n", "C-Space", "C-n", "C-n");
    this.command("idewire-send");
  }

  sendFile(): void {
    this.command("idewire-send");
  }

  share(level: string): void {
    this.command("idewire-share");
    this.type(level);
    this.keys("Enter");
  }

  showSent(): void {
    this.command("idewire-sent");
  }

  runAgent(): void {
    this.command("idewire-run");
  }

  leaveAgent(): void {
    this.keys("C-c");
  }

  edit(path: string, text: string, where: "above" | "all"): void {
    const erase = where === "all" ? "(erase-buffer)" : "";
    const change = `${erase} (goto-char (point-min)) (insert ${quote(text)})`;
    this.evaluate(
      `(with-current-buffer (idewire--load ${quote(path)}) (save-excursion ${change}))`,
    );
    this.evaluate("(idewire--flush)");
  }

  /** Emacs extends the active region to lines inserted at its start. */
  async deselect(path: string): Promise<void> {
    this.evaluate(`(with-current-buffer (idewire--load ${quote(path)}) (deactivate-mark))`);
  }

  answer(id: string, answer: DiffAnswer): boolean {
    const buffer = `(idewire--diff-buffer (idewire--diff-of ${quote(id)}))`;
    const fill = `(with-current-buffer ${buffer} (idewire--fill text))`;
    const act = {
      accepted: `${fill} (idewire-accept ${quote(id)})`,
      rejected: `(idewire-reject ${quote(id)})`,
      closed: `(kill-buffer ${buffer})`,
    }[answer.kind];
    const text = answer.kind === "accepted" ? answer.text : "";
    const body = `(let ((text ${quote(text)})) (ignore text) ${act} t)`;
    return this.evaluate(`(when (idewire--diff-of ${quote(id)}) ${body})`) === "t";
  }

  #switchTo(buffer: string): void {
    this.keys("C-x", "b");
    this.type(buffer);
    this.keys("Enter");
  }
}

function repeated(key: string, count: number): readonly string[] {
  return Array.from({ length: count }, () => key);
}

const countsStates = `(defvar idewire-test-count 0)
  (advice-add 'idewire--send :before (lambda (message)
    (when (equal (plist-get message :method) "host/state")
      (setq idewire-test-count (1+ idewire-test-count)))))`;

const reportsProblem = `(add-hook 'find-file-hook (lambda ()
  (add-hook 'flymake-diagnostic-functions
    (lambda (report &rest _)
      (funcall report (list (flymake-make-diagnostic (current-buffer) 1 4 :error "wrong")))) nil t)
  (flymake-mode 1)))`;

/** Runs Emacs with the configuration for users without use-package, and prints an expression. */
function evaluateIn(
  { env, folder }: Workspace,
  lines: readonly string[],
  expression: string,
): string {
  const config = join(env.HOME, ".emacs.d");
  mkdirSync(config, { recursive: true });
  const [, last = ""] = lines.join("\n").split(";; Without use-package:\n;; ");
  writeFileSync(join(config, "init.el"), last);
  const words = ["--batch", "-l", join(config, "init.el"), "--eval", `(princ ${expression})`];
  const { PATH = "" } = process.env;
  const { stdout } = spawnSync("emacs", words, {
    encoding: "utf8",
    cwd: folder,
    env: { ...env, PATH },
  });
  return stdout;
}

export const emacs: EditorKind = {
  name: "Emacs",
  word: "emacs",
  program: "emacs",
  start: (workspace, options) => new Emacs(workspace, options),
  review: "proposal by Claude Code",
  diffsCommand: "M-x idewire-diffs",
  hidings: [
    ["leaving Ediff", (editor) => pressEach(editor, ["q", "y"])],
    [
      "showing other windows",
      (editor) => pressEach(editor, ["C-x", "o", "C-x", "b", "a.md", "Enter", "C-x", "1"]),
    ],
  ],
  countsStates,
  reportsProblem,
  entry: "idewire.el",
  versions: [
    { file: "idewire.el", pattern: /^;; Version: (\S+)$/m },
    { file: "idewire.el", pattern: /defconst idewire--version "([^"]+)"/ },
  ],
  place: ".emacs.d/idewire",
  configuredState: (workspace, lines) =>
    evaluateIn(workspace, lines, "(plist-get (idewire-status) :state)"),
};

function pressEach(editor: Editor, keys: readonly string[]): void {
  for (const key of keys) editor.keys(key);
}
