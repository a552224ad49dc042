import type { UnknownFields } from "../format/document.ts";

/** Merges unknown fields: each from the version that changed it, or ours if both did. */
export function mergeUnknown(
  base: UnknownFields = {},
  ours: UnknownFields,
  theirs: UnknownFields,
): UnknownFields {
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const from = isEqual(base[key], ours[key]) ? theirs : ours;
      return Object.hasOwn(from, key) ? [[key, from[key]]] : [];
    }),
  );
}

export function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
