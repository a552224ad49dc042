import { expect, test } from "vitest";
import {
  formatJetBrainsFile,
  jetBrainsFileName,
  parseJetBrainsFile,
  portOfJetBrainsFile,
} from "./jetbrains-file.ts";

const file = {
  port: 12_345,
  authToken: "randomly-generated-token",
  projectPath: "/path/to/project",
};

test("a formatted file is parsed again with its generator, but without unknown members", () => {
  expect(JSON.parse(formatJetBrainsFile(file))).toEqual(file);
  expect(parseJetBrainsFile(formatJetBrainsFile(file))).toEqual({ ok: true, value: file });
  const ours = { ...file, pid: 1, generator: "idewire" };
  const text = JSON.stringify({ ...ours, extra: [1] });
  expect(parseJetBrainsFile(text)).toEqual({ ok: true, value: ours });
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
  expect(parseJetBrainsFile(text)).toEqual({ ok: false, issue });
});

test("the name is the port, and other names are refused", () => {
  expect(portOfJetBrainsFile(jetBrainsFileName(54_321))).toBe(54_321);
  for (const name of ["0.json", "65536.json", "01.json", "1.lock", "a.json", "1.json.tmp"]) {
    expect(portOfJetBrainsFile(name)).toBeUndefined();
  }
});
