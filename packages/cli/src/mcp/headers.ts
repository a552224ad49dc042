import { describeValue } from "@idewire/core/internal";
import type { CliIo } from "../process/io.ts";

/** Parses headers written as `Name: value`; returns an error message, without the value, for a malformed one. */
export function parseHeaders(texts: readonly string[]): Readonly<Record<string, string>> | string {
  const headers = new Headers();
  for (const text of texts) {
    const [, name = "", value = ""] = /^([^:\s]+):\s*(.*)$/s.exec(text) ?? [];
    try {
      headers.append(name, value);
    } catch {
      const seen =
        name === "" ? "a value without a name" : `one with the name ${describeValue(name)}`;
      return `--header takes "Name: value"; got ${seen}`;
    }
  }
  return Object.fromEntries(headers);
}

/** Reads headers written as `Name: VARIABLE`; returns an error message, without the value, for a wrong one. */
export function parseHeaderVariables(
  texts: readonly string[],
  env: CliIo["env"],
): Readonly<Record<string, string>> | string {
  const headers = new Headers();
  for (const text of texts) {
    const [, name = "", variable = ""] = /^([^:\s]+):\s*(\S+)$/.exec(text) ?? [];
    // The text could be a value that was meant for --header.
    if (name === "") return '--header-env takes "Name: VARIABLE"; got something else';
    const value = env[variable];
    if (value === undefined || value === "") {
      const isName = /^[A-Za-z_]\w*$/.test(variable);
      return `--header-env: the variable ${isName ? variable : `for ${name}`} is not set`;
    }
    try {
      headers.append(name, value);
    } catch {
      return `--header-env: ${name} cannot be sent with the value of ${variable}`;
    }
  }
  return Object.fromEntries(headers);
}
