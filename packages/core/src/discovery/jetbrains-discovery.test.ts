import { expect, test } from "vitest";
import { jetBrainsDiscovery } from "./jetbrains-discovery.ts";

const { format, read, match, fileName } = jetBrainsDiscovery;

const file = {
  port: 12_345,
  authToken: "randomly-generated-token",
  projectPath: "/path/to/project",
};

const seen = {
  workspaceFolders: ["/path/to/project"],
  authToken: file.authToken,
  ideName: "JetBrains",
  transport: "ws",
};

test("a formatted file is read again with its generator, but without unknown members", () => {
  const text = format({
    ...{ port: file.port, token: file.authToken, folders: [file.projectPath, "/other"] },
    ...{ ideName: "any", isLocal: true, inWindows: false, writtenMs: 0, process: { pid: 1 } },
  });
  const ours = { ...file, pid: 1, generator: "idewire" };
  expect(JSON.parse(text)).toEqual(ours);
  expect(read(JSON.stringify(file))).toEqual({ ok: true, value: seen });
  expect(read(JSON.stringify({ ...ours, extra: [1] }))).toEqual({
    ok: true,
    value: { ...seen, pid: 1, generator: "idewire" },
  });
});

test.each([
  ["", "the file is empty"],
  ["{", "the file is not JSON"],
  ["[]", "expected an object, got []"],
  [JSON.stringify({ ...file, port: "12345" }), 'port: expected 1 to 65535, got "12345"'],
  [JSON.stringify({ ...file, port: 0 }), "port: expected 1 to 65535, got 0"],
  [JSON.stringify({ ...file, port: 65_536 }), "port: expected 1 to 65535, got 65536"],
  [JSON.stringify({ ...file, authToken: 7 }), "authToken: expected a token, got a number"],
  [JSON.stringify({ ...file, projectPath: null }), "projectPath: expected a path, got null"],
])("%s is refused with a message", (text, issue) => {
  expect(read(text)).toEqual({ ok: false, issue });
});

test("the file name is the port; an invalid number has none, and another name is ignored", () => {
  expect(match(fileName({ port: 54_321, process: { pid: 1 } }, ""))).toEqual({ port: 54_321 });
  for (const name of ["0.json", "65536.json", "01.json", "a.json"]) expect(match(name)).toEqual({});
  for (const name of ["1.lock", "1.json.tmp"]) expect(match(name)).toBeUndefined();
});
