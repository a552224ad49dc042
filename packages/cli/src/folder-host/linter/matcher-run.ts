import {
  type Diagnostic,
  type DiagnosticSeverity,
  isInside,
  type PosixPath,
  toPosixPath,
} from "@idewire/core";
import { platform } from "@idewire/node-server/internal";
import { joinPath, parentOf } from "@idewire/node-server/internal/files";
import type { ProblemMatcher, ProblemPattern } from "../provider-options.ts";

/** The most problems found in a run. */
const MAX_PROBLEMS = 2_000;

/** A longer message is cut. */
const MAX_MESSAGE_LENGTH = 2_000;

/** A problem and its file. */
export interface LinterProblem {
  readonly path: PosixPath;
  readonly diagnostic: Diagnostic;
  /** The package that the output names afterwards for a file without a folder. */
  readonly within?: string;
}

type MatchedFields = Partial<Record<FieldName, string>>;

const FIELDS = [
  "file",
  "location",
  "line",
  "column",
  "endLine",
  "endColumn",
  "severity",
  "code",
  "message",
] as const;
type FieldName = (typeof FIELDS)[number];

/** Finds the problems in one output, line by line, by one matcher. */
export class MatcherRun {
  readonly problems: LinterProblem[] = [];
  /** As text: a compiler may repeat a problem for each file that includes another. */
  readonly #output = new Set<string>();
  readonly #matcher: ProblemMatcher;
  readonly #patterns: readonly CompiledPattern[];
  readonly #folder: PosixPath;
  /** Undefined for the folder, or the directory that a build has entered. */
  readonly #base: PosixPath | undefined;
  #directory: PosixPath | undefined;
  /** How many problems belong to packages that have ended. */
  #ended = 0;
  /** The fields that earlier lines have contributed to the current problem. */
  #fields: MatchedFields = {};
  #at = 0;

  /** @throws SyntaxError when the matcher has an invalid regular expression */
  constructor(matcher: ProblemMatcher, folder: PosixPath) {
    this.#matcher = matcher;
    this.#patterns = patternsOf(matcher).map(compile);
    this.#folder = folder;
    this.#base = baseOf(matcher, folder);
  }

