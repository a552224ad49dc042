import { expect, test } from "vitest";
import {
  type ClaudeLockFile,
  formatClaudeLockFile,
  LOCK_FILE_GENERATOR,
  lockFileName,
  parseClaudeLockFile,
  portOfLockFile,
} from "./claude-lock-file.ts";

const file: ClaudeLockFile = {
  workspaceFolders: ["/vault/ü", "C:\\w"],
  pid: 4711,
  ideName: "idewire",
  transport: "ws",
  runningInWindows: false,
  authToken: "token",
  generator: LOCK_FILE_GENERATOR,
};

test("a formatted file is parsed again", () => {
  expect(parseClaudeLockFile(formatClaudeLockFile(file))).toEqual({ ok: true, value: file });
});

test("the folders are the only required member, and unknown members are ignored", () => {
  expect(parseClaudeLockFile('{"workspaceFolders":[],"useWebSocket":true}')).toMatchObject({
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
  expect(parseClaudeLockFile(text)).toEqual({ ok: false, issue });
});

test("a token is never shown, not even one of a wrong type", () => {
  const result = parseClaudeLockFile('{"workspaceFolders":[],"authToken":["secret"]}');
  expect(result).toEqual({ ok: false, issue: "authToken: expected a string, got a object" });
  expect(JSON.stringify(parseClaudeLockFile('{"authToken":"secret"}'))).not.toContain("secret");
});

test("prototype keys in a file have no effect", () => {
  const text = '{"workspaceFolders":[],"__proto__":{"pid":5},"constructor":1}';
  const result = parseClaudeLockFile(text);
  expect(result.ok && result.value.pid).toBe(undefined);
  expect(({} as { pid?: number }).pid).toBe(undefined);
});

test("a port and its file name convert to each other", () => {
  for (const port of [1, 80, 12_345, 65_535]) {
    expect(portOfLockFile(lockFileName(port))).toBe(port);
  }
});

test.each(["abc.lock", "0.lock", "01.lock", "65536.lock", "99999.lock", "123", "123.lock.tmp"])(
  "%s is not a lock file's name",
  (name) => {
    expect(portOfLockFile(name)).toBe(undefined);
  },
);

test.each(["-1.lock", "1.5.lock", "1e3.lock", " 1.lock", "1.LOCK", "123.lock\n", ""])(
  "neither is %j",
  (name) => {
    expect(portOfLockFile(name)).toBe(undefined);
  },
);
