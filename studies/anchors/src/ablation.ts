import type {
  createSourceReader,
  makeAnchor,
  outlineOf,
  resolveAnchors,
} from "@idewire/paired-comments";
import { type Found, type Lines, type Method, readAndFind, type Source } from "./method.ts";

/** The functions of the package that the study calls. */
export interface Engine {
  readonly createSourceReader: typeof createSourceReader;
  readonly makeAnchor: typeof makeAnchor;
  readonly outlineOf: typeof outlineOf;
  readonly resolveAnchors: typeof resolveAnchors;
}

/** The package with one rule or constant switched off. */
export interface Mutant {
  readonly name: string;
  readonly engine: Engine;
}

interface Effect {
  readonly needed: string[];
  readonly harmful: string[];
}

type Expected = Lines & { readonly expected?: Lines | undefined };

/** Counts, for each rule, the comments that are on the right lines only with it, and only without it. */
export class Ablation {
  readonly #mutants: readonly Mutant[];
  readonly #effects: ReadonlyMap<Mutant, Effect>;

  constructor(mutants: readonly Mutant[]) {
    this.#mutants = mutants;
    this.#effects = new Map(mutants.map((each) => [each, { needed: [], harmful: [] }]));
  }

  /** Our own method, which calls all mutants with the same trees. */
  around(method: Method, reader: ReturnType<Engine["createSourceReader"]>): Method {
    return {
      name: method.name,
      find: async (before, after, comments) => {
        const found = await method.find(before, after, comments);
        for (const mutant of this.#mutants) {
          const other = await readAndFind(
            { reader, engine: mutant.engine },
            [before, after],
            comments,
          );
          this.#compare(mutant, before, { comments, found, other });
        }
        return found;
      },
    };
  }

  #compare(
    mutant: Mutant,
    { path }: Source,
    {
      comments,
      found,
      other,
    }: Record<"found" | "other", readonly Found[]> & { comments: readonly Lines[] },
  ): void {
    for (const [index, comment] of comments.entries()) {
      const [right, rightToo] = [isRight(comment, found[index]), isRight(comment, other[index])];
      if (right === rightToo) continue;
      const answer = other[index]?.line ?? "orphan";
      const line = `${path}:${comment.line} → ${right ? answer : (found[index]?.line ?? "orphan")}`;
      this.#effects.get(mutant)?.[right ? "needed" : "harmful"].push(line);
    }
  }

  /** A row for each rule: how many comments need it, how many it misplaces, and the first ones. */
  table(): string {
    const rows = [...this.#effects].map(([{ name }, { needed, harmful }]) => {
      const examples = [
        ...needed.slice(0, 2),
        ...harmful.slice(0, 1).map((each) => `harm: ${each}`),
      ];
      return `| ${name} | ${needed.length} | ${harmful.length} | ${examples.join("; ")} |`;
    });
    return [
      "| switched off | needed by | harms | for example |",
      "| --- | --- | --- | --- |",
      ...rows,
    ].join("\n");
  }
}

function isRight(comment: Lines, found: Found): boolean {
  const { line, endLine, expected } = comment as Expected;
  if (expected === undefined || found === undefined) return expected === found;
  return found.line === expected.line && (endLine <= line || found.endLine === expected.endLine);
}
