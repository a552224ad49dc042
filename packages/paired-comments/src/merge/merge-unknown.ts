import type { UnknownFields } from "../format/document.ts";

/** Two versions of the fields that are not known: each as the version that has changed it, ours where both have. */
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
