import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
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
    [["inspect", "--as-agent", "http://127.0.0.1/mcp"], "--as-agent is for an editor, not for an"],
    [["inspect", "--header", "a: b"], "--header is for a server at an address"],
    [["inspect", "a", "b"], "expected one URL or folder, then b; a command comes after --"],
    [["mcp", "list"], "What to do comes first, then the server: tools, call, resources,"],
    [["mcp", "--", "npx", "server"], "What to do comes first, then the server: tools,"],
    [["serve", "--host", "0.0.0.0"], "name what clients call this machine with --allow-host"],
  ] as const;
  for (const [argv, received] of cases) {
    const { code, stdout, stderr } = await run(...argv);
    expect(stderr).toContain(received);
    const command = argv[0] === "dance" ? "idewire" : `idewire ${argv[0]}`;
    expect(stderr).toContain(`Try ${command} --help`);
    expect([code, stdout]).toEqual([2, ""]);
    if (argv[0] === "mcp") expect(stderr).not.toContain("Did you mean");
  }
});

test("a server that has its own token is used by a header, to which each refusal leads", async () => {
  const token = "a token of the test";
  const server = new McpServer({ name: "weather", version: "1.0.0" });
  server.tool("forecast", {}, () => "Sunny");
  await using listener = await listenMcp(server, { token });
  const header = '--header "Authorization: Bearer <token>"';
  for (const words of [["tools"], ["call", "forecast"], ["login"]]) {
    const { code, stderr } = await run("mcp", ...words, listener.url);
    expect(stderr).toContain(header);
    expect(code).toBe(1);
  }
  const authorization = `Authorization: Bearer ${token}`;
  const called = await run("mcp", "call", "forecast", listener.url, "--header", authorization);
  expect(called).toEqual({ code: 0, stdout: "Sunny\n", stderr: "" });
});

test("the help of an action of mcp explains each of its words", async () => {
  const { stdout } = await run("mcp", "call", "--help");
  const words = "words <tool>, its arguments as a JSON object (-: from stdin), the server: a URL,";
  expect(stdout.replace(/\s+/g, " ")).toContain(words);
});

test("a missing folder, or a file in its place, is an error with advice", async () => {
  const { code, stderr } = await run("serve", "missing");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^idewire: .*missing.*\nGive the path of an existing folder\.\n$/);
});
