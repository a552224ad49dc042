import type { UnitShape } from "../units/unit.ts";

/** A token of a unit as it was. */
export interface KnownToken {
  readonly text: string;
  readonly counts: boolean;
}

/** A unit of the source as it was when its comments were anchored. */
export interface KnownUnit extends UnitShape {
  readonly parent: KnownUnit | undefined;
  readonly children: readonly KnownUnit[];
  /** Its own first tokens, where a comment is on it. */
  readonly tokens: readonly KnownToken[] | undefined;
}

/** What both trees have, for comparisons of either. */
export interface AnyUnit extends UnitShape {
  readonly parent: AnyUnit | undefined;
  readonly children: readonly AnyUnit[];
}

/** Equal for units that say the same under the same name. */
export function keyOf(unit: UnitShape): string {
  return `${unit.hash}${nameKeyOf(unit) ?? ""}`;
}

/** By which units of the same name are told apart: to declare a name is not to assign to it. */
export function nameKeyOf({ name, type }: UnitShape): string | undefined {
  return name === undefined ? undefined : `${isAssignment(type) ? "=" : ""}${name}`;
}

function isAssignment(type: string): boolean {
  return type.startsWith("assignment");
}

/** Does it have a name that it declares itself? */
export function declaresName({ name, type }: UnitShape): boolean {
  return name !== undefined && !isAssignment(type);
}

/** Does it name what another source declares? */
export function isImport({ type }: AnyUnit): boolean {
  return type.startsWith("import");
}

/** Does it only say something of what follows it? Of the attributes of Rust, others are in what they are of. */
export function isDescription(unit: UnitShape | undefined): boolean {
  return unit?.type === "comment" || unit?.type === "attribute_item";
}

/** Is it a declaration that names a scope, rather than a value or an entry? */
export function isScope(unit: AnyUnit): boolean {
  return unit.name !== undefined && unit.children.length > 0;
}

/** The innermost declaration around a unit, or the file. */
export function scopeOf<T extends AnyUnit & { readonly parent: T | undefined }>(unit: T): T {
  let scope = unit;
  while (scope.parent !== undefined) {
    scope = scope.parent;
    if (isScope(scope)) break;
  }
  return scope;
}

/** The declaration directly in the file that a unit is in, or itself. */
export function topLevelOf<T extends AnyUnit & { readonly parent: T | undefined }>(unit: T): T {
  let top = unit;
  while (top.parent?.parent !== undefined) top = top.parent;
  return top;
}
