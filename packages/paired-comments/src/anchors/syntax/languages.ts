/** A supported language. */
export interface Language {
  /** LSP language identifier, such as `typescript`. */
  readonly id: string;
  /** The grammar's file name without `tree-sitter-` and `.wasm`; undefined for Markdown, which core parses. */
  readonly grammar: string | undefined;
  /** File extensions, lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Names of files without such an extension, and of the programs and modes in the first line of scripts. */
  readonly names?: readonly string[];
}

const rubyFiles: readonly string[] = [
  ...["Gemfile", "Rakefile", "Guardfile", "Capfile", "Vagrantfile", "Podfile", "Fastfile"],
  ...["Appraisals", "Berksfile", "Brewfile", "Dangerfile", "Steepfile", "Thorfile", ".irbrc"],
];
const shellFiles: readonly string[] = [
  ...[".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".envrc", "PKGBUILD"],
];

/** Separate from their syntaxes: enough where no grammars are loaded. */
const all: readonly Language[] = [
  define("javascript", ["js", "jsx", "mjs", "cjs"], { names: ["node"] }),
  define("typescript", ["ts", "mts", "cts"], { names: ["deno", "ts-node", "tsx"] }),
  define("typescriptreact", ["tsx"], { grammar: "tsx" }),
  define("python", ["py", "pyi", "pyw", "gyp", "gypi"], {
    names: ["python", "pypy", "SConstruct", "SConscript", "wscript"],
  }),
  define("go", ["go"]),
  define("rust", ["rs"]),
  define("java", ["java"]),
  define("c", ["c", "h"]),
  define("cpp", ["cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "inl", "ipp", "tpp"]),
  define("csharp", ["cs", "csx"], { grammar: "c_sharp" }),
  define("ruby", ["rb", "rake", "gemspec", "ru", "podspec", "jbuilder"], {
    names: ["ruby", ...rubyFiles],
  }),
  define("php", ["php", "phtml", "php3", "php4", "php5", "php7", "phps"], { names: ["php"] }),
  define("shellscript", ["sh", "bash", "zsh", "ksh", "bats", "ebuild"], {
    grammar: "bash",
    names: ["sh", "bash", "dash", "ash", "ksh", "zsh", "bats", "shell-script", ...shellFiles],
  }),
  define("css", ["css"]),
  define("json", ["json", "jsonc", "code-workspace", "webmanifest"]),
  define("yaml", ["yaml", "yml"]),
  { id: "markdown", grammar: undefined, extensions: ["md", "markdown", "mdx"] },
];

interface FurtherTraits {
  readonly grammar?: string;
  readonly names?: readonly string[];
}

function define(
  id: string,
  extensions: readonly string[],
  { grammar = id, names = [] }: FurtherTraits = {},
): Language {
  return { id, grammar, extensions, names };
}

const byExtension: ReadonlyMap<string, Language> = new Map(
  all.flatMap((language) => language.extensions.map((extension) => [extension, language])),
);

const byName: ReadonlyMap<string, Language> = new Map(
  all.flatMap((language) => (language.names ?? []).map((name) => [name, language])),
);
const cpp: Language | undefined = byExtension.get("cpp");

/**
 * The language of a file by its name, else by the program or the mode in its first line; undefined for files that
 * only have text anchors. A `.h` is C++ if its source has syntax that C lacks.
 */
export function languageOf(path: string, source = ""): Language | undefined {
  const [name = ""] = /[^/\\]*$/.exec(path) ?? [];
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (extension === "h" && onlyInCpp.test(source)) return cpp;
  const known = byExtension.get(extension) ?? byName.get(name);
  if (known !== undefined) return known;
  const [line = ""] = source.split("\n", 1);
  const mode = modeOf(line);
  return byName.get(programOf(line)) ?? byName.get(mode) ?? byExtension.get(mode);
}

/** In the form of code: comments have such words, too. */
const onlyInCpp: RegExp =
  /^[ \t]*(?:(?:inline[ \t]+)?namespace(?:[ \t]+[\w:]+)?[ \t]*(?:\{|$)|template[ \t]*<|(?:public|private|protected)[ \t]*:|class(?:[ \t]+\w+){1,2}[ \t]*(?:[:;{]|$)|using[ \t]+(?:namespace[ \t]+)?[\w:]+[ \t]*[=;]|virtual[ \t][^\n]*\(|#[ \t]*include[ \t]*<\w+>)|\bstd::/m;

/** The program of a script: `bash` of `#!/usr/bin/env -S bash -e`, without a version. */
function programOf(line: string): string {
  if (!line.startsWith("#!")) return "";
  const words = line
    .slice(2)
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^.*\//, ""));
  const isOption = (word: string) => word.startsWith("-") || word.includes("=");
  const program = words[0] === "env" ? words.slice(1).find((word) => !isOption(word)) : words[0];
  return /^[a-z-]+/.exec(program ?? "")?.[0] ?? "";
}

/** The language that a first line states for Emacs: `-*- shell-script -*-`, `-*- mode: ruby; coding: utf-8 -*-`. */
function modeOf(line: string): string {
  const stated = /-\*-([^*]*)-\*-/.exec(line)?.[1] ?? "";
  const mode = /\bmode:\s*([\w+-]+)/i.exec(stated)?.[1] ?? stated.trim();
  return mode.toLowerCase();
}

/** All grammars, as `<name>` in `tree-sitter-<name>.wasm`. */
export const grammarNames: readonly string[] = [
  ...new Set(all.flatMap(({ grammar }) => grammar ?? [])),
];
