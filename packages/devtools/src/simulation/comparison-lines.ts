/** A line of a frame that is shown as JSON. */
export interface ComparisonLine {
  readonly depth: number;
  readonly name: string | undefined;
  /** The value, or the brackets of an object or a list. */
  readonly text: string;
  /** The reference has no such line, or a different value. */
  readonly differs: boolean;
}

/** A frame line by line, with JSON inside strings decoded; differences from `reference` are marked. */
export function toComparisonLines(
  message: Readonly<Record<string, unknown>>,
  reference: Readonly<Record<string, unknown>> | undefined,
): readonly ComparisonLine[] {
  const known = new Map(flatten(reference ?? {}).map(({ pointer, text }) => [pointer, text]));
  return flatten(message).map(({ pointer, text, depth, name }) => ({
    ...{ depth, name, text },
    differs: reference !== undefined && known.get(pointer) !== text,
  }));
}

interface FlatLine {
  readonly pointer: string;
  readonly depth: number;
  readonly name: string | undefined;
  readonly text: string;
}

function flatten(root: unknown): readonly FlatLine[] {
  const lines: FlatLine[] = [];
  const visit = (
    value: unknown,
    name: string | undefined,
    at: { pointer: string; depth: number },
  ): void => {
    const decoded = typeof value === "string" ? decode(value) : undefined;
    const inner = decoded ?? value;
    if (typeof inner !== "object" || inner === null) {
      lines.push({ ...at, name, text: JSON.stringify(inner) });
      return;
    }
    const mark = decoded === undefined ? "" : "JSON in text ";
    lines.push({ ...at, name, text: `${mark}${Array.isArray(inner) ? "[ ]" : "{ }"}` });
    for (const [key, member] of Object.entries(inner)) {
      visit(member, key, { pointer: `${at.pointer}/${key}`, depth: at.depth + 1 });
    }
  };
  for (const [key, member] of Object.entries(root as object)) {
    visit(member, key, { pointer: `/${key}`, depth: 0 });
  }
  return lines;
}

function decode(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
