import type { UnitShape } from "../units/unit.ts";

/** A token of a unit in the anchored source. */
export interface KnownToken {
  readonly text: string;
  readonly counts: boolean;
}

/** A unit of the source at the time its comments were anchored. */
export interface KnownUnit extends UnitShape {
  readonly parent: KnownUnit | undefined;
  readonly children: readonly KnownUnit[];
  /** Its first own tokens; stored only for units with comments. */
  readonly tokens: readonly KnownToken[] | undefined;
}

/** The fields that units of both trees share. */
export interface AnyUnit extends UnitShape {
  readonly parent: AnyUnit | undefined;
  readonly children: readonly AnyUnit[];
}

/** Equal for units with the same text and the same name. */
export function keyOf(unit: UnitShape): string {
  return `${unit.hash}${nameKeyOf(unit) ?? ""}`;
}

/** The name, marked for assignments: declaring a name differs from assigning to it. */
export function nameKeyOf({ name, type }: UnitShape): string | undefined {
  return name === undefined ? undefined : `${isAssignment(type) ? "=" : ""}${name}`;
}

function isAssignment(type: string): boolean {
  return type.startsWith("assignment");
}

/** Does it declare its name, rather than assign to it? */
export function declaresName({ name, type }: UnitShape): boolean {
  return name !== undefined && !isAssignment(type);
}

/** Does it refer to declarations of other files, such as `import`, `#include` or `use`? */
export function isImport({ type }: UnitShape): boolean {
  return /^(?:import|preproc_include|using_(?:directive|declaration)|(?:namespace_)?use_|extern_crate)/.test(
    type,
  );
}

/** A comment, macro or outer attribute, which describes the unit after it; not Rust's inner attributes. */
export function isDescription(unit: UnitShape | undefined): boolean {
  return unit !== undefined && descriptions.has(unit.type);
}

const descriptions: ReadonlySet<string> = new Set(["comment", "macro", "attribute_item"]);

/** Is it a named declaration with units inside? */
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

/** The unit's ancestor directly in the file, or the unit itself. */
export function topLevelOf<T extends AnyUnit & { readonly parent: T | undefined }>(unit: T): T {
  let top = unit;
  while (top.parent?.parent !== undefined) top = top.parent;
  return top;
}
