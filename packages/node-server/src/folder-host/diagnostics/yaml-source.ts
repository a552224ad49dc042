import type { Diagnostic } from "@idewire/core";
import type { Document, Node, YAMLMap } from "yaml";
import type { DiagnosticSource } from "../diagnostic-source.ts";
import { TextLines } from "../text-lines.ts";

interface Finding {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly code: string;
  readonly pos: readonly [number, number];
}

/** Syntax of YAML, in every document of the file; duplicate keys are errors. */
export const yamlSource: DiagnosticSource = {
  name: "yaml",
  // The library takes about 2 ms for a thousand characters, and may not keep the editor waiting.
  maxLength: 128 * 1024,
  accepts: (path) => /\.ya?ml$/i.test(path),
  async check(_path, text) {
    const { isScalar, parseAllDocuments, visit } = await import("yaml");
    const lines = new TextLines(text);
    // The library's own check of the keys compares each with each.
    const options = { prettyErrors: false, logLevel: "silent", uniqueKeys: false } as const;
    const documents = parseAllDocuments(text, options);
    const findings: Finding[] = [];
    for (const document of Array.isArray(documents) ? documents : []) {
      findings.push(...troubleOf(document));
      visit(document, { Map: (_key, map) => void findings.push(...repeatedKeys(map, isScalar)) });
    }
    return findings.map(
      ({ pos: [start, end], ...finding }): Diagnostic => ({
        range: lines.rangeOf(start, Math.max(start, end)),
        ...finding,
      }),
    );
  },
};

function troubleOf({ errors, warnings }: Document.Parsed): readonly Finding[] {
  return [...errors, ...warnings].map(({ name, code, message, pos }) => ({
    severity: name === "YAMLWarning" ? "warning" : "error",
    message,
    code,
    pos,
  }));
}

function repeatedKeys(
  map: YAMLMap,
  isScalar: (node: unknown) => node is Node & { value: unknown },
): readonly Finding[] {
  const seen = new Set<unknown>();
  const findings: Finding[] = [];
  for (const { key } of map.items) {
    if (!isScalar(key) || key.value === "<<") continue;
    const [start, end] = key.range ?? [0, 0];
    if (seen.has(key.value)) {
      const message = `The key ${JSON.stringify(key.value)} is there more than once`;
      findings.push({ severity: "error", message, code: "DUPLICATE_KEY", pos: [start, end] });
    }
    seen.add(key.value);
  }
  return findings;
}
