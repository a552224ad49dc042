import type { Language as Grammar, Parser, Tree, TreeCursor } from "web-tree-sitter";
import { readMarkdownUnits } from "../markdown/read-markdown.ts";
import { countLines } from "../units/lines-on-demand.ts";
import { readTextUnits } from "../units/text-units.ts";
import type { UnitTree } from "../units/unit.ts";
import { functionsOf } from "./complexity.ts";
import type { FunctionComplexity } from "./function-complexity.ts";
import { type Language, languageOf } from "./languages.ts";
import { maskConditionals } from "./mask-conditionals.ts";
import { maskMacros } from "./mask-macros.ts";
import { maskShell } from "./mask-shell.ts";
import { maskTypeScript } from "./mask-typescript.ts";
import { readUnits } from "./read-units.ts";

/** Reads one of the .wasm files by its name: `web-tree-sitter.wasm` or `tree-sitter-python.wasm`. */
export type ReadGrammar = (fileName: string) => Promise<Uint8Array>;

/** Cuts sources into units; loads the grammar of a language on first use. */
export interface SourceReader {
  /** @param path determines the language by its extension */
  read(path: string, source: string): Promise<UnitTree>;
  /** The functions of a source, in source order; empty without a grammar. */
  functions(path: string, source: string): Promise<readonly FunctionComplexity[]>;
}

/** Sources above these limits are read as plain text. */
const largestSource = 5 * 1024 * 1024;
const mostLines = 100_000;
const longestAverageLine = 2_000;

/** Grammars take megabytes, so readers with the same loader share them. */
const shared = new WeakMap<ReadGrammar, ParserOf>();

/** A reader for all supported languages. */
export function createSourceReader(readGrammar: ReadGrammar): SourceReader {
  const parserOf = shared.get(readGrammar) ?? createParsers(readGrammar);
  shared.set(readGrammar, parserOf);
  return {
    async read(path, source) {
      const language = grammarFor(path, source);
      if (language === undefined) return readTextUnits(source);
      const { grammar } = language;
      if (grammar === undefined) return readMarkdownUnits(source);
      const parsed = await parseAsGrammarAllows(source, { id: language.id, grammar }, parserOf);
      if (parsed === undefined) return readTextUnits(source);
      const { tree, text } = parsed;
      return withCursor(tree, (cursor) => readUnits({ source, text, cursor, language }));
    },
    async functions(path, source) {
      const language = grammarFor(path, source);
      const grammar = language?.grammar;
      if (language === undefined || grammar === undefined) return [];
      const parsed = await parseAsGrammarAllows(source, { id: language.id, grammar }, parserOf);
      if (parsed === undefined) return [];
      return withCursor(parsed.tree, (cursor) => functionsOf(source, cursor));
    },
  };
}

function grammarFor(path: string, source: string): Language | undefined {
  return isData(source) ? undefined : languageOf(path, source);
}

/** Deletes the tree afterwards. */
function withCursor<T>(tree: Tree, act: (cursor: TreeCursor) => T): T {
  const cursor = tree.walk();
  try {
    return act(cursor);
  } finally {
    cursor.delete();
    tree.delete();
  }
}

/** Masks text that grammars cannot parse, without moving any character. */
const masks: Readonly<Record<string, (source: string) => string>> = {
  typescript: maskTypeScript,
  c: maskC,
  cpp: maskC,
  shellscript: maskShell,
};

function maskC(source: string): string {
  return maskMacros(maskConditionals(source));
}

interface Parsed {
  readonly tree: Tree;
  /** The text that was parsed. */
  readonly text: string;
}

/** Parses a source; on errors, retries with unsupported syntax masked, and JavaScript as TSX. */
async function parseAsGrammarAllows(
  source: string,
  { id, grammar }: { readonly id: string; readonly grammar: string },
  parserOf: ParserOf,
): Promise<Parsed | undefined> {
  const parser = await parserOf(grammar);
  const tree = parser.parse(source);
  if (tree === null) return undefined;
  if (!tree.rootNode.hasError) return { tree, text: source };
  const text = masks[id]?.(source) ?? source;
  const masked = text === source ? undefined : parser.parse(text);
  if (masked) {
    tree.delete();
    return { tree: masked, text };
  }
  if (id !== "javascript") return { tree, text: source };
  // Flow's annotations are close to TypeScript's.
  const typed = (await parserOf("tsx").catch(() => undefined))?.parse(source);
  const [best, other] = typed?.rootNode.hasError === false ? [typed, tree] : [tree, typed];
  other?.delete();
  return { tree: best, text: source };
}

function isData(source: string): boolean {
  if (source.length > largestSource || source.includes("\0")) return true;
  if (source.length <= 20_000) return false;
  const lines = countLines(source);
  return lines > mostLines || source.length / lines > longestAverageLine;
}

type ParserOf = (grammar: string) => Promise<Parser>;

/** Loads the parser of each grammar on first use. */
function createParsers(readGrammar: ReadGrammar): ParserOf {
  const parsers = new Map<string, Promise<Parser>>();
  const started = onceWhenNeeded(() => startTreeSitter(readGrammar));
  return (grammar) => {
    const known = parsers.get(grammar);
    if (known !== undefined) return known;
    const parser = started().then((load) => load(grammar));
    parsers.set(grammar, parser);
    // Retried next time: the file may exist by then.
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
