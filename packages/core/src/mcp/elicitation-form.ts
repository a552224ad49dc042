import { describeValue, isObject } from "../rpc/message.ts";
import type { RevisionTraits } from "./versions.ts";

// Which schemas a form may have: MCP 2025-11-25, Client / Elicitation, Requested Schema.

const formats = ["email", "uri", "date", "date-time"];

/** What a form's answer is: flat. */
export type FormContent = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * What keeps a schema from being a form; undefined when it is one: an object of texts, numbers,
 * flags and choices, since 2025-11-25 also of lists of choices and of choices with titles.
 */
export function findFormFault(schema: unknown, traits: RevisionTraits): string | undefined {
  if (!isObject(schema) || schema["type"] !== "object" || !isObject(schema["properties"])) {
    return `a form is an object with properties, got ${describeValue(schema)}`;
  }
  const { properties } = schema;
  const fields = Object.entries(properties);
  const wrong = fields.find(([, field]) => !isField(field, traits));
  if (wrong === undefined) return undefined;
  return `${wrong[0]}: a form has no such field, got ${describeValue(wrong[1])}`;
}

/** What the fields hold that nobody has filled in. */
export function formDefaults(schema: Readonly<Record<string, unknown>>): FormContent {
  const { properties } = schema;
  const fields = Object.entries(isObject(properties) ? properties : {});
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

/** A choice of texts, or of texts with titles under `titled`. */
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
