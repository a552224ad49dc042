import type { OpenUnit, UnitBuilder } from "../units/unit-builder.ts";

const furtherClauses: ReadonlySet<string> = new Set(["elif_clause", "else_clause"]);

/** An `else` with nothing in it but an `if` is read as the `elif` that it says in other words. */
export function joinElseIf(unit: OpenUnit, builder: UnitBuilder): void {
  if (unit.type !== "else_clause" || unit.parent?.type !== "if_statement") return;
  const [inner, ...others] = unit.children.filter(({ type }) => type !== "comment");
  if (inner?.type !== "if_statement" || others.length > 0) return;
  const word = inner.tokens[0];
  if (word === undefined) return;
  for (const token of unit.tokens) Object.assign(token, { counts: false });
  builder.rename(word, "elif");
  const clauses = inner.children.filter(({ type }) => furtherClauses.has(type));
  builder.dissolve(inner);
  for (const clause of clauses) builder.putInside(clause, unit.parent);
  unit.type = "elif_clause";
}
