import { isObject } from "@idewire/core/internal";
import { parseJson } from "../diagnostics/json-source.ts";

/** The settings of a language server, by section. */
export type ServerSettings = Readonly<Record<string, unknown>>;

/**
 * Expands dots in the outermost names to sections, as VS Code writes them. Deeper names keep their dots: they
 * are files and addresses, such as those of YAML's schemas.
 */
export function nestSettings(settings: ServerSettings): ServerSettings {
  const nested = plainCopy({});
  for (const [name, value] of Object.entries(settings)) put(nested, name.split("."), value);
  return nested;
}

/**
 * The answer for a section, such as `yaml` or `yaml.format`; all settings without a section, and `null`, as in
 * the protocol, for a missing one.
 * @param settings the result of {@link nestSettings}
 */
export function sectionOf(settings: ServerSettings, section: unknown): unknown {
  if (typeof section !== "string" || section === "") return settings;
  let value: unknown = settings;
  for (const name of section.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return null;
    value = value[name];
  }
  return value;
}

/**
 * Parses settings from JSON text, which may have comments and trailing commas.
 * @throws Error with a message for the person
 */
export async function parseServerSettings(text: string): Promise<ServerSettings> {
  const { value, faults } = await parseJson(text, true);
  const [fault] = faults;
  if (fault !== undefined) throw new Error(`line ${fault.range.start.line + 1}: ${fault.message}`);
  if (isObject(value)) return value;
  throw new Error(`expected an object, got ${Array.isArray(value) ? "a list" : typeof value}`);
}

function put(into: Record<string, unknown>, names: readonly string[], value: unknown): void {
  const [name = "", ...deeper] = names;
  const present = into[name];
  if (deeper.length > 0) {
    const section = plainCopy(isObject(present) ? present : {});
    into[name] = section;
    put(section, deeper, value);
  } else {
    into[name] = isObject(present) && isObject(value) ? plainCopy({ ...present, ...value }) : value;
  }
}

/** Without a prototype, so that no name has a special meaning. */
function plainCopy(value: object): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, value);
}
