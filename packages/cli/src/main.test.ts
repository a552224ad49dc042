import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/src/temporary-folder.ts";
import manifest from "../../node-server/package.json" with { type: "json" };
import { main } from "./main.ts";

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line that ends by itself. */
async function run(...argv: readonly string[]): Promise<Ran> {
  const home = temporaryFolder("idewire-");
  const streams = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  };
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    streams[name].on("data", (chunk) => {
      output[name] += String(chunk);
    });
  }
  const io = {
    ...streams,
    env: { HOME: home },
    cwd: home,
    onSignal: () => () => {},
    exit: () => {},
  };
  return { code: await main(argv, io), ...output };
}

test("--version is that of the package", async () => {
  expect(await run("--version")).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("a closed stdout is not an error, whatever the command", async () => {
  const gone = () =>
    new Writable({ write: (_chunk, _encoding, done) => done(new Error("write EPIPE")) });
  for (const argv of [["--help"], ["serve", "--help"], ["list"], ["dance"]]) {
    const [stdout, stderr] = [gone(), gone()];
    const stdin = new PassThrough();
    const [env, cwd] = [{ HOME: join(tmpdir(), "nobody") }, tmpdir()];
    const io = { stdin, stdout, stderr, env, cwd, onSignal: () => () => {} };
    await main(argv, { ...io, exit: () => {} });
    await expect.poll(() => stdout.errored ?? stderr.errored).toBeInstanceOf(Error);
    expect([stdout, stderr].every((output) => output.listenerCount("error") > 0)).toBe(true);
  }
});

test("output lost on a full disk is not a success", async () => {
  const stdout = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error("full"), { code: "ENOSPC" })),
  });
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const [env, cwd] = [{ HOME: join(tmpdir(), "nobody") }, tmpdir()];
  const io = { stdin, stdout, stderr, env, cwd, onSignal: () => () => {}, exit: () => {} };
  expect(await main(["--help"], io)).toBe(1);
  expect(String(stderr.read())).toBe("idewire: the output cannot be written: the disk is full\n");
});

test("a wrong command line is answered with the fault, and how to find help", async () => {
  const cases = [
    [["serve", "--bogus"], "unknown option '--bogus'"],
    [["serve", "--scirpt"], "Did you mean --script?"],
    [["dance"], "unknown command 'dance'"],
    [["serve", "a", "b"], "too many arguments"],
    [["serve", "--share", "some"], "Allowed choices are off, path, selection, all."],
    [["serve", "--port", "http"], "Expected a number from 1 to 65535, or 0 for any."],
    [["serve", "--port", "65536"], "Expected a number from 1 to 65535"],
    [["serve", "--port", "-1"], "Expected a number from 1 to 65535"],
    [["serve", "--name", "\x1b[2J"], "none of them a control character"],
    [["serve", "--name", " "], "Expected 1 to 100 characters"],
    [["serve", "--host", "0.0.0.0"], "name what clients call this machine with --allow-host"],
  ] as const;
  for (const [argv, received] of cases) {
    const { code, stdout, stderr } = await run(...argv);
    expect(stderr).toContain(received);
    expect(stderr).toContain(
      argv[0] === "serve" ? "Try idewire serve --help" : "Try idewire --help",
    );
    expect([code, stdout]).toEqual([2, ""]);
  }
});

test("a missing folder, or a file in its place, is an error with advice", async () => {
  const { code, stderr } = await run("serve", "missing");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^idewire: .*missing.*\nGive the path of an existing folder\.\n$/);
});
