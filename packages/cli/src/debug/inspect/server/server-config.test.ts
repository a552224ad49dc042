import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type CommonOptions, parseServerConfig, readServerConfig } from "./server-config.ts";

/** As a configuration names a variable. */
const variable = (name: string) => `\${${name}}`;

const common: CommonOptions = {
  ...{ cwd: ".", framing: "lines", headers: {}, tls: undefined, filter: undefined, era: "auto" },
  login: {
    ...{ profile: undefined, client: undefined, issuer: undefined, scope: undefined },
    ...{ clientMetadataUrl: undefined, callbackPort: undefined },
    ...{ isUnattended: false, byDevice: false },
  },
};
const where = { path: "mcp.json", common };

test("servers of the usual configurations are read, with the variables of the environment", () => {
  const value = {
    mcpServers: {
      files: {
        command: "npx",
        args: ["files", variable("HOME")],
        env: { KEY: variable("KEY:-none") },
      },
      far: {
        type: "http",
        url: "https://example.com/mcp",
        headers: { "X-Key": variable("env:HOME") },
      },
      gemini: { httpUrl: "http://localhost:1/mcp" },
    },
  };
  expect(parseServerConfig(value, { HOME: "/h" }, where)).toMatchObject([
    {
      name: "files",
      run: { target: { command: "npx", args: ["files", "/h"] } },
      env: { KEY: "none" },
    },
    {
      name: "far",
      run: { target: { url: "https://example.com/mcp" }, headers: { "x-key": "/h" } },
    },
    { name: "gemini", run: { target: { url: "http://localhost:1/mcp" } } },
  ]);
});

test("an unusable server and an unset variable are named", () => {
  const parse = (servers: unknown) => () => parseServerConfig({ servers }, {}, where);
  expect(parse({})).toThrow("mcp.json has no servers");
  expect(parse({ a: 1 })).toThrow("mcp.json: a: expected a server, got 1");
  expect(parse({ a: { url: "ftp://x" } })).toThrow(
    "mcp.json: a: expected a command or an http URL",
  );
  expect(parse({ a: { command: variable("NO") } })).toThrow(
    "mcp.json: a: the variable NO is not set",
  );
});

test("a default may contain any text, and variables of its own", () => {
  const read = (command: string, env = {}) =>
    parseServerConfig({ servers: { a: { command } } }, env, where);
  const commandOf = (command: string, env = {}) => read(command, env)[0]?.run.target;
  expect(commandOf(variable("A:-cost $5"))).toMatchObject({ command: "cost $5" });
  expect(commandOf(variable(`A:-${variable("B:-b$")}/c`))).toMatchObject({ command: "b$/c" });
  // What a variable contains is not expanded again.
  expect(commandOf(variable("A"), { A: variable("B") })).toMatchObject({ command: variable("B") });
  expect(commandOf(`x ${variable("not closed").slice(0, -1)}`)).toMatchObject({
    command: `x ${variable("not closed").slice(0, -1)}`,
  });
});

test("an input of Visual Studio Code is a variable, or its default, and is named otherwise", () => {
  const value = {
    inputs: [
      { type: "promptString", id: "api-key", description: "Key of the shop", password: true },
      { type: "pickString", id: "place", default: "eu" },
    ],
    servers: { a: { command: "x", args: [variable("input:api-key"), variable("input:place")] } },
  };
  const read = (env: object) => () => parseServerConfig(value, env as never, where);
  expect(read({ INPUT_API_KEY: "k" })()).toMatchObject([
    { run: { target: { args: ["k", "eu"] } } },
  ]);
  expect(read({})).toThrow(
    "mcp.json: a: the input api-key (Key of the shop) is needed: set the variable INPUT_API_KEY",
  );
  const at = { path: "/notes/.vscode/mcp.json", common };
  const inFolder = { servers: { a: { command: variable("workspaceFolder") } } };
  expect(parseServerConfig(inFolder, {}, at)).toMatchObject([
    { run: { target: { command: "/notes" } } },
  ]);
});

test("the servers of Codex are read from TOML", async () => {
  const folder = mkdtempSync(join(tmpdir(), "idewire-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "config.toml");
  writeFileSync(
    path,
    `model = "x" # mine
[mcp_servers.files]
command = "npx"
args = ["-y", "\${HOME}"]
[mcp_servers.files.env]
KEY = "v"
[mcp_servers."far away"]
url = "https://example.com/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { "X-A" = "1" }
env_http_headers = { "X-B" = "B" }
`,
  );
  expect(await readServerConfig(path, { TOKEN: "t", B: "2" }, common)).toMatchObject([
    { name: "files", run: { target: { args: ["-y", variable("HOME")] } }, env: { KEY: "v" } },
    {
      name: "far away",
      run: {
        target: { url: "https://example.com/mcp" },
        headers: { "x-a": "1", "x-b": "2", authorization: "Bearer t" },
      },
    },
  ]);
  await expect(readServerConfig(path, {}, common)).rejects.toThrow(
    "far away: the variable B is not set",
  );
  writeFileSync(path, "a = ");
  await expect(readServerConfig(path, {}, common)).rejects.toThrow("config.toml is not TOML: ");
});

test("a file with comments is read, and not written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "idewire-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "mcp.json");
  writeFileSync(path, '{ // mine\n "servers": { "a": { "command": "x" }, } }');
  const before = [readFileSync(path, "utf8"), statSync(path).mtimeMs];
  expect(await readServerConfig(path, {}, common)).toMatchObject([{ name: "a" }]);
  expect([readFileSync(path, "utf8"), statSync(path).mtimeMs]).toEqual(before);
  await expect(readServerConfig(join(folder, "none.json"), {}, common)).rejects.toThrow("ENOENT");
});
