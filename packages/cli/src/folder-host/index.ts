export type { DiagnosticSource, FileLookup } from "./diagnostic-source.ts";
export { jsonSource } from "./diagnostics/json-source.ts";
export { defaultDiagnosticSources } from "./diagnostics/sources.ts";
export type { DiagnosticsProvider, ProviderFolder, ProviderText } from "./diagnostics-provider.ts";
export type { ChangeDecision, DecidedChange, UndoneTurn } from "./folder-changes.ts";
export type { DiffEvents, FolderHost, FolderHostOptions, PendingDiff } from "./folder-host.ts";
export { followAgents } from "./follow-agents.ts";
export { openFolderHost } from "./open-folder-host.ts";
export type {
  LanguageServerOptions,
  LinterOptions,
  ProblemMatcher,
  ProblemPattern,
} from "./provider-options.ts";
export { languageServerProvider, linterProvider } from "./providers.ts";
