import { describeValue, isObject, type LegacyRevision, pointerTo } from "@idewire/core/internal";

/**
 * The shape of a value: the part of JSON Schema that the protocols need, so that one table serves
 * the check of frames, the field documentation of the page, and the reference pages.
 */
export type Shape = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Shape;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly anyOf?: readonly Shape[];
  /** The first revision of MCP that has it. */
  readonly since?: LegacyRevision;
};

/** A place where a value does not have its shape. */
export interface ShapeIssue {
  /** A JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly expected: string;
  readonly got: string;
  /** The value is valid, but belongs to this revision, which is later than the negotiated one. */
  readonly since?: LegacyRevision;
}

/** More issues of one frame are noise. */
const MAX_ISSUES = 12;
const MAX_ITEMS = 500;

/** Constraints on a value besides its shape. */
export interface ShapeCheckOptions {
  /** JSON pointer to the value in its frame. */
  readonly pointer?: string;
  /** The negotiated revision; everything is allowed when left out. */
  readonly revision?: LegacyRevision;
}

/** Where a value does not have its shape. Additional members are allowed. */
export function checkShape(
  shape: Shape,
  value: unknown,
  { pointer = "", revision }: ShapeCheckOptions = {},
): readonly ShapeIssue[] {
  const issues: ShapeIssue[] = [];
  check(shape, value, { pointer, revision, issues });
  return issues;
}

interface ShapeCheck {
  readonly pointer: string;
  readonly revision: LegacyRevision | undefined;
  readonly issues: ShapeIssue[];
}

function check(shape: Shape, value: unknown, at: ShapeCheck): void {
  const { pointer, revision, issues } = at;
  if (issues.length >= MAX_ISSUES) return;
  if (shape.since !== undefined && revision !== undefined && shape.since > revision) {
    const expected = `nothing of MCP ${shape.since}: ${revision} was negotiated`;
    issues.push({ pointer, expected, got: describeValue(value), since: shape.since });
    return;
  }
  if (shape.anyOf !== undefined) checkChoice(shape, value, at);
  else if (!fits(shape, value)) {
    issues.push({ pointer, expected: describeShape(shape), got: describeValue(value) });
  } else if (isObject(value)) checkMembers(shape, value, at);
  else if (Array.isArray(value) && shape.items !== undefined) {
    for (const [index, item] of value.slice(0, MAX_ITEMS).entries()) {
      check(shape.items, item, { ...at, pointer: `${pointer}/${index}` });
    }
  }
}

function checkMembers(
  { properties = {}, required = [] }: Shape,
  value: Readonly<Record<string, unknown>>,
  at: ShapeCheck,
): void {
  for (const [name, member] of Object.entries(properties)) {
    const pointer = pointerTo(at.pointer, name);
    // A member may be undefined in an object of the caller, never in JSON.
    if (Object.hasOwn(value, name)) check(member, value[name], { ...at, pointer });
    else if (required.includes(name)) {
      at.issues.push({ pointer, expected: describeShape(member), got: "nothing" });
    }
  }
}

/** Reports the issues of the intended alternative, or that none fits. */
function checkChoice(shape: Shape, value: unknown, at: ShapeCheck): void {
  const choices = shape.anyOf ?? [];
  const tried = choices.map((choice) => {
    const issues: ShapeIssue[] = [];
    check(choice, value, { ...at, issues });
    return { choice, issues };
  });
  if (tried.some(({ issues }) => issues.length === 0)) return;
  const meant = tried
    .filter(({ choice }) => isMeant(choice, value))
    .sort((a, b) => a.issues.length - b.issues.length)[0];
  if (meant !== undefined) at.issues.push(...meant.issues);
  else {
    const { pointer, issues } = at;
    issues.push({ pointer, expected: describeShape(shape), got: describeValue(value) });
  }
}

/** Whether the value is meant as this alternative: its type, and the members with a single value. */
function isMeant(choice: Shape, value: unknown): boolean {
  if (!fits({ ...choice, minItems: 0 }, value)) return false;
  if (!isObject(value)) return true;
  return Object.entries(choice.properties ?? {}).every(
    ([name, member]) => member.enum?.length !== 1 || member.enum[0] === value[name],
  );
}

function fits(shape: Shape, value: unknown): boolean {
  if (shape.enum !== undefined && !shape.enum.some((one) => one === value)) return false;
  const types = shape.type === undefined ? [] : [shape.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return false;
  if (shape.minimum !== undefined && typeof value === "number" && value < shape.minimum) {
    return false;
  }
  return !(Array.isArray(value) && value.length < (shape.minItems ?? 0));
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

/** A shape in a few words: `string`, `array of string`, `"a" or "b"`. */
export function describeShape(shape: Shape): string {
  // A server's schema may contain anything.
  if (!isObject(shape)) return "anything";
  if (Array.isArray(shape.anyOf)) {
    return [...new Set(shape.anyOf.map(describeShape))].join(" or ");
  }
  if (Array.isArray(shape.enum)) {
    return shape.enum.map((value) => JSON.stringify(value)).join(" or ");
  }
  if (shape.type === "array") {
    const items = shape.items === undefined ? "" : ` of ${describeShape(shape.items)}`;
    return `array${items}${shape.minItems === undefined ? "" : `, ${shape.minItems} or more`}`;
  }
  if (isObject(shape.properties)) {
    return `object { ${Object.keys(shape.properties).join(", ")} }`;
  }
  const type = [shape.type ?? "anything"].flat().join(" or ");
  return shape.minimum === undefined ? type : `${type}, ${shape.minimum} or more`;
}

// Builders of shapes.

export function text(description?: string): Shape {
  return { type: "string", ...(description !== undefined && { description }) };
}

export function object(
  properties: Readonly<Record<string, Shape>>,
  optional: readonly string[] = [],
): Shape {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: "object", properties, required, additionalProperties: false };
}

/** An object that may have more members, as those of MCP; members with `?` are optional. */
export function open(members: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(members);
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith("?"));
  const properties = Object.fromEntries(
    entries.map(([name, shape]) => [name.replace(/\?$/, ""), shape]),
  );
  return { type: "object", properties, required };
}

export function list(items: Shape, description?: string): Shape {
  return { type: "array", items, ...(description !== undefined && { description }) };
}

export function oneOf(...values: readonly string[]): Shape {
  return { enum: values };
}
