import { type Diagnostic, type PosixPath, toPosixPath } from "@idewire/core";
import type { EditorCommandMembers } from "@idewire/core/internal";
import { platform } from "@idewire/node-server/internal";
import { toNative } from "@idewire/node-server/internal/files";
import { OutputLines } from "../folder-host/command/output-lines.ts";
import { builtInMatchers } from "../folder-host/linter/built-in-matchers.ts";
import { locateProblems } from "../folder-host/linter/located-problems.ts";
import { OutputReader } from "../folder-host/linter/output-reader.ts";
import type { ProblemMatcher } from "../folder-host/provider-options.ts";

/** Enough of a line to recognise it. */
const MAX_SHOWN = 200;

/** How output is read, and what an empty result means. */
export interface ReadProblemsOptions {
  /** Native and absolute; the base of relative paths. */
  readonly cwd: string;
  /** Detected when left out, as with `idewire serve --lint`. */
  readonly matchers?: readonly ProblemMatcher[] | undefined;
  /** An empty result means no problems: earlier ones are cleared. */
  readonly allowEmpty: boolean;
}

/**
 * Reads the output of compilers and linters, always to the end: a closed pipe would terminate them. @throws
 * Error with a message for the person if nothing is found
 */
export async function readProblems(
  input: AsyncIterable<Buffer | string>,
  { cwd, matchers, allowEmpty }: ReadProblemsOptions,
): Promise<EditorCommandMembers<string>["setDiagnostics"]["files"]> {
  const folder = folderOf(cwd);
  const reader = new OutputReader(matchers, folder);
  let firstLine = "";
  const lines = new OutputLines((line) => {
    firstLine ||= line.trim().slice(0, MAX_SHOWN);
    reader.push(0, line);
  });
  for await (const chunk of input) lines.push(Buffer.from(chunk));
  lines.end();
  const files = new Map<string, Diagnostic[]>();
  for (const { path, diagnostic } of await locateProblems(reader.end(), folder)) {
    const native = toNative(path);
    files.set(native, [...(files.get(native) ?? []), diagnostic]);
  }
  if (files.size === 0 && reader.isTooSlow) throw new Error("reading the output takes too long");
  if (files.size === 0 && !allowEmpty) throw new Error(explain(firstLine));
  return [...files].map(([path, diagnostics]) => ({ path, diagnostics }));
}

function folderOf(cwd: string): PosixPath {
  const folder = toPosixPath(cwd, platform);
  if (folder.ok) return folder.value;
  throw new Error(folder.issue);
}

function explain(firstLine: string): string {
  const forms = Object.keys(builtInMatchers).join(", ");
  const seen =
    firstLine === ""
      ? "stdin was empty"
      : `no problem was found in the input, which begins with ${JSON.stringify(firstLine)}; supported formats: ${forms} (file:line:column: message), or name one with --matcher`;
  return `${seen}; nothing was changed. If this means that there are no problems, add --allow-empty`;
}
