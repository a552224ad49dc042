import { bareDestination } from "./link-tail.ts";

/** `[label]: destination "title"`, but not a footnote. */
const DEFINITION =
  /\[(?!\^)((?:[^\\[\]]|\\[\s\S])+)\]:[ \t]*(?:\n[ \t]*)?(<(?:[^<>\\\n]|\\.)*>|[^\s<]\S*)(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\)))?[ \t]*(?:\n|$)/dy;

const MAX_LABEL = 999;

export interface LinkDefinition {
  readonly label: string;
  /** The offsets of the destination in the paragraph, without angle brackets. */
  readonly start: number;
  readonly end: number;
}

/** The definitions at the start of a paragraph, and the offset of its text. */
export function scanDefinitions(paragraph: string): {
  readonly definitions: readonly LinkDefinition[];
  readonly end: number;
} {
  const definitions: LinkDefinition[] = [];
  let end = 0;
  for (let found = definitionAt(paragraph, 0); found; found = definitionAt(paragraph, end)) {
    definitions.push(found.definition);
    end = found.next;
  }
  return { definitions, end };
}

function definitionAt(
  paragraph: string,
  at: number,
): { readonly definition: LinkDefinition; readonly next: number } | undefined {
  DEFINITION.lastIndex = at;
  const match = DEFINITION.exec(paragraph);
  const [start, end] = match?.indices?.[2] ?? [];
  if (match === null || start === undefined || end === undefined) return undefined;
  const [, rawLabel = "", destination = ""] = match;
  const label = normaliseLabel(rawLabel);
  if (label === "" || rawLabel.length > MAX_LABEL) return undefined;
  if (!destination.startsWith("<") && bareDestination(destination, 0)?.end !== destination.length) {
    return undefined;
  }
  const bracket = destination.startsWith("<") ? 1 : 0;
  const definition = { label, start: start + bracket, end: end - bracket };
  return { definition, next: at + match[0].length };
}

/** A form of a label that is equal for matching labels. */
export function normaliseLabel(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase();
}
