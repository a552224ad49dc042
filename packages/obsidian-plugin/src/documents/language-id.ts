const ids: Readonly<Record<string, string>> = {
  md: "markdown",
  canvas: "json",
  base: "yaml",
  txt: "plaintext",
  js: "javascript",
  ts: "typescript",
  py: "python",
  yml: "yaml",
};

/** As LSP names languages, by a file's extension. */
export function languageIdOf(extension: string): string {
  return ids[extension] ?? extension;
}
