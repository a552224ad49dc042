import * as v from "valibot";
import type { CommentErrorData } from "../errors.ts";
import type { UnreadableFile } from "../store/comment-requests.ts";
import { describeError } from "./comment-tool.ts";

/** A `.comments` file that cannot be read, for programs. */
export interface UnreadableValue extends CommentErrorData {
  readonly message: string;
}

export const unreadableSchema: v.GenericSchema<unknown, UnreadableValue> = v.looseObject({
  filePath: v.string(),
  message: v.string(),
  suggestion: v.string(),
});

export function unreadableValue({ error }: UnreadableFile): UnreadableValue {
  return { message: error.message, ...error.data };
}

/** A line for each file, for the model; empty if all can be read. */
export function unreadableText(files: readonly UnreadableFile[]): string {
  if (files.length === 0) return "";
  const list = files.map(({ error }) => `- ${describeError(error)}`);
  return `Some comments are left out because their files cannot be read:\n${list.join("\n")}`;
}
