import type { Diagnostic } from "@idewire/core";
import type { Document, Node, YAMLMap } from "yaml";
import type { DiagnosticSource } from "../diagnostic-source.ts";
import { TextLines } from "../text-lines.ts";
import { deepBracket, deepIndent, tooDeep } from "./nesting.ts";

type Yaml = typeof import("yaml");

interface Finding {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly code: string;
  readonly pos: readonly [number, number];
}

/** Syntax of YAML, in every document of the file; duplicate keys are errors. */
export const yamlSource: DiagnosticSource = {
  name: "yaml",
  // The library takes 3 to 5 ms for a thousand characters, and an agent waits for 500 ms at most.
  maxLength: 64 * 1024,
  accepts: (path) => /\.ya?ml$/i.test(path),
  async check(_path, text) {
    const deep = deepIndent(text) ?? deepBracket(text.replaceAll('"', " "));
    if (deep !== undefined) return [tooDeep(text, deep)];
    const yaml = await import("yaml");
    const lines = new TextLines(text);
    // The library's own check of the keys compares each with each.
    const options = { prettyErrors: false, logLevel: "silent", uniqueKeys: false } as const;
    const documents = yaml.parseAllDocuments(text, options);
    const found = Array.isArray(documents) ? documents : [];
    return found
      .flatMap((document) => [...troubleOf(document), ...troubleInside(document, yaml)])
      .map(({ pos: [start, end], ...finding }): Diagnostic => {
        return { range: lines.rangeOf(start, Math.max(start, end)), ...finding };
      });
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

/** What the library would say only when it makes values of the document. */
function troubleInside(
  document: Document.Parsed,
  { isAlias, isMap, isScalar, visit }: Yaml,
): readonly Finding[] {
  const findings: Finding[] = [];
  const anchors = new Set<string>();
  visit(document, {
    Node: (_key, node) => {
      if (isMap(node)) findings.push(...repeatedKeys(node, isScalar));
      if (isAlias(node)) {
        if (anchors.has(node.source)) return;
        const message = `There is no anchor ${JSON.stringify(`&${node.source}`)} before this`;
        findings.push(error("UNRESOLVED_ALIAS", message, node.range));
      } else if (node.anchor !== undefined) anchors.add(node.anchor);
    },
  });
  return findings;
}

function repeatedKeys(map: YAMLMap, isScalar: Yaml["isScalar"]): readonly Finding[] {
  const seen = new Set<unknown>();
  const findings: Finding[] = [];
  for (const { key } of map.items) {
    if (!isScalar(key) || key.value === "<<") continue;
    if (seen.has(key.value)) {
      const message = `The key ${JSON.stringify(key.value)} is there more than once`;
      findings.push(error("DUPLICATE_KEY", message, key.range));
    }
    seen.add(key.value);
  }
  return findings;
}

function error(code: string, message: string, range: Node["range"]): Finding {
  const [start, end] = range ?? [0, 0];
  return { severity: "error", message, code, pos: [start, end] };
}
