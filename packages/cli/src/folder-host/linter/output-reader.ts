import type { PosixPath } from "@idewire/core";
import type { ProblemMatcher } from "../provider-options.ts";
import { BuildDirectory } from "./build-directory.ts";
import { builtInMatchers } from "./built-in-matchers.ts";
import { withoutPrefixes } from "./line-prefix.ts";
import { type LinterProblem, MatcherRun, resolveFile } from "./matcher-run.ts";
import { runWithin } from "./time-limit.ts";

/**
 * The number of lines read at a time, the time limit for these, and the limit of CPU time for a whole output:
 * CPU time, because wall time on a busy machine would not indicate slow expressions.
 */
const SLICE_LINES = 200;
const SLICE_MS = 1_000;
const TOTAL_CPU_MS = 5_000;

/** The line of `go test` at the end of a package, whose tests name files without their folder. */
const PACKAGE_END = /^(?:FAIL|ok)\s+(\S+)\s+(?:\d+\.\d+s|\(cached\)|(\[(?:build|setup) failed\]))/;

/** Finds the problems in one run's output, by the named matchers, or by the first that fits. */
export class OutputReader {
  /** Reading took too long and was stopped. */
  isTooSlow = false;
  /** A single line took too long: the regular expressions are unusable. */
  #isHung = false;
  readonly #matchers: readonly ProblemMatcher[] | undefined;
  readonly #folder: PosixPath;
  /** The lines as they are, and from the first one with a prefix on, without prefixes. */
  readonly #whole: Reading;
  #plain: Reading | undefined;
  #lines: (readonly [stream: 0 | 1, line: string])[] = [];
  #spentCpuMs = 0;

  constructor(matchers: readonly ProblemMatcher[] | undefined, folder: PosixPath) {
    this.#matchers = matchers;
    this.#folder = folder;
    this.#whole = new Reading(matchers, folder);
  }

  push(stream: 0 | 1, line: string): void {
    if (this.isTooSlow) return;
    this.#lines.push([stream, line]);
    if (this.#lines.length >= SLICE_LINES) this.#read();
  }

  /** All problems found. */
  end(): readonly LinterProblem[] {
    this.#read();
    if (this.#isHung) return [];
    const whole = this.#whole.problems;
    const plain = this.#plain?.problems ?? [];
    // A generic matcher takes a prefix for a part of the file's name.
    return plain.length >= whole.length ? plain : whole;
  }

  #read(): void {
    const lines = this.#lines;
    this.#lines = [];
    const before = process.cpuUsage();
    const isDone = runWithin(SLICE_MS, () => {
      for (const [stream, line] of lines) this.#readLine(stream, line);
    });
    const { user, system } = process.cpuUsage(before);
    this.#spentCpuMs += (user + system) / 1_000;
    this.#isHung ||= !isDone;
    this.isTooSlow ||= this.#isHung || this.#spentCpuMs > TOTAL_CPU_MS;
  }

  #readLine(stream: 0 | 1, line: string): void {
    this.#whole.push(stream, line);
    const plain = withoutPrefixes(line);
    if (plain !== undefined) this.#plain ??= new Reading(this.#matchers, this.#folder);
    this.#plain?.push(stream, plain?.line ?? line, plain?.directory);
  }
}

/** One way to read the lines of an output. */
class Reading {
  readonly #isNamed: boolean;
  readonly #folder: PosixPath;
  readonly #candidates: readonly (readonly [stdout: MatcherRun, stderr: MatcherRun])[];
  /** Shared by both streams: a build prints the directories on one, its errors on the other. */
  readonly #directory: BuildDirectory;

  constructor(matchers: readonly ProblemMatcher[] | undefined, folder: PosixPath) {
    this.#folder = folder;
    this.#directory = new BuildDirectory(folder);
    this.#isNamed = matchers !== undefined;
    this.#candidates = (matchers ?? Object.values(builtInMatchers)).map(
      (matcher) => [new MatcherRun(matcher, folder), new MatcherRun(matcher, folder)] as const,
    );
  }

  /** @param named the directory that the line names */
  push(stream: 0 | 1, line: string, named?: string): void {
    this.#directory.push(line);
    const own = named === undefined ? undefined : resolveFile(this.#folder, named);
    const directory = own ?? this.#directory.current;
    for (const runs of this.#candidates) runs[stream].push(line, directory);
    const [, name, failed] = PACKAGE_END.exec(line) ?? [];
    if (name === undefined) return;
    for (const run of this.#candidates.flat()) {
      run.endPackage(failed === undefined ? name : undefined);
    }
  }

  get problems(): readonly LinterProblem[] {
    const found = this.#candidates.map((runs) => runs.flatMap(({ problems }) => problems));
    if (this.#isNamed) return found.flat();
    // A matcher for a specific tool finds more in each line than a generic one.
    const most = Math.max(...found.map(({ length }) => length));
    return found.find(({ length }) => length * 2 >= most) ?? [];
  }
}
