import { baseName, type PosixPath } from "@idewire/core";

/** As in LSP's table, by extension. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  bash: "shellscript",
  bat: "bat",
  c: "c",
  cc: "cpp",
  cjs: "javascript",
  clj: "clojure",
  cpp: "cpp",
  cs: "csharp",
  css: "css",
  cts: "typescript",
  dart: "dart",
  diff: "diff",
  ex: "elixir",
  exs: "elixir",
  fs: "fsharp",
  go: "go",
  h: "c",
  hpp: "cpp",
  hs: "haskell",
  htm: "html",
  html: "html",
  ini: "ini",
  java: "java",
  js: "javascript",
  json: "json",
  jsonc: "jsonc",
  jsx: "javascriptreact",
  kt: "kotlin",
  less: "less",
  lua: "lua",
  markdown: "markdown",
  md: "markdown",
  mdx: "mdx",
  mjs: "javascript",
  mts: "typescript",
  patch: "diff",
  php: "php",
  pl: "perl",
  ps1: "powershell",
  py: "python",
  r: "r",
  rb: "ruby",
  rs: "rust",
  sass: "sass",
  scala: "scala",
  scss: "scss",
  sh: "shellscript",
  sql: "sql",
  svelte: "svelte",
  swift: "swift",
  tex: "latex",
  toml: "toml",
  ts: "typescript",
  tsx: "typescriptreact",
  vue: "vue",
  xml: "xml",
  yaml: "yaml",
  yml: "yaml",
  zig: "zig",
  zsh: "shellscript",
};

/** By the whole name. */
const BY_NAME: Readonly<Record<string, string>> = {
  dockerfile: "dockerfile",
  gemfile: "ruby",
  makefile: "makefile",
  rakefile: "ruby",
};

export function languageIdOf(path: PosixPath): string {
  const name = baseName(path).toLowerCase();
  const dot = name.lastIndexOf(".");
  const extension = dot === -1 ? "" : name.slice(dot + 1);
  return lookUp(BY_NAME, name) ?? lookUp(BY_EXTENSION, extension) ?? "plaintext";
}

function lookUp(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
