import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../packaging/packages.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

const command = join(root, "packages/cli/bin/idewire.js");

/** Limits files to zero bytes: every write fails, as on a full disk. */
const onFullDisk = 'trap "" XFSZ; ulimit -f 0; exec "$0" "$@"';

test.runIf(process.platform !== "win32")(
  "a start on a full disk reports it, and leaves nothing that blocks the next one",
  async () => {
    const home = temporaryFolder("idewire-full-");
    const args = ["-c", onFullDisk, process.execPath, command, "serve", home, "--json"];
    const env = { PATH: process.env["PATH"], HOME: home };
    const failure = promisify(execFile)("/bin/sh", args, { env }).catch((error: unknown) => error);
    expect(await failure).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Cannot write"),
    });
    const left = readdirSync(home, { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => /starting|\.lock|\.tmp|\.json|\.sock/.test(name))).toEqual([]);
  },
);
