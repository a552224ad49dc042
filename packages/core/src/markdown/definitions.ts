import type { Tree } from "@lezer/common";
import type {
  BlockContext,
  LeafBlock,
  LeafBlockParser,
  Line,
  MarkdownConfig,
} from "@lezer/markdown";
import { bareDestination } from "./link-tail.ts";

/** `[label]: destination "title"`, but not a footnote. */
const DEFINITION =
  /^\[(?!\^)((?:[^\\[\]]|\\[\s\S])+)\]:[ \t]*(?:\n[ \t]*)?(<(?:[^<>\\\n]|\\.)*>|[^\s<]\S*)(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\)))?[ \t]*(?:\n|$)/d;

/** The greatest length of a label. */
export const MAX_LABEL = 999;

/** The longest text that is still tried as one definition. */
const MAX_DEFINITION = 4_000;

/** Definitions of links, which are not part of the paragraph that follows them. */
export const definitions: MarkdownConfig = {
  parseBlock: [
    {
      name: "LinkReference",
      leaf: (_cx, leaf) => (leaf.content.startsWith("[") ? definitionParser : null),
    },
  ],
};

const definitionParser: LeafBlockParser = {
  nextLine(cx: BlockContext, line: Line, leaf: LeafBlock): boolean {
    if (leaf.content.length > MAX_DEFINITION) return false;
    // The title may be in the next line.
    const found = findDefinition(`${leaf.content}\n${line.text.slice(line.pos)}`);
    return found?.end === leaf.content.length + 1 && addDefinition(cx, leaf, found);
  },
  finish(cx: BlockContext, leaf: LeafBlock): boolean {
    if (leaf.content.length > MAX_DEFINITION) return false;
    const found = findDefinition(leaf.content);
    return found?.end === leaf.content.length && addDefinition(cx, leaf, found);
  },
};

interface Definition {
  readonly label: readonly [start: number, end: number];
  /** The offsets of the destination, without angle brackets. */
  readonly destination: readonly [start: number, end: number];
  readonly end: number;
}

function findDefinition(text: string): Definition | undefined {
  const match = DEFINITION.exec(text);
  const [whole, label, destination] = match?.indices ?? [];
  if (whole === undefined || label === undefined || destination === undefined) return undefined;
  const name = text.slice(...label);
  if (name.trim() === "" || name.length > MAX_LABEL) return undefined;
  const [start, end] = destination;
  if (text[start] === "<") return { label, destination: [start + 1, end - 1], end: whole[1] };
  const isBalanced = bareDestination(text.slice(start, end), 0)?.end === end - start;
  return isBalanced ? { label, destination, end: whole[1] } : undefined;
}

function addDefinition(
  cx: BlockContext,
  leaf: LeafBlock,
  { label, destination }: Definition,
): true {
  const at = leaf.start;
  const children = [
    cx.elt("LinkLabel", at + label[0], at + label[1]),
    cx.elt("URL", at + destination[0], at + destination[1]),
  ];
  cx.addLeafElement(leaf, cx.elt("LinkReference", at, at + leaf.content.length, children));
  return true;
}

/** The labels that a text defines. */
export function labelsIn(tree: Tree, text: string): ReadonlySet<string> {
  const labels = new Set<string>();
  tree.iterate({
    enter: ({ name, from, to }) => {
      if (name === "LinkLabel") labels.add(normaliseLabel(text.slice(from, to)));
    },
  });
  return labels;
}

/** A form of a label that is equal for matching labels. */
export function normaliseLabel(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase();
}
