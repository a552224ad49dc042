import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBin } from "./line-program.ts";
import { removeFolder } from "./remove-folder.ts";

/** Quotes, spaces, shell syntax and two-byte letters. */
const HOSTILE = `it's "a" $(touch pwned) \`b\` ü 🚀 50% & c;d`;

/** Where the documented commands run: a home and a folder with hostile names. */
export interface CommandPlace {
  readonly home: string;
  readonly folder: string;
  /** Finds the built `idewire`, also as `npx idewire`, and no other package. */
  readonly env: Readonly<Record<string, string>>;
  /** Adds a program that is an `sh` script. */
  program(name: string, script: string): void;
  remove(): Promise<void>;
}

export function createCommandPlace(): CommandPlace {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "idewire-documented-")));
  const [home, folder, bin] = [`home ${HOSTILE}`, `project ${HOSTILE}`, "bin"].map((name) =>
    join(place, name),
  ) as [string, string, string];
  for (const each of [bin, folder, join(home, "notes"), join(home, "project")]) {
    mkdirSync(each, { recursive: true });
  }
  const program = (name: string, script: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program("idewire", `exec "${process.execPath}" "${builtBin}" "$@"`);
  program("npx", 'test "$1" = idewire || exit 0; shift; exec idewire "$@"');
  program("xdg-open", "exit 0");
  symlinkSync(process.execPath, join(bin, "node"));
  const env = {
    ...{ HOME: home, XDG_CONFIG_HOME: join(home, ".config"), NO_COLOR: "1" },
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
  };
  return { home, folder, env, program, remove: () => removeFolder(place) };
}
