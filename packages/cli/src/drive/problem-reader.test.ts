import { expect, test } from "vitest";
import { readProblems } from "./problem-reader.ts";

const CWD = "/home/ann/app";

/** `file:line message` of what is found, in chunks of three bytes, as a pipe may deliver them. */
async function places(output: string | Buffer): Promise<readonly string[]> {
  const bytes = Buffer.from(output as string);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
  }
  const files = await readProblems(chunks(), { cwd: CWD, allowEmpty: true });
  return files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(
      ({ range, message }) => `${path.replace(`${CWD}/`, "")}:${range.start.line + 1} ${message}`,
    ),
  );
}

const ERROR = "main.c:3:5: error: no such name";

test.each([
  [
    "of one level",
    `make: Entering directory '${CWD}/lib'\ncc -c main.c\n${ERROR}\nmake: Leaving directory '${CWD}/lib'\n`,
    ["lib/main.c:3 no such name"],
  ],
  [
    "of two levels",
    `make[1]: Entering directory '${CWD}/a'\nmake[2]: Entering directory '${CWD}/a/b'\n${ERROR}\nmake[2]: Leaving directory '${CWD}/a/b'\nother.c:1: error: x\nmake[1]: Leaving directory '${CWD}/a'\nlast.c:1: error: y\n`,
    ["a/b/main.c:3 no such name", "a/other.c:1 x", "last.c:1 y"],
  ],
  [
    "side by side",
    `make[1]: Entering directory '${CWD}/a'\nmake[1]: Entering directory '${CWD}/b'\nmake[1]: Leaving directory '${CWD}/a'\n${ERROR}\n`,
    ["b/main.c:3 no such name"],
  ],
  [
    "of GNU make 3, with a backtick",
    `gmake[1]: Entering directory \`${CWD}/lib'\n${ERROR}\n`,
    ["lib/main.c:3 no such name"],
  ],
  [
    "of ninja, relative",
    `ninja: Entering directory \`out'\n../${ERROR}\n`,
    ["main.c:3 no such name"],
  ],
])(
  "a file is relative to the directory that the build has entered: %s",
  async (_, output, found) => {
    expect(await places(output)).toEqual(found);
  },
);

test.each([
  [
    "the last frame",
    'Traceback (most recent call last):\n  File "run.py", line 9, in <module>\n    main()\n  File "pkg/a.py", line 3, in main\n    f()\n    ^\nNameError: name \'f\' is not defined\n',
    ["pkg/a.py:3 NameError: name 'f' is not defined"],
  ],
  [
    "the last frame of the folder, where a library failed",
    `Traceback (most recent call last):\n  File "${CWD}/a.py", line 2, in <module>\n    import json, x\n  File "/usr/lib/python3/json/decoder.py", line 355, in raw_decode\n    raise JSONDecodeError\njson.decoder.JSONDecodeError: Expecting value\n`,
    ["a.py:2 json.decoder.JSONDecodeError: Expecting value"],
  ],
  [
    "an error of syntax, which has no traceback",
    "  File \"a.py\", line 4\n    x = (\n        ^\nSyntaxError: '(' was never closed\n",
    ["a.py:4 SyntaxError: '(' was never closed"],
  ],
  [
    "each of a chain",
    'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "b.py", line 2, in g\nRuntimeError\n',
    ["a.py:1 KeyError: 1", "b.py:2 RuntimeError"],
  ],
])("the place of a Python traceback is recognised: %s", async (_, output, found) => {
  expect(await places(output)).toEqual(found);
});

test.each([
  [
    `[ERROR] ${CWD}/src/A.java:[3,5] cannot find symbol\n[ERROR]   symbol: class B\n`,
    "cannot find symbol",
  ],
  [`[ERROR] ${CWD}/src/A.java:[3] cannot find symbol\n[INFO] 1 error\n`, "cannot find symbol"],
  [`[ERROR] file://${CWD}/src/A.java:[3,5] error: no\n[ERROR] COMPILATION ERROR :\n`, "no"],
  [`[WARNING] ${CWD}/src/A.java: (3, 5) unused\n`, "unused"],
])("a place of Maven's is known: %j", async (output, message) => {
  expect(await places(output)).toEqual([`src/A.java:3 ${message}`]);
});

test.each([
  `[1/2] Building\r[2/2] Building\r${ERROR}\n`,
  `10%\r\x1b[K20%\r\x1b[K\r${ERROR}\r\n`,
  `${ERROR}\rdone\r`,
])("a carriage return ends a line of output: %j", async (output) => {
  expect(await places(output)).toEqual(["main.c:3 no such name"]);
});

const TSC = "a.ts(3,5): error TS2322: nö.\r\n";

test.each([
  ["UTF-16, little end first", Buffer.from(`\uFEFF${TSC}`, "utf16le")],
  ["UTF-16, big end first", Buffer.from(`\uFEFF${TSC}`, "utf16le").swap16()],
  ["UTF-16 without a mark", Buffer.from(TSC, "utf16le")],
  ["UTF-8 with a mark", Buffer.from(`\uFEFF${TSC}`)],
])("output is read as it is encoded: %s", async (_, output) => {
  expect(await places(output)).toEqual(["a.ts:3 nö."]);
});
