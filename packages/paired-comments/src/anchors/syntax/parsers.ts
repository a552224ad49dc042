import type { Language as Grammar, Parser, Tree, TreeCursor } from "web-tree-sitter";
import { readTextUnits } from "../units/text-units.ts";
import type { UnitTree } from "../units/unit.ts";
import { functionsOf } from "./complexity.ts";
import type { FunctionComplexity } from "./function-complexity.ts";
import { type Language, languageOf } from "./languages.ts";
import { maskTypeScript } from "./mask-typescript.ts";
import { readUnits } from "./read-units.ts";

/** Reads one of the .wasm files by its name: `web-tree-sitter.wasm` or `tree-sitter-python.wasm`. */
export type ReadGrammar = (fileName: string) => Promise<Uint8Array>;

/** Cuts sources into units; a language's grammar is loaded when its first source comes. */
export interface SourceReader {
  /** @param path tells the language by its extension */
  read(path: string, source: string): Promise<UnitTree>;
  /** The functions of a source, in its order; none where there is no grammar. */
  functions(path: string, source: string): Promise<readonly FunctionComplexity[]>;
}

/** Larger sources, and those of one line, are read as plain text. */
const largestSource = 5 * 1024 * 1024;
const longestAverageLine = 2_000;

/** A grammar takes megabytes: readers that get them from the same place share them. */
const shared = new WeakMap<ReadGrammar, ParserOf>();

/** A reader for all languages that there are grammars of. */
export function createSourceReader(readGrammar: ReadGrammar): SourceReader {
  const parserOf = shared.get(readGrammar) ?? createParsers(readGrammar);
  shared.set(readGrammar, parserOf);
  async function visit<T>(
    path: string,
    source: string,
    act: (cursor: TreeCursor, language: Language) => T,
  ): Promise<T | undefined> {
    const language = languageOf(path);
    if (language === undefined || isData(source)) return undefined;
    const tree = await parseAsGrammarAllows(source, language, parserOf);
    if (tree === null) return undefined;
    const cursor = tree.walk();
    try {
      return act(cursor, language);
    } finally {
      cursor.delete();
      tree.delete();
    }
  }
  return {
    async read(path, source) {
      const units = await visit(path, source, (...found) => readUnits(source, ...found));
      return units ?? readTextUnits(source);
    },
    async functions(path, source) {
      return (await visit(path, source, (cursor) => functionsOf(source, cursor))) ?? [];
    },
  };
}

/** Where the grammar fails: TypeScript with what it does not know masked, JavaScript as if it had types. */
async function parseAsGrammarAllows(
  source: string,
  { id, grammar }: Language,
  parserOf: ParserOf,
): Promise<Tree | null> {
  const parser = await parserOf(grammar);
  const tree = parser.parse(source);
  if (!tree?.rootNode.hasError) return tree;
  if (id === "typescript") {
    tree.delete();
    return parser.parse(maskTypeScript(source));
  }
  if (id !== "javascript") return tree;
  // Flow's annotations are nearly those of TypeScript.
  const typed = (await parserOf("tsx").catch(() => undefined))?.parse(source);
  const [best, other] = typed?.rootNode.hasError === false ? [typed, tree] : [tree, typed];
  other?.delete();
  return best;
}

function isData(source: string): boolean {
  if (source.length > largestSource || source.includes("\0")) return true;
  return source.length > 20_000 && source.length / countLines(source) > longestAverageLine;
}

function countLines(source: string): number {
  let count = 1;
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) count++;
  return count;
}

type ParserOf = (grammar: string) => Promise<Parser>;

/** The parser of each grammar, loaded when it is first asked for. */
function createParsers(readGrammar: ReadGrammar): ParserOf {
  const parsers = new Map<string, Promise<Parser>>();
  const started = onceWhenNeeded(() => startTreeSitter(readGrammar));
  return (grammar) => {
    const known = parsers.get(grammar);
    if (known !== undefined) return known;
    const parser = started().then((load) => load(grammar));
    parsers.set(grammar, parser);
    // A file that could not be read may be there the next time.
    parser.catch(() => parsers.delete(grammar));
    return parser;
  };
}

type LoadParser = (grammar: string) => Promise<Parser>;

async function startTreeSitter(readGrammar: ReadGrammar): Promise<LoadParser> {
  const treeSitter = await import("web-tree-sitter");
  const wasmBinary = await readGrammar("web-tree-sitter.wasm");
  await treeSitter.Parser.init({ wasmBinary });
  return async (grammar) => {
    const bytes = await readGrammar(`tree-sitter-${grammar}.wasm`);
    const loaded: Grammar = await treeSitter.Language.load(bytes);
    return new treeSitter.Parser().setLanguage(loaded);
  };
}

function onceWhenNeeded<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    started ??= start();
    started.catch(() => {
      started = undefined;
    });
    return started;
  };
}
