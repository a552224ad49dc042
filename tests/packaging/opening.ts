import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Package } from "./packages.ts";

/** The opening of a README: how to install the package, then how to use it. */
export interface Opening {
  /** The packages of the first line. */
  readonly installs: readonly string[];
  /** The first code block; empty if the first line is a command to run. */
  readonly code: string;
  /** What the code prints, by the comments after `console.log`. */
  readonly prints: string;
}

/** Reads the opening of a package's README. */
export function openingOf({ folder }: Package): Opening {
  const text = readFileSync(join(folder, "README.md"), "utf8");
  const [first, second] = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const [, verb, names = ""] = /^(npm install|npx) (.*)\n/.exec(first?.[2] ?? "") ?? [];
  if (verb === undefined)
    throw new Error(`${folder}: the README does not begin with its installation`);
  if (verb === "npx") return { installs: [names.split(" ")[0] ?? ""], code: "", prints: "" };
  if (second?.[1] !== "ts") throw new Error(`${folder}: no code follows the installation`);
  const code = second[2] ?? "";
  const printed = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, each]) => each);
  return { installs: names.split(" "), code, prints: printed.join("\n") };
}
