import * as v from "valibot";
import { LONGEST_TEXT } from "../format/comment-text.ts";
import { commentTags } from "../format/document.ts";

// Schemas shared by several tools (seed 003, Tools Specification).

export const textSchema: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(LONGEST_TEXT),
  v.description("Comment text content"),
);

export const idSchema: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.regex(/^c_\d+$/),
  v.description(
    "Unique comment ID (e.g., 'c_1730000000000'), or a beginning of it that no other comment of the file has",
  ),
);

export const authorSchema: v.OptionalSchema<v.GenericSchema<string>, "ai"> = v.optional(
  v.pipe(v.string(), v.description("Author name (e.g., 'claude', 'gpt-4', 'user')")),
  "ai",
);

export const tagSchema: v.GenericSchema<(typeof commentTags)[number]> = v.pipe(
  v.picklist(commentTags),
  v.description("Comment tag category"),
);

export function pathSchema(description: string): v.GenericSchema<string> {
  return v.pipe(v.string(), v.description(description));
}

export function lineSchema(description: string): v.GenericSchema<number> {
  return v.pipe(v.number(), v.integer(), v.minValue(1), v.description(description));
}

export const quoteSchema: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.description(
    "The text of the line, as you read it; if the line number is wrong, the line with this text is used",
  ),
);
