import { isObject } from "@idewire/core/internal";
import { exactJson } from "../state/exact-json.ts";

/** A value of an enumeration. */
export interface FieldChoice {
  /** The value itself if it is a string, else its JSON. */
  readonly text: string;
  readonly label: string;
  readonly value: unknown;
}

/** One argument of a tool, or one field of a server's question, as a form asks for it. */
export interface ToolField {
  readonly name: string;
  /** Empty when there is none. */
  readonly title: string;
  readonly about: string;
  readonly isRequired: boolean;
  /** Whether null is a value of its own, beside no value at all. */
  readonly isNullable: boolean;
  /** Anything but strings, numbers, booleans and enumerations is entered as JSON. */
  readonly kind: "text" | "number" | "flag" | "choice" | "json";
  readonly choices: readonly FieldChoice[];
  /** The default value, as it is entered; empty when there is none. */
  readonly start: string;
}

/** The entered values by name; null for a null. */
export type Filled = Readonly<Record<string, string | null>>;

/** The value entered for a name, which may be that of a member of every object, such as `constructor`. */
export function enteredFor<Value>(
  filled: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(filled, name) ? filled[name] : undefined;
}

type Schema = Readonly<Record<string, unknown>>;

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

/** The defaults of a form. */
export function startOf(fields: readonly ToolField[]): Filled {
  return Object.fromEntries(
    fields.filter(({ start }) => start !== "").map(({ name, start }) => [name, start]),
  );
}

function toField(
  name: string,
  { field, isRequired }: { readonly field: unknown; readonly isRequired: boolean },
): ToolField {
  const given = isObject(field) ? field : {};
  const { schema, isNullable } = withoutNull(given);
  const choices = choicesOf(schema);
  const kind = choices === undefined ? kindOf(schema["type"]) : "choice";
  const start = given["default"];
  return {
    ...{ name, isRequired, isNullable, kind, choices: choices ?? [] },
    title: textOf(given["title"]),
    about: textOf(given["description"]),
    start: start === undefined || start === null ? "" : toText(start),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : exactJson.stringify(value);
}

/** A schema that null, too, matches: by a type beside others, or by one of two alternatives. */
function withoutNull(schema: Schema): { readonly schema: Schema; readonly isNullable: boolean } {
  const { type, anyOf, oneOf } = schema;
  if (Array.isArray(type) && type.includes("null")) {
    const others = type.filter((each) => each !== "null");
    return {
      schema: { ...schema, type: others.length === 1 ? others[0] : others },
      isNullable: true,
    };
  }
  const ways = anyOf ?? oneOf;
  if (!Array.isArray(ways)) return { schema, isNullable: false };
  const others: readonly unknown[] = ways.filter(
    (way) => !(isObject(way) && way["type"] === "null"),
  );
  const isNullable = others.length < ways.length;
  const [only] = others;
  return isNullable && others.length === 1 && isObject(only)
    ? { schema: only, isNullable }
    : { schema, isNullable: false };
}

/** The values of an enumeration, with their titles if they have any. */
function choicesOf({ enum: values, enumNames, oneOf }: Schema): readonly FieldChoice[] | undefined {
  if (Array.isArray(values)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value, at) => toChoice(value, names[at]));
  }
  const isTitled = Array.isArray(oneOf) && oneOf.every((way) => isObject(way) && "const" in way);
  if (!isTitled) return undefined;
  return oneOf.map((way: Schema) => toChoice(way["const"], way["title"]));
}

function toChoice(value: unknown, title: unknown): FieldChoice {
  const text = toText(value);
  return { text, label: textOf(title) || text, value };
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
  filled: Filled,
): Readonly<Record<string, unknown>> | string {
  const given: Record<string, unknown> = {};
  for (const field of fields) {
    const { name, kind } = field;
    const text = enteredFor(filled, name);
    if (text === undefined || isLeftOut(text, field)) continue;
    const value = text === null ? null : read(text, field);
    if (value === undefined) return `${name}: expected ${expected[kind]}, got ${text}`;
    Object.defineProperty(given, name, { value, enumerable: true });
  }
  return given;
}

/** Whether what is empty is no argument. */
function isLeftOut(text: string | null, { kind, isRequired }: ToolField): boolean {
  return text === "" && !(isRequired && kind === "text");
}

/** Arguments as they are entered; a string says why a form cannot show them. */
export function fromArguments(fields: readonly ToolField[], args: unknown): Filled | string {
  if (!isObject(args)) return "A form shows an object only";
  const filled: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(args)) {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) return `${name}: the form has no such field`;
    const text = field.kind === "json" ? exactJson.stringify(value) : toText(value);
    const entered = value === null && field.isNullable ? null : text;
    const kept = entered === null ? null : read(entered, field);
    if (isLeftOut(entered, field)) return `${name}: the form leaves out an empty text`;
    if (exactJson.stringify(kept) !== exactJson.stringify(value)) {
      return `${name}: the form takes ${expected[field.kind]} only`;
    }
    Object.defineProperty(filled, name, { value: entered, enumerable: true });
  }
  return filled;
}

const expected: Readonly<Record<ToolField["kind"], string>> = {
  text: "a text",
  number: "a number",
  flag: "true or false",
  choice: "one of the choices",
  json: "JSON",
};

function read(text: string, { kind, choices }: ToolField): unknown {
  if (kind === "text") return text;
  if (kind === "flag") return text === "true";
  if (kind === "choice") return choices.find((choice) => choice.text === text)?.value;
  try {
    const value = exactJson.parse(text);
    const isNumber = typeof value === "number" || exactJson.isLongNumber(value);
    return kind === "number" && !isNumber ? undefined : value;
  } catch {
    return undefined;
  }
}
