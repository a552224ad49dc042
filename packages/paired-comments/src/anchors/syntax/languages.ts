/** A supported language. */
export interface Language {
  /** LSP language identifier, such as `typescript`. */
  readonly id: string;
  /** The grammar's file name without `tree-sitter-` and `.wasm`; undefined for Markdown, which core parses. */
  readonly grammar: string | undefined;
  /** File extensions, lower case, without the dot. */
  readonly extensions: readonly string[];
}

/** Separate from their syntaxes: enough where no grammars are loaded. */
const all: readonly Language[] = [
  define("javascript", ["js", "jsx", "mjs", "cjs"]),
  define("typescript", ["ts", "mts", "cts"]),
  define("typescriptreact", ["tsx"], "tsx"),
  define("python", ["py", "pyi", "pyw", "gyp", "gypi"]),
  define("go", ["go"]),
  define("rust", ["rs"]),
  define("java", ["java"]),
  define("c", ["c", "h"]),
  define("cpp", ["cc", "cpp", "cxx", "hpp", "hh", "hxx"]),
  define("csharp", ["cs"], "c_sharp"),
  define("ruby", ["rb", "rake", "gemspec"]),
  define("php", ["php"]),
  define("shellscript", ["sh", "bash", "zsh", "bats"], "bash"),
  define("css", ["css"]),
  define("json", ["json", "jsonc", "code-workspace", "webmanifest"]),
  define("yaml", ["yaml", "yml"]),
  { id: "markdown", grammar: undefined, extensions: ["md", "markdown", "mdx"] },
];

function define(id: string, extensions: readonly string[], grammar: string = id): Language {
  return { id, grammar, extensions };
}

const byExtension: ReadonlyMap<string, Language> = new Map(
  all.flatMap((language) => language.extensions.map((extension) => [extension, language])),
);

/** The language of a file by its name; undefined for files that only have text anchors. */
export function languageOf(path: string): Language | undefined {
  return byExtension.get(/\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}

/** All grammars, as `<name>` in `tree-sitter-<name>.wasm`. */
export const grammarNames: readonly string[] = [
  ...new Set(all.flatMap(({ grammar }) => grammar ?? [])),
];