  /** @param directory the base of relative files, unless the matcher defines it */
  push(line: string, directory?: PosixPath): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    this.#directory = directory;
    if (this.#match(line) || this.#at === 0) return;
    // A line that does not continue a problem may start another one, or be in between.
    const { between } = this.#patterns[this.#at] ?? {};
    if (between !== undefined && this.#replaceFile(line)) return;
    if (between?.test(line)) return;
    this.#at = 0;
    this.#match(line);
  }

  /** A package ends; undefined for one whose files have their folders. */
  endPackage(name: string | undefined): void {
    for (let at = this.#ended; name !== undefined && at < this.problems.length; at += 1) {
      const problem = this.problems[at];
      if (problem === undefined || parentOf(problem.path) !== this.#folder) continue;
      this.problems[at] = { ...problem, within: name };
    }
    this.#ended = this.problems.length;
    if (name !== undefined) this.#output.clear();
  }

  /**
   * Replaces the place of the first frame. The error is in the last frame, but an error in a library is caused
   * by the last frame of the folder's own files.
   */
  #replaceFile(line: string): boolean {
    const [first] = this.#patterns;
    const found = first?.regexp.exec(line);
    if (first === undefined || !found) return false;
    const fields = read(first.spec, found, false);
    if (this.#isOwn(fields.file) || !this.#isOwn(this.#fields.file)) this.#fields = fields;
    return true;
  }

  #isOwn(file: string | undefined): boolean {
    const path = file === undefined ? undefined : resolveFile(this.#baseNow, file);
    if (path === undefined || !isInside(this.#folder, path, platform)) return false;
    return !/\/(site-packages|dist-packages|node_modules|\.?venv)\//.test(path);
  }

  get #baseNow(): PosixPath {
    return this.#base ?? this.#directory ?? this.#folder;
  }

  #match(line: string): boolean {
    const pattern = this.#patterns[this.#at];
    const found = pattern?.regexp.exec(line);
    if (pattern === undefined || !found) return false;
    const { spec } = pattern;
    const fields = { ...(this.#at === 0 ? {} : this.#fields), ...read(spec, found, this.#isOnly) };
    const isLast = this.#at === this.#patterns.length - 1;
    if (!isLast) {
      this.#fields = fields;
      this.#at += 1;
      return true;
    }
    this.#add(fields);
    if (spec.loop !== true) this.#at = 0;
    return true;
  }

  get #isOnly(): boolean {
    return this.#patterns.length === 1;
  }

  #add(fields: MatchedFields): void {
    const { file, message = "", code, severity } = fields;
    if (file === undefined || message.trim() === "") return;
    const path = resolveFile(this.#baseNow, file);
    const range = this.#patterns[0]?.spec.kind === "file" ? rangeOf({}) : rangeOf(fields);
    if (path === undefined || range === undefined) return;
    const source = this.#matcher.source ?? this.#matcher.owner;
    const diagnostic = {
      range,
      severity: severityOf(severity, this.#matcher.severity),
      message: message.trim().slice(0, MAX_MESSAGE_LENGTH),
      ...(source !== undefined && { source }),
      ...(code !== undefined && { code: code.slice(0, 200) }),
    };
    const output = JSON.stringify([path, diagnostic]);
    if (this.#output.has(output)) return;
    this.#output.add(output);
    this.problems.push({ path, diagnostic });
  }
}

interface CompiledPattern {
  readonly spec: ProblemPattern;
  readonly regexp: RegExp;
  readonly between: RegExp | undefined;
}

function compile(spec: ProblemPattern): CompiledPattern {
  const { regexp, between } = spec;
  const compiled = between === undefined ? undefined : new RegExp(between);
  return { spec, regexp: new RegExp(regexp), between: compiled };
}

function patternsOf({ pattern }: ProblemMatcher): readonly ProblemPattern[] {
  return [pattern].flat();
}

/** By default, the file of a single pattern is its first group, and the message its whole match. */
function read(spec: ProblemPattern, found: RegExpExecArray, isOnly: boolean): MatchedFields {
  const fields: MatchedFields = {};
  const defaults = isOnly ? { file: 1, message: 0 } : undefined;
  for (const name of FIELDS) {
    const value = found[spec[name] ?? defaults?.[name as "file"] ?? -1];
    if (value !== undefined && value !== "") fields[name] = value;
  }
  return fields;
}

/** Converts a 1-based number to a 0-based one; undefined if invalid. */
function rangeOf(fields: MatchedFields): Diagnostic["range"] | undefined {
  const [l, c, el, ec] = fields.location?.split(/[,:.]/) ?? [];
  const line = toIndex(fields.line ?? l ?? "1");
  const character = toIndex(fields.column ?? c ?? "1");
  if (line === undefined || character === undefined) return undefined;
  const start = { line, character };
  const endLine = toIndex(fields.endLine ?? el ?? `${line + 1}`) ?? line;
  const endCharacter = toIndex(fields.endColumn ?? ec ?? "0");
  if (endCharacter === undefined) return { start, end: start };
  const isBackward = endLine < line || (endLine === line && endCharacter < character);
  return { start, end: isBackward ? start : { line: endLine, character: endCharacter } };
}

function toIndex(text: string): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return number > 0 ? number - 1 : undefined;
}

function severityOf(word: string | undefined, otherwise = "error"): DiagnosticSeverity {
  const first = (word ?? otherwise).toLowerCase();
  // Biome prints a sign instead of a word.
  if (/^(?:user )?(?:[w!]|deprecat)/.test(first)) return "warning";
  if (/^(?:user )?(?:i|note|notice|message)/.test(first)) return "information";
  if (/^(hint|help)/.test(first)) return "hint";
  return "error";
}

/** VS Code's `["relative", "${workspaceFolder}/src"]`. */
function baseOf({ fileLocation }: ProblemMatcher, folder: PosixPath): PosixPath | undefined {
  const [, base] = Array.isArray(fileLocation) ? (fileLocation as readonly string[]) : [];
  if (base === undefined) return undefined;
  const named = base.replace(/^\$\{(workspaceFolder|workspaceRoot|cwd)\}[\\/]?/, "");
  return named === "" ? folder : (resolveFile(folder, named) ?? folder);
}

/** A path of a program's output; undefined for text that is not a path. */
export function resolveFile(base: PosixPath, file: string): PosixPath | undefined {
  const absolute = toPosixPath(file, platform);
  if (absolute.ok) return absolute.value;
  const joined = toPosixPath(
    joinPath(base, file.replaceAll("\\", platform === "windows" ? "/" : "\\")),
    "posix",
  );
  return joined.ok ? joined.value : undefined;
}
