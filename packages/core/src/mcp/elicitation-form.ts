import { asObject, isObject } from "../rpc/message.ts";
import { describeValue } from "../text/describe-value.ts";
import type { RevisionTraits } from "./versions.ts";

// The schemas that a form may have: MCP 2025-11-25, Client / Elicitation, Requested Schema.

const formats = ["email", "uri", "date", "date-time"];

/** The values of a form's fields, by name. */
export type FormContent = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * Why a schema is not a form; undefined when it is one: an object of strings, numbers, booleans and
 * enumerations, since 2025-11-25 also lists of choices and enumerations with titles.
 */
export function findFormFault(schema: unknown, traits: RevisionTraits): string | undefined {
  if (!isObject(schema) || schema["type"] !== "object" || !isObject(schema["properties"])) {
    return `expected a form, an object with properties, got ${describeValue(schema)}`;
  }
  const { properties } = schema;
  const fields = Object.entries(properties);
  const wrong = fields.find(([, field]) => !isField(field, traits));
  if (wrong === undefined) return undefined;
  return `${wrong[0]}: expected a field that forms may have, got ${describeValue(wrong[1])}`;
}

/** The default values of the fields. */
export function formDefaults(schema: Readonly<Record<string, unknown>>): FormContent {
  const { properties } = schema;
  const fields = Object.entries(asObject(properties));
  const defaults = fields.flatMap(([name, field]) =>
    isObject(field) && field["default"] !== undefined ? [[name, field["default"]]] : [],
  );
  return Object.fromEntries(defaults) as FormContent;
}

function isField(field: unknown, { urlElicitation }: RevisionTraits): boolean {
  if (!isObject(field)) return false;
  switch (field["type"]) {
    case "number":
    case "integer":
    case "boolean":
      return true;
    case "string":
      return isTextField(field, urlElicitation);
    case "array":
      return urlElicitation && isChoice(field["items"], "anyOf");
    default:
      return false;
  }
}

function isTextField(field: Readonly<Record<string, unknown>>, mayHaveTitles: boolean): boolean {
  const { format } = field;
  if (format !== undefined && !formats.includes(format as string)) return false;
  if (field["oneOf"] !== undefined) return mayHaveTitles && isChoice(field, "oneOf");
  return field["enum"] === undefined || isChoice(field, "oneOf");
}

/** An enumeration of strings, or of strings with titles under the keyword `titled`. */
function isChoice(choice: unknown, titled: "oneOf" | "anyOf"): boolean {
  if (!isObject(choice)) return false;
  const titles = choice[titled];
  if (titles !== undefined) return Array.isArray(titles) && titles.every(isTitledText);
  const texts = choice["enum"];
  return Array.isArray(texts) && texts.every((text) => typeof text === "string");
}

function isTitledText(value: unknown): boolean {
  return isObject(value) && typeof value["const"] === "string";
}
