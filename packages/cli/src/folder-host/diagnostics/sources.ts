import type { DiagnosticSource } from "../diagnostic-source.ts";
import { jsonSource } from "./json-source.ts";
import { markdownLinksSource } from "./markdown-links-source.ts";
import { yamlSource } from "./yaml-source.ts";

/** What a folder is checked for when nothing else is asked for. */
export const defaultDiagnosticSources: readonly DiagnosticSource[] = [
  jsonSource,
  yamlSource,
  markdownLinksSource,
];
