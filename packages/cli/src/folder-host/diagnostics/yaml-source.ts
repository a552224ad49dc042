import type { Diagnostic } from "@idewire/core";
import { TextLines } from "@idewire/core/internal";
import type { Document, Node, YAMLMap } from "yaml";
import type { DiagnosticSource } from "../diagnostic-source.ts";
import { deepBracket, deepIndent, tooDeep } from "./nesting.ts";
import { isTemplate } from "./template.ts";

type Yaml = typeof import("yaml");

interface YamlFinding {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly code: string;
  readonly pos: readonly [number, number];
}

/** Codes whose messages contain no text of the file. */
const PLAIN_CODES: ReadonlySet<string> = new Set([
  "ALIAS_PROPS",
  "BAD_ALIAS",
  "BAD_INDENT",
  "BLOCK_AS_IMPLICIT_KEY",
  "BLOCK_IN_FLOW",
  "KEY_OVER_1024_CHARS",
  "MISSING_CHAR",
  "MULTILINE_IMPLICIT_KEY",
  "MULTIPLE_ANCHORS",
  "MULTIPLE_TAGS",
  "TAB_AS_INDENT",
]);

/** Codes whose messages quote the file, which the reader may not be allowed to read. */
const MESSAGES: Readonly<Record<string, string>> = {
  BAD_COLLECTION_TYPE: "The tag does not fit the kind of collection",
  BAD_DQ_ESCAPE: "This is not an escape sequence of YAML",
  BAD_PROP_ORDER: "Anchors and tags must be after the indicator",
  BAD_SCALAR_START: "A plain value cannot start with this character",
  TAG_RESOLVE_FAILED: "The tag does not fit the value, or its handle is not declared",
  UNEXPECTED_TOKEN: "This is not expected here",
};

/** The tags whose values YAML itself defines; any other is the application's. */
const OWN_TAG = /\btag:yaml\.org,2002:(?:float|int|map|null|omap|seq|set|str)(?![\w/])/;

const REPEATED = "DUPLICATE_KEY";

/** The files whose readers accept repeated keys: tasks of Cirrus, and keys that conda-build selects by comments. */
const WITH_REPEATED_KEYS = /(^|\/)(\.cirrus|meta)\.ya?ml$/i;

/** Checks YAML syntax in every document of the file; duplicate keys are errors. */
export const yamlSource: DiagnosticSource = {
  name: "yaml",
  // The library takes 3 to 5 ms for a thousand characters, and an agent waits for 500 ms at most.
  maxLength: 64 * 1024,
  accepts: (path) => /\.ya?ml$/i.test(path),
  async check(path, text) {
    if (isTemplate(text)) return [];
    const mayRepeat = WITH_REPEATED_KEYS.test(path);
    const deep = deepIndent(text) ?? deepBracket(text.replaceAll('"', " "));
    if (deep !== undefined) return [tooDeep(text, deep)];
    const yaml = await import("yaml");
    const lines = new TextLines(text);
    // The library's own check for duplicate keys takes quadratic time.
    const options = { prettyErrors: false, logLevel: "silent", uniqueKeys: false } as const;
    const parse = (source: string) => {
      const documents = yaml.parseAllDocuments(source, options);
      return Array.isArray(documents) ? documents : [];
    };
    const strict = parse(text);
    const isFaulty = strict.some(({ errors }) => errors.length > 0);
    const lenient = isFaulty ? parse(withoutInnerBreaks(text)) : [];
    const isTolerated = isFaulty && lenient.every(({ errors }) => errors.length === 0);
    return (isTolerated ? lenient : strict)
      .flatMap((document) => [...troubleOf(document), ...troubleInside(document, yaml)])
      .filter(({ code }) => code !== REPEATED || !mayRepeat)
      .map(({ pos: [start, end], ...finding }): Diagnostic => {
        return { range: lines.rangeOf(start, Math.max(start, end)), ...finding };
      });
  },
};

/** A quoted text, a comment, a bracket or the end of a line. */
const PIECE =
  /(?<=^|[\s:,[{?-])(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')|(?<=^|[\s"'\]}])#[^\n]*|[[\]{}]|\n/g;

/**
 * The text as libyaml (of Python, Ruby and others) reads it, with the same offsets: indentation does not count within
 * quotes and brackets, and a comment may follow them immediately.
 */
function withoutInnerBreaks(text: string): string {
  let depth = 0;
  return text.replace(PIECE, (piece) => {
    if (/^[[{]$/.test(piece)) depth += 1;
    else if (/^[\]}]$/.test(piece)) depth = Math.max(0, depth - 1);
    else if (piece.startsWith("#")) return " ".repeat(piece.length);
    else if (piece !== "\n" || depth > 0) return piece.replaceAll("\n", " ");
    return piece;
  });
}

function troubleOf({ errors, warnings }: Document.Parsed): readonly YamlFinding[] {
  // Warnings concern unknown tags and directives, which are valid.
  const misfits = warnings.filter(({ message }) => OWN_TAG.test(message));
  return [...errors, ...misfits].map(({ name, code, message, pos }) => ({
    severity: name === "YAMLWarning" ? "warning" : "error",
    message: PLAIN_CODES.has(code) ? message : (MESSAGES[code] ?? "This is not valid YAML"),
    code,
    pos,
  }));
}

/** Faults that the library reports only when it converts the document to values. */
function troubleInside(
  document: Document.Parsed,
  { isAlias, isMap, isScalar, visit }: Yaml,
): readonly YamlFinding[] {
  const findings: YamlFinding[] = [];
  const anchors = new Set<string>();
  visit(document, {
    Node: (_key, node) => {
      if (isMap(node)) findings.push(...repeatedKeys(node, isScalar));
      if (isAlias(node)) {
        if (anchors.has(node.source)) return;
        const message = "No anchor of this name is defined before";
        findings.push(error("UNRESOLVED_ALIAS", message, node.range));
      } else if (node.anchor !== undefined) anchors.add(node.anchor);
    },
  });
  return findings;
}

function repeatedKeys(map: YAMLMap, isScalar: Yaml["isScalar"]): readonly YamlFinding[] {
  const seen = new Set<unknown>();
  const findings: YamlFinding[] = [];
  for (const { key } of map.items) {
    if (!isScalar(key) || key.value === "<<") continue;
    if (seen.has(key.value)) {
      const message = "This key occurs more than once";
      findings.push(error(REPEATED, message, key.range));
    }
    seen.add(key.value);
  }
  return findings;
}

function error(code: string, message: string, range: Node["range"]): YamlFinding {
  const [start, end] = range ?? [0, 0];
  return { severity: "error", message, code, pos: [start, end] };
}
