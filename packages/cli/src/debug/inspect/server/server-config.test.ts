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
