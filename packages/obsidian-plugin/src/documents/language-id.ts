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

/** The LSP language id of a file extension. */
export function languageIdOf(extension: string): string {
  return ids[extension] ?? extension;
}
