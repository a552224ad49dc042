import { describeValue, isObject, type ParseResult } from "@idewire/core/internal";

/** The value of a form's field. */
export type FieldValue = string | number | boolean | readonly string[];

/** A value of an enumeration. */
export interface Choice {
  readonly value: string;
  readonly title?: string;
}

type Field = Readonly<Record<string, unknown>>;

/** The choices of a field, in order; none if it allows any value of its type. */
export function choicesOf(field: Field): readonly Choice[] {
  const { items } = field;
  if (field["type"] === "array") return isObject(items) ? choicesOf(items) : [];
  const titled = field["oneOf"] ?? field["anyOf"];
  if (Array.isArray(titled)) return titled.flatMap(readTitled);
  const { enum: values, enumNames } = field;
  if (!Array.isArray(values)) return [];
  return values.map((value, index) => {
    const title: unknown = Array.isArray(enumNames) ? enumNames[index] : undefined;
    return { value: String(value), ...(typeof title === "string" && { title }) };
  });
}

function readTitled(item: unknown): readonly Choice[] {
  if (!isObject(item) || typeof item["const"] !== "string") return [];
  const { const: value, title } = item;
  return [{ value, ...(typeof title === "string" && { title }) }];
}

/** Parses the typed text of a field by its type; other constraints of the schema are not checked. */
export function readFieldText(text: string, field: Field): ParseResult<FieldValue> {
  const typed = text.trim();
  switch (field["type"]) {
    case "boolean":
      if (/^(y|yes|true)$/i.test(typed)) return { ok: true, value: true };
      if (/^(n|no|false)$/i.test(typed)) return { ok: true, value: false };
      return { ok: false, issue: `expected yes or no, got ${describeValue(typed)}` };
    case "number":
    case "integer": {
      const value = typed === "" ? Number.NaN : Number(typed);
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
        const issue = `expected at most ${Number.MAX_SAFE_INTEGER}, got ${describeValue(typed)}`;
        return { ok: false, issue };
      }
      if (Number.isFinite(value)) return { ok: true, value };
      return { ok: false, issue: `expected a number, got ${describeValue(typed)}` };
    }
    case "array":
      return readSeveral(typed, choicesOf(field));
    default: {
      const choices = choicesOf(field);
      return choices.length === 0 ? { ok: true, value: text } : readChoice(typed, choices);
    }
  }
}

function readSeveral(typed: string, choices: readonly Choice[]): ParseResult<readonly string[]> {
  const values: string[] = [];
  for (const part of typed === "" ? [] : typed.split(",")) {
    const read = readChoice(part.trim(), choices);
    if (!read.ok) return read;
    values.push(read.value);
  }
  return { ok: true, value: values };
}

/** A choice by its value, or by its number in the list. */
function readChoice(typed: string, choices: readonly Choice[]): ParseResult<string> {
  const chosen = choices.find(({ value }) => value === typed) ?? choices[Number(typed) - 1];
  if (chosen !== undefined) return { ok: true, value: chosen.value };
  const wanted = `one of the values, or a number from 1 to ${choices.length}`;
  return { ok: false, issue: `expected ${wanted}, got ${describeValue(typed)}` };
}
