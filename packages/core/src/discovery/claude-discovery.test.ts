import { expect, test } from "vitest";
import { claudeDiscovery } from "./claude-discovery.ts";
import type { ServerFacts } from "./discovery-format.ts";

const { read, match, fileName } = claudeDiscovery;

const facts: ServerFacts = {
  port: 4711,
  token: "token",
  folders: ["/vault/ü", "C:\\w"],
  ideName: "idewire",
  isLocal: true,
  inWindows: false,
  writtenMs: 0,
  process: { pid: 4711, started: "then" },
};

const common = {
  workspaceFolders: ["/vault/ü", "C:\\w"],
  ideName: "idewire",
  transport: "ws",
  runningInWindows: false,
  authToken: "token",
  generator: "idewire",
  started: "then",
};

test("a formatted file is read again", () => {
  const text = claudeDiscovery.format(facts);
  expect(read(text)).toEqual({ ok: true, value: { ...common, pid: 4711 } });
  expect(read(`\uFEFF${text}`)).toEqual(read(text));
});

test("agents that cannot see the process are not sent its id", () => {
  const text = claudeDiscovery.format({ ...facts, isLocal: false, inspects: 5 });
  expect(read(text)).toEqual({ ok: true, value: { ...common, generatorPid: 4711, inspects: 5 } });
});

test("the folders are the only required member, and unknown members are ignored", () => {
  expect(read('{"workspaceFolders":[],"useWebSocket":true}')).toMatchObject({
    ok: true,
    value: { workspaceFolders: [] },
  });
});

test.each([
  ["", "the file is empty"],
  ["  \n", "the file is empty"],
  ['{"workspaceFolders":["/w"],"pid":47', "the file is not JSON"],
  ["/one\n/two", "the file is not JSON"],
  ["[".repeat(1e6), "the file is not JSON"],
  ["null", "expected an object, got null"],
  ["[]", "expected an object, got []"],
  ["{}", "workspaceFolders: expected a list of paths, got nothing"],
  ['{"workspaceFolders":"/w"}', 'workspaceFolders: expected a list of paths, got "/w"'],
  ['{"workspaceFolders":["/w",1]}', 'workspaceFolders: expected a list of paths, got ["/w",1]'],
  ['{"workspaceFolders":[],"pid":"1"}', 'pid: expected a number, got "1"'],
  ['{"workspaceFolders":[],"ideName":null}', "ideName: expected a string, got null"],
  ['{"workspaceFolders":[],"runningInWindows":0}', "runningInWindows: expected a boolean, got 0"],
])("%.40j is refused with a message: %s", (text, issue) => {
  expect(read(text)).toEqual({ ok: false, issue });
});

test("a token is never shown, not even one of a wrong type", () => {
  const result = read('{"workspaceFolders":[],"authToken":["secret"]}');
  expect(result).toEqual({ ok: false, issue: "authToken: expected a string, got a object" });
  expect(JSON.stringify(read('{"authToken":"secret"}'))).not.toContain("secret");
});

test("prototype keys in a file have no effect", () => {
  const text = '{"workspaceFolders":[],"__proto__":{"pid":5},"constructor":1}';
  const result = read(text);
  expect(result.ok && result.value.pid).toBe(undefined);
  expect(({} as { pid?: number }).pid).toBe(undefined);
});

test("a port and its file name convert to each other", () => {
  for (const port of [1, 80, 12_345, 65_535]) {
    expect(match(fileName({ port, process: { pid: 1 } }, ""))).toEqual({ port });
  }
});

test.each(["123", "123.lock.tmp", " 1.LOCK", "123.lock\n", ""])(
  "%j is not a lock file's name",
  (name) => {
    expect(match(name)).toBe(undefined);
  },
);

test.each(
  ["abc", "0", "01", "65536", "99999", "-1", "1.5", "1e3", " 1", ""].map((name) => `${name}.lock`),
)("%j is a lock file's name without a port", (name) => {
  expect(match(name)).toEqual({});
});
