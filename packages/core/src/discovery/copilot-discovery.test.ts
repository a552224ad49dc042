import { expect, test } from "vitest";
import { copilotDiscovery } from "./copilot-discovery.ts";
import type { ServerFacts } from "./discovery-format.ts";

const { fileName, format, match, read } = copilotDiscovery;

const facts: ServerFacts = {
  socketPath: "/tmp/idewire-1000/0123.sock",
  token: "secret",
  folders: ["/a", "/b"],
  ideName: "Test Editor",
  isLocal: true,
  inWindows: false,
  process: { pid: 17, started: "then" },
  writtenMs: 1_790_000_000_000,
  isTrusted: true,
};

test("a file has all members that the agent requires, and our mark", () => {
  expect(JSON.parse(format(facts))).toEqual({
    socketPath: "/tmp/idewire-1000/0123.sock",
    scheme: "unix",
    headers: { Authorization: "Nonce secret" },
    pid: 17,
    ideName: "Test Editor",
    timestamp: 1_790_000_000_000,
    workspaceFolders: ["/a", "/b"],
    isTrusted: true,
    started: "then",
    generator: "idewire",
  });
  const pipe = { ...facts, socketPath: "\\\\.\\pipe\\idewire-0123" };
  expect(JSON.parse(format(pipe))).toMatchObject({ scheme: "pipe" });
});

test("a written file is read back, with the token from its headers", () => {
  expect(read(format(facts))).toEqual({
    ok: true,
    value: {
      socketPath: "/tmp/idewire-1000/0123.sock",
      workspaceFolders: ["/a", "/b"],
      ideName: "Test Editor",
      transport: "http",
      authToken: "secret",
      pid: 17,
      started: "then",
      generator: "idewire",
    },
  });
});

test("any name that ends in .lock is accepted, and each generated name is unique", () => {
  expect(match("any.lock")).toEqual({});
  expect(match("any.lock.tmp")).toBe(undefined);
  expect(fileName({ process: { pid: 1 } }, "unique")).toBe("unique.lock");
});

const whole = JSON.parse(format(facts)) as Record<string, unknown>;

test.each(["socketPath", "scheme", "headers", "pid", "ideName", "timestamp", "workspaceFolders"])(
  "a file without %s is refused, and no token is in the reason",
  (name) => {
    for (const value of [undefined, null, ["Nonce secret", 1]]) {
      const result = read(JSON.stringify({ ...whole, [name]: value }));
      expect(result).toMatchObject({ ok: false });
      const issue = result.ok ? "" : result.issue;
      expect(issue).toContain(`${name}: expected`);
      if (name === "headers") expect(issue).not.toContain("secret");
    }
  },
);

test("a file of another program may have fewer members, and another kind of authorization", () => {
  const { isTrusted: _, generator: __, started: ___, ...others } = whole;
  const file = read(JSON.stringify({ ...others, headers: { Authorization: "Bearer x" } }));
  expect(file).toMatchObject({ ok: true, value: { pid: 17 } });
  expect(file.ok && file.value).not.toHaveProperty("authToken");
});
