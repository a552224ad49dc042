import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../packaging/packages.ts";

const command = join(root, "packages/node-server/bin/idewire.js");

/** Files that may have no bytes: every write fails, as on a disk that is full. */
const onFullDisk = 'trap "" XFSZ; ulimit -f 0; exec "$0" "$@"';

test.runIf(process.platform !== "win32")(
  "a start on a full disk says so, and leaves nothing that keeps the next one waiting",
  async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "idewire-full-")));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
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
