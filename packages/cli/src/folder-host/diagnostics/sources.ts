import type { DiagnosticSource } from "../diagnostic-source.ts";
import { jsonSource } from "./json-source.ts";
import { markdownLinksSource } from "./markdown-links-source.ts";
import { yamlSource } from "./yaml-source.ts";

/** The checks of a folder by default. */
export const defaultDiagnosticSources: readonly DiagnosticSource[] = [
  jsonSource,
  yamlSource,
  markdownLinksSource,
];
