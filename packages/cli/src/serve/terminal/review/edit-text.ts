import { type StdioOptions, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface EditTextOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file's name, by which the editor recognises the language. */
  readonly name: string;
  /** Whether the editor uses this terminal. */
  readonly onTerminal: boolean;
  /** Terminates the editor. */
  readonly signal: AbortSignal;
}

/** A text being edited. */
export interface EditedText {
  readonly text: string;
  /** The edited file; the caller discards it after reading the text. */
  readonly file: string;
  discard(): Promise<void>;
}

/**
 * Lets the person change a text in the editor of `$VISUAL` or `$EDITOR`.
 * @throws Error with a message when there is no editor, or it fails; no file remains then
 */
export async function editText(text: string, options: EditTextOptions): Promise<EditedText> {
  const editor = options.env["VISUAL"] || options.env["EDITOR"];
  if (!editor) throw new Error("No editor: set $VISUAL or $EDITOR, such as EDITOR=nano.");
  // Writing it to a file would change the text, even if not edited.
  if (/\p{Surrogate}/u.test(text)) {
    throw new Error("The text has a lone surrogate, which a file cannot represent.");
  }
  const folder = await mkdtemp(join(tmpdir(), "idewire-"));
  const discard = () => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, safeName(options.name));
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(editor, file, options);
    return { text: decode(await readFile(file), editor), file, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Exact to the byte; a byte order mark is part of the text. */
function decode(bytes: Uint8Array, editor: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`The text saved by ${editor} is not UTF-8.`);
  }
}

/** The agent chose the file's name: characters that are special to a shell, a terminal or a file system are removed. */
function safeName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}._ -]/gu, "_").replace(/^[.-]+/, "");
  return plain.slice(-100) || "proposal.txt";
}

/** The variable is a shell command, as with git: `code --wait` has an argument. */
function runEditor(editor: string, file: string, options: EditTextOptions): Promise<void> {
  const { onTerminal, env, signal } = options;
  const stdio: StdioOptions = onTerminal ? "inherit" : ["ignore", "ignore", "inherit"];
  const [program, args, shell] =
    process.platform === "win32"
      ? ([`${editor} "${file}"`, [], true] as const)
      : (["/bin/sh", ["-c", `${editor} "$@"`, editor, file], false] as const);
  const child = spawn(program, args, { stdio, env, signal, shell });
  return new Promise((resolve, reject) => {
    child.on("error", (error) =>
      reject(new Error(`${editor} could not be started: ${error.message}`)),
    );
    child.on("exit", (code, endedBy) => {
      if (code === 0) resolve();
      else if (code === 127) reject(new Error(`${editor} was not found.`));
      else reject(new Error(`${editor} exited with ${endedBy ?? code}.`));
    });
  });
}
