import { isObject } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";

/** An input of Visual Studio Code, for which it asks the person. */
export interface ConfigInput {
  readonly id: string;
  readonly description?: string;
  readonly default?: string;
  /** Whether it is a secret: then its default is ignored. */
  readonly password?: boolean;
}

/** The values for the variables of a configuration. */
export interface ConfigVariables {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly inputs: readonly ConfigInput[];
  /** The folder of the configuration, for `${workspaceFolder}`. */
  readonly folder: string;
  /** The place in the configuration, for errors. */
  readonly where: string;
}

/** A variable of the environment, as agents and Visual Studio Code write it, with an optional default. */
const NAME = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/**
 * Replaces variables in all texts of a value: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:id}`,
 * `${workspaceFolder}` and `${userHome}`. Any other text in braces stays as it is.
 * @throws IdewireError `invalid-argument` with the name of an unset variable or input
 */
export function expand(value: unknown, variables: ConfigVariables): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => expand(item, variables));
  if (isObject(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, item]) => [key, expand(item, variables)]));
  }
  return typeof value === "string" ? expandText(value, variables) : value;
}

function expandText(text: string, variables: ConfigVariables): string {
  let expanded = "";
  let at = 0;
  for (;;) {
    const start = text.indexOf("${", at);
    const end = start === -1 ? -1 : endOf(text, start);
    if (end === -1) return expanded + text.slice(at);
    const value = replacementOf(text.slice(start + 2, end), variables);
    expanded += text.slice(at, start) + (value ?? text.slice(start, end + 1));
    at = end + 1;
  }
}

/** The brace that closes the one at `${`; a default may contain variables. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text.startsWith("${", at)) depth += 1;
    else if (text[at] === "}") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function replacementOf(name: string, variables: ConfigVariables): string | undefined {
  const { env, folder, where } = variables;
  if (name === "workspaceFolder") return folder;
  if (name === "userHome") return env["HOME"] ?? env["USERPROFILE"] ?? "";
  const input = /^input:(.+)$/.exec(name)?.[1];
  if (input !== undefined) return inputOf(input, variables);
  const [, variable, otherwise] = NAME.exec(name) ?? [];
  if (variable === undefined) return undefined;
  const found = env[variable];
  if (found !== undefined) return found;
  if (otherwise !== undefined) return expandText(otherwise, variables);
  throw new IdewireError("invalid-argument", `${where}: the variable ${variable} is not set`);
}

/** Visual Studio Code asks the person; here a variable has the answer. */
function inputOf(id: string, { env, inputs, where }: ConfigVariables): string {
  const input = inputs.find((each) => each.id === id);
  const variable = `INPUT_${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
  const found = env[variable] ?? (input?.password ? undefined : input?.default);
  if (found !== undefined) return found;
  const about = input?.description === undefined ? "" : ` (${input.description})`;
  const words = `${where}: the input ${id}${about} is needed: set the variable ${variable}`;
  throw new IdewireError("invalid-argument", words);
}
