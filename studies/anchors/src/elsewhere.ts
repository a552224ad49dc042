import {
  CommentStore,
  createMemoryWorkspace,
  type LocatedComment,
  type SourceReader,
} from "@idewire/paired-comments";
import type { MemoryWorkspace } from "@idewire/paired-comments/internal";
import type { CandidateTally } from "./candidate-tally.ts";
import type { Lines } from "./method.ts";
import { type Case, casesOf } from "./oracle/cases.ts";
import type { Pick } from "./oracle/constructed.ts";
import { leaving, wentElsewhere } from "./oracle/leaving.ts";
import { factsOf } from "./oracle/source-facts.ts";
import { type Random, sample } from "./sample.ts";
import type { Tally } from "./tally.ts";

const mostComments = 6;

/** A comment of a file, and the current place of its code. */
export interface Move {
  readonly line: number;
  readonly endLine: number;
  readonly to: { readonly filePath: string; readonly line: number };
}

/** A change of some sources, and the comments of one of them. */
export interface Change {
  readonly class: string;
  readonly path: string;
  /** Sources by path; undefined for a deleted one. */
  readonly after: Readonly<Record<string, string | undefined>>;
  readonly moves: readonly Move[];
}

export interface ElsewhereOptions {
  readonly reader: SourceReader;
  readonly candidates: CandidateTally;
  readonly tally: Tally;
  readonly random: Random;
}

/** Two versions of the sources of a package, by path. */
export interface PackageVersions {
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
}

/** Evaluates our own method, through a store, on code that has left its file. */
export class ElsewhereEvaluation {
  readonly #options: ElsewhereOptions;

  constructor(options: ElsewhereOptions) {
    this.#options = options;
  }

  /** A declaration moves to another source: between versions, and constructed with the same name and with a new one. */
  async addMoves(path: string, versions: PackageVersions): Promise<void> {
    const { before, after } = versions;
    const pick: Pick = (facts) => facts[Math.floor(this.#options.random() * facts.length)];
    const others = Object.keys(before).filter((each) => each !== path && isAlike(each, path));
    const other = others[Math.floor(this.#options.random() * others.length)];
    const changes =
      other === undefined
        ? []
        : [false, true].map((isRenamed) =>
            leaving(
              {
                path,
                source: before[path] ?? "",
                other,
                otherSource: before[other] ?? "",
                isRenamed,
              },
              pick,
            ),
          );
    for (const change of changes) if (change !== undefined) await this.#addChange(change, before);
    const went = wentElsewhere(path, versions);
    if (went !== undefined) await this.#addChange(went, { ...after, [path]: before[path] ?? "" });
  }

  /** A source is renamed, moved to another folder, or both, together with its new version; or it is deleted. */
  async addRenamedFile(path: string, { before, after }: PackageVersions): Promise<void> {
    const [old = "", fresh = ""] = [before[path], after[path]];
    const cases = casesOf(factsOf(path, old), factsOf(path, fresh));
    const alive = cases.filter(({ expected }) => expected !== undefined);
    const comments = sample(alive, mostComments, this.#options.random);
    if (comments.length === 0) return;
    const to = path.replace(/([^/]+)(\.\w+)$/, "elsewhere/new-$1$2");
    const { [path]: _, ...rest } = after;
    const { store, workspace, ids } = await this.#commented(path, comments, before);
    const judge = async (name: string, cases: readonly Case[]) => {
      const file = await store.file(path);
      const found = new Map(file.comments.map((each) => [each.comment.id, each.place]));
      for (const [index, each] of cases.entries()) {
        const place = found.get(ids[index] ?? "");
        const isFound = file.filePath !== path && place?.status !== "orphaned";
        this.#options.tally.add(name, "idewire", each, isFound ? place : undefined);
      }
    };
    setSources(workspace, rest);
    await judge(
      "version, deleted file",
      comments.map((each) => ({ ...each, expected: undefined })),
    );
    setSources(workspace, { ...rest, [to]: fresh });
    await judge("version, renamed file", comments);
    const moved = path.replace(/([^/]+)$/, "elsewhere/$1");
    setSources(workspace, { ...rest, [moved]: fresh });
    await judge("version, file in another folder", comments);
    setSources(workspace, { ...rest, [to]: old });
    await judge(
      "made: renamed file",
      comments.map((each) => ({ ...each, expected: { line: each.line, endLine: each.endLine } })),
    );
  }

  async #addChange(change: Change, before: Readonly<Record<string, string>>): Promise<void> {
    const { path, after } = change;
    const moves = sample(change.moves, mostComments, this.#options.random);
    if (moves.length === 0) return;
    const { store, workspace, ids } = await this.#commented(path, moves, before);
    setSources(workspace, { ...before, ...after });
    const file = await store.fileWithCandidates(path);
    const found = new Map(file.comments.map((each) => [each.comment.id, each]));
    for (const [index, move] of moves.entries()) {
      const located = found.get(ids[index] ?? "");
      if (located !== undefined) await this.#judge(change, move, located, store);
    }
  }

  async #judge(
    change: Change,
    { to }: Move,
    located: LocatedComment,
    store: CommentStore,
  ): Promise<void> {
    const { status, candidates } = located.place;
    const isLost = status === "orphaned" || status === "ambiguous";
    const isRight = candidates.map(
      ({ filePath = change.path, line }) => filePath === to.filePath && line === to.line,
    );
    const [first] = candidates;
    let isHome = false;
    if (isLost && first !== undefined) {
      const target = {
        filePath: first.filePath ?? change.path,
        line: first.line,
        quote: first.text,
      };
      const moved = await store.move(change.path, located.comment.id, target);
      isHome = moved.to.filePath === to.filePath && moved.to.marker.line === to.line;
    }
    this.#options.candidates.add(change.class, {
      isLost,
      isAmong: isRight.includes(true),
      isFirst: isRight[0] === true,
      isHome,
    });
  }

  async #commented(
    filePath: string,
    comments: readonly Lines[],
    sources: Readonly<Record<string, string>>,
  ): Promise<{
    readonly store: CommentStore;
    readonly workspace: MemoryWorkspace;
    readonly ids: readonly string[];
  }> {
    const workspace = createMemoryWorkspace(sources);
    const store = new CommentStore({ workspace, reader: this.#options.reader });
    const ids: string[] = [];
    for (const { line, endLine } of comments) {
      const wanted = {
        filePath,
        line,
        endLine,
        text: "NOTE",
        tag: "NOTE",
        author: "bench",
      } as const;
      ids.push((await store.add(wanted)).comment.id);
    }
    return { store, workspace, ids };
  }
}

/** The comments remain. */
function setSources(
  { files }: MemoryWorkspace,
  sources: Readonly<Record<string, string | undefined>>,
): void {
  for (const path of [...files.keys()]) if (!path.endsWith(".comments")) files.delete(path);
  for (const [path, text] of Object.entries(sources)) if (text !== undefined) files.set(path, text);
}

function isAlike(a: string, b: string): boolean {
  return a.split(".").at(-1) === b.split(".").at(-1);
}
