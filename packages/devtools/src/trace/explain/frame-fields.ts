import { describeValue, isObject } from "@idewire/core/internal";

/** The members of a frame, or of a value in it, whose types are unknown. */
export type FrameMembers = Readonly<Record<string, unknown>>;

/** The members of an object; none of anything else. */
export function fieldsOf(value: unknown): FrameMembers {
  return isObject(value) ? value : {};
}

/** One member of an object. */
export function fieldOf(value: unknown, key: string): unknown {
  return fieldsOf(value)[key];
}

/** The name of a file, without its folders. */
export function fileName(path: unknown): string {
  return typeof path === "string" ? (path.split(/[\\/]/).at(-1) ?? path) : "a file";
}

/** A value in words: the beginning of a text without quotes. */
export function plain(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : describeValue(value);
}

/** Like {@link plain}, in quotes. */
export function quote(value: unknown): string {
  return `“${plain(value)}”`;
}
