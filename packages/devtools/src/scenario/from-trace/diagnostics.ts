import type { Diagnostic, Range } from "@idewire/core";
import { isObject, rangeSchema } from "@idewire/core/internal";
import { is } from "valibot";
import { exactJson } from "../../trace/exact-json.ts";
import type { ActionOf } from "../file/model.ts";
import type { Translation } from "./translation.ts";

const severities: ReadonlyMap<string, Diagnostic["severity"]> = new Map([
  ["error", "error"],
  ["warning", "warning"],
  ["info", "information"],
  ["information", "information"],
  ["hint", "hint"],
  ["weak_warning", "hint"],
]);

/** The diagnostics of one file, as every dialect sends them; undefined when they cannot be translated. */
export function translateDiagnostics(
  value: unknown,
  { omissions, names, files }: Translation,
): ActionOf<"diagnostics"> | undefined {
  const { uri, diagnostics: list } = isObject(value) ? value : {};
  const path = names.nameOf(uri) ?? names.nameOf(decode(uri));
  if (path === undefined || !Array.isArray(list)) {
    omissions.add("diagnostics: their file is outside the workspace");
    return undefined;
  }
  const read = list.map(readDiagnostic);
  const diagnostics = read.filter((one) => one !== undefined);
  if (diagnostics.length < read.length) {
    omissions.add(`diagnostics: ${read.length - diagnostics.length} have an unknown format`);
  }
  for (const { range } of diagnostics) files.reach(path, { ...range.end, character: 0 });
  return { do: "diagnostics", path, diagnostics };
}

function readDiagnostic(value: unknown): Diagnostic | undefined {
  if (!isObject(value)) return undefined;
  const { message, severity, range, source, code } = value;
  const known = severities.get(String(severity).toLowerCase());
  if (typeof message !== "string" || known === undefined || !isRange(range)) return undefined;
  // A code identifies: it is never computed with.
  const shown = exactJson.isLongNumber(code) ? String(code) : code;
  const isCode = typeof shown === "string" || typeof shown === "number";
  return {
    ...{ message, severity: known, range },
    ...(typeof source === "string" && { source }),
    ...(isCode && { code: shown }),
  };
}

/** Whether a value is a range as every dialect writes it. */
export function isRange(value: unknown): value is Range {
  return is(rangeSchema, value);
}

function decode(uri: unknown): unknown {
  try {
    return typeof uri === "string" ? decodeURI(uri) : undefined;
  } catch {
    return undefined;
  }
}
