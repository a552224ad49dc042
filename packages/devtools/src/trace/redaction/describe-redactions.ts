import { countOf } from "@idewire/core/internal/base";
import type { Redaction } from "./stand-ins.ts";

const names: Readonly<Record<Redaction["what"], string>> = {
  token: "Token",
  home: "Home directory",
  name: "Name",
  text: "File contents",
};

/** The number of replacements of each kind, such as `Home directory: 6 replacements`. */
export function describeRedactions(redactions: readonly Redaction[]): readonly string[] {
  const counts = new Map<Redaction["what"], number>();
  for (const { what, count } of redactions) counts.set(what, (counts.get(what) ?? 0) + count);
  return [...counts].map(([what, count]) => {
    return `${names[what]}: ${countOf(count, "replacement")}`;
  });
}
