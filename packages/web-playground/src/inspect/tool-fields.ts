import { isObject } from "@idewire/core/internal";
import { exactJson } from "../state/exact-json.ts";

/** One argument of a tool, as a form asks for it. */
export interface ToolField {
  readonly name: string;
  readonly about: string;
  readonly isRequired: boolean;
  /** Anything but strings, numbers, booleans and enumerations is entered as JSON. */
  readonly kind: "text" | "number" | "flag" | "choice" | "json";
  readonly choices: readonly string[];
}

/** The arguments that a schema names, required ones first. */
export function toFields(inputSchema: unknown): readonly ToolField[] {
  const schema = isObject(inputSchema) ? inputSchema : {};
  const { properties, required } = schema;
  const must = Array.isArray(required) ? required : [];
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, field]) =>
    toField(name, { field, isRequired: must.includes(name) }),
  );
  return fields.sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

function toField(
  name: string,
  { field, isRequired }: { readonly field: unknown; readonly isRequired: boolean },
): ToolField {
  const schema = isObject(field) ? field : {};
  const { description, enum: choices } = schema;
  const about = typeof description === "string" ? description : "";
  const texts = Array.isArray(choices) && choices.every((one) => typeof one === "string");
  const kind = texts ? "choice" : kindOf(schema["type"]);
  return { name, about, isRequired, kind, choices: texts ? choices : [] };
}

function kindOf(type: unknown): ToolField["kind"] {
  switch (type) {
    case "string":
      return "text";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "flag";
    default:
      return "json";
  }
}

/** The entered arguments; a string names an invalid one. */
export function toArguments(
  fields: readonly ToolField[],
  filled: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> | string {
  const given: Record<string, unknown> = {};
  for (const { name, kind, isRequired } of fields) {
    const text = filled[name];
    if (text === undefined || (text === "" && !(isRequired && kind === "text"))) continue;
    const value = read(text, kind);
    if (value === undefined) return `${name}: expected ${expected[kind]}, got ${text}`;
    Object.defineProperty(given, name, { value, enumerable: true });
  }
  return given;
}

const expected: Readonly<Record<ToolField["kind"], string>> = {
  text: "a text",
  number: "a number",
  flag: "true or false",
  choice: "one of the choices",
  json: "JSON",
};

function read(text: string, kind: ToolField["kind"]): unknown {
  if (kind === "text" || kind === "choice") return text;
  if (kind === "flag") return text === "true";
  try {
    const value = exactJson.parse(text);
    const isNumber = typeof value === "number" || exactJson.isLongNumber(value);
    return kind === "number" && !isNumber ? undefined : value;
  } catch {
    return undefined;
  }
}
