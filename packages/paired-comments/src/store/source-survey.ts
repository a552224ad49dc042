import { hashText } from "../anchors/units/token.ts";
import { hashOfSource } from "../anchors/units/unit-builder.ts";
import type { CommentWorkspace } from "./workspace.ts";

const largestFile = 500_000;

/** The last version of a source that was read; a new object for a new text. */
export interface SourceFile {
  readonly path: string;
  /** Differs for different texts. */
  readonly version: string;
  readonly hash: string;
  /** Hashes of its words, sorted. */
  readonly words: Uint32Array;
}

/** A cache of the words of sources; changed sources are read again. */
export class SourceWords {
  readonly #workspace: CommentWorkspace;
  readonly #read = new Map<string, SourceFile>();
  readonly #lists = new Map<string, readonly SourceFile[]>();

  constructor(workspace: CommentWorkspace) {
    this.#workspace = workspace;
  }

  /** Returns the same list object while none of the sources has changed. */
  async of(name: string, paths: readonly string[]): Promise<readonly SourceFile[]> {
    const files: SourceFile[] = [];
    // One at a time: the number of open files is limited.
    for (const path of paths) files.push(await this.#file(path));
    const before = this.#lists.get(name);
    if (before !== undefined && isEqual(before, files)) return before;
    for (const { path } of before ?? []) this.#read.delete(path);
    for (const file of files) this.#read.set(file.path, file);
    this.#lists.set(name, files);
    return files;
  }

  async #file(path: string): Promise<SourceFile> {
    const known = this.#read.get(path);
    // Taken before reading, so that a change meanwhile gives a different stamp.
    const stamp = this.#workspace.stamp?.(path)?.join();
    if (known !== undefined && known.version === stamp) return known;
    const source = (await this.#workspace.readSource(path).catch(() => undefined)) ?? "";
    const hash = hashOfSource(source);
    if (stamp === undefined && known?.version === hash) return known;
    const words = source.length > largestFile ? [] : [...new Set(wordsIn(source))];
    return { path, version: stamp ?? hash, hash, words: Uint32Array.from(words).sort() };
  }
}

/** A snapshot of the sources of a workspace: each is read once for any number of queries. */
export class SourceSurvey {
  readonly #workspace: CommentWorkspace;
  readonly #words: SourceWords;
  #commented: Promise<readonly string[]> | undefined;
  readonly #sources = new Map<string, Promise<readonly string[]>>();
  readonly #uncommented = new Map<string, Promise<readonly SourceFile[]>>();

  constructor(workspace: CommentWorkspace, words: SourceWords) {
    this.#workspace = workspace;
    this.#words = words;
  }

  /** Paths of sources with comments; the sources may be gone. */
  commented(): Promise<readonly string[]> {
    this.#commented ??= this.#workspace.list();
    return this.#commented;
  }

  /** Sources with one of the extensions. */
  sources(extensions: readonly string[]): Promise<readonly string[]> {
    return once(this.#sources, extensions.join(), () => this.#workspace.findSources(extensions));
  }

  /** Sources with one of the extensions and without comments. */
  uncommented(extensions: readonly string[]): Promise<readonly SourceFile[]> {
    const name = extensions.join();
    return once(this.#uncommented, name, async () => {
      const commented = new Set(await this.commented());
      const sources = await this.sources(extensions);
      return this.#words.of(
        name,
        sources.filter((path) => !commented.has(path)),
      );
    });
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const loading = known.get(key) ?? load();
  known.set(key, loading);
  return loading;
}

/** Do both lists have the same items, by identity? */
export function isEqual<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** Hashes of the words of a text of at least four characters. */
export function wordsIn(text: string): readonly number[] {
  return (text.match(/[\p{L}\p{N}_$]{4,}/gu) ?? []).map(hashText);
}

/** Does a source contain a word, given by its hash? */
export function containsWord({ words }: SourceFile, word: number): boolean {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? 0) < word) low = middle + 1;
    else high = middle;
  }
  return words[low] === word;
}
