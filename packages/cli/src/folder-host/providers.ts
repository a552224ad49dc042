import type { DiagnosticsProvider } from "./diagnostics-provider.ts";
import type { LanguageServerOptions, LinterOptions, ProblemMatcher } from "./provider-options.ts";

// Loaded only for the folders that need them.

/**
 * A language server, such as `typescript-language-server --stdio`. Its languages may be named before it:
 * `python,cython=pylsp`.
 */
export async function languageServerProvider(
  options: LanguageServerOptions,
): Promise<DiagnosticsProvider> {
  const { LanguageServer } = await import("./language-server/language-server.ts");
  return new LanguageServer(options);
}

/** A linter or compiler that prints its findings, such as `npx tsc --noEmit`. */
export async function linterProvider(options: LinterOptions): Promise<DiagnosticsProvider> {
  const { Linter } = await import("./linter/linter.ts");
  return new Linter(options);
}

/**
 * Parses the settings of a language server from JSON text, which may have comments.
 * @throws Error with a message for the person
 */
export async function readServerSettings(text: string): Promise<Readonly<Record<string, unknown>>> {
  const { parseServerSettings } = await import("./language-server/settings.ts");
  return parseServerSettings(text);
}

/** The problem matcher with a name, such as `tsc` or `$eslint-stylish`; undefined when there is none. */
export async function findProblemMatcher(name: string): Promise<ProblemMatcher | undefined> {
  const { namedMatcher } = await import("./linter/parse-matchers.ts");
  return namedMatcher(name);
}

/**
 * Parses problem matchers in VS Code's format from JSON text.
 * @throws Error with a message for the person
 */
export async function readProblemMatchers(text: string): Promise<readonly ProblemMatcher[]> {
  const { parseMatchers } = await import("./linter/parse-matchers.ts");
  return parseMatchers(text);
}
