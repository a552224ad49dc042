import { text, type Value, type Values } from "./text.ts";

/** Messages of diagnostics, by code. */
export const diagnostics = {
  "missing-note": (name: Value) => text`There is no note "${name}"`,
  "missing-embed": (name: Value) => text`There is no file "${name}" to embed`,
  "missing-heading": ({ name, path }: Values<"name" | "path">) =>
    text`There is no heading "${name}" in ${path}`,
  "missing-block": ({ name, path }: Values<"name" | "path">) =>
    text`There is no block "^${name}" in ${path}`,
  "repeated-heading": ({ name, path }: Values<"name" | "path">) =>
    text`There is more than one heading "${name}" in ${path}: this link leads to the first`,
  "repeated-block": ({ name }: Values<"name">) =>
    text`Another block also has the ID "^${name}": links lead to only one of them`,
  "ambiguous-link": ({ name, path }: Values<"name" | "path">) =>
    text`More than one file is called "${name}": this link leads to ${path}`,
  "other-capitals": (path: Value) =>
    text`The file is called ${path}: this link breaks on case-sensitive file systems`,
  "invalid-properties": "The properties are not valid YAML",
  "repeated-property": (name: Value) => text`The property "${name}" is defined more than once`,
  "tab-in-properties": "YAML does not allow tabs for indentation: use spaces",
  "property-is-no-list": (name: Value) => text`The property "${name}" should be a list`,
  "unclosed-code": "This code block is not closed",
  "unclosed-comment": "This comment is not closed",
  "unclosed-math": "This formula is not closed",
  "missing-footnote": ({ name }: Values<"name">) => text`There is no footnote "${name}"`,
  "too-long": (limit: number) => `Longer than ${limit} characters: this note is not checked`,
};
