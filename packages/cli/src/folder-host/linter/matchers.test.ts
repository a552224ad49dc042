import type { PosixPath } from "@idewire/core";
import { describe, expect, test } from "vitest";
import type { ProblemMatcher } from "../provider-options.ts";
import { builtInMatchers } from "./built-in-matchers.ts";
import { MatcherRun } from "./matcher-run.ts";
import { OutputReader } from "./output-reader.ts";
import { namedMatcher, parseMatchers } from "./parse-matchers.ts";

const FOLDER = "/vault" as PosixPath;

/** The problems found in an output: `path:line:character severity code message`, from 0. */
function read(output: string, matchers?: readonly ProblemMatcher[]): readonly string[] {
  const reader = new OutputReader(matchers, FOLDER);
  for (const line of output.split("\n")) reader.push(0, line);
  return reader.end().map(({ path, diagnostic }) => {
    const { range, severity, code = "-", message, source = "-" } = diagnostic;
    const place = `${path.replace(`${FOLDER}/`, "")}:${range.start.line}:${range.start.character}`;
    return `${place} ${severity} ${source} ${code} ${message}`;
  });
}

/** What each tool prints. */
const outputs: Readonly<Record<string, readonly [output: string, problems: readonly string[]]>> = {
  tsc: [
    "src/a b.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n  Deeper.\nFound 1 error.",
    ["src/a b.ts:2:6 error tsc TS2322 Type 'string' is not assignable to type 'number'."],
  ],
  "tsc, pretty": [
    "src/a.ts:3:7 - error TS2304: Cannot find name 'x'.\n\n3 const y = x;\n        ~\n\n\nFound 1 error in src/a.ts:3",
    ["src/a.ts:2:6 error tsc TS2304 Cannot find name 'x'."],
  ],
  "eslint, stylish": [
    "\n/vault/src/a.js\n  1:7   error    'x' is not used  no-unused-vars\n  12:1  warning  Unexpected console statement  no-console\n\n/vault/b.js\n  2:2  error  Parsing error: Unexpected token\n\n✖ 3 problems (2 errors, 1 warning)\n",
    [
      "src/a.js:0:6 error eslint no-unused-vars 'x' is not used",
      "src/a.js:11:0 warning eslint no-console Unexpected console statement",
      "b.js:1:1 error eslint - Parsing error: Unexpected token",
    ],
  ],
  "eslint, compact": [
    "/vault/a.js: line 1, col 7, Error - 'x' is not used. (no-unused-vars)\n\n1 problem",
    ["a.js:0:6 error eslint no-unused-vars 'x' is not used."],
  ],
  biome: [
    "a b.ts:1:8 lint/suspicious/noExplicitAny ━━━━━━━━\n\n  ! Unexpected any.\n  \n  > 1 │ let x: any;\n      │        ^^^\n  \n  i Replace it.\n\na.ts:3:7 lint/suspicious/noDoubleEquals  FIXABLE  ━━━━━━\n\n  × Using == may be unsafe.\n\na.ts:9:1 parse ━━━━\n\n  × expected a semicolon\n\nChecked 1 file in 5ms.\nFound 2 errors.\n",
    [
      "a b.ts:0:7 warning biome lint/suspicious/noExplicitAny Unexpected any.",
      "a.ts:2:6 error biome lint/suspicious/noDoubleEquals Using == may be unsafe.",
      "a.ts:8:0 error biome parse expected a semicolon",
    ],
  ],
  gcc: [
    "In file included from a.c:1:\na.h:4:10: fatal error: none.h: No such file\na.c: In function 'main':\na.c:3:5: warning: unused variable 'i' [-Wunused-variable]\n    3 | int i;\n      |     ^\na.c:9:1: note: here\n",
    [
      "a.h:3:9 error gcc - none.h: No such file",
      "a.c:2:4 warning gcc -Wunused-variable unused variable 'i'",
      "a.c:8:0 information gcc - here",
    ],
  ],
  go: [
    "# example.org/x\n./main.go:5:2: undefined: foo\nvet: ./b.go:7:1: missing return\n",
    ["main.go:4:1 error go - undefined: foo", "b.go:6:0 error go - missing return"],
  ],
  "go, a test": [
    "--- FAIL: TestA (0.00s)\n    a_test.go:10: got 1, want 2\nFAIL\nFAIL\texample.org/x\t0.002s\n",
    ["a_test.go:9:0 error go - got 1, want 2"],
  ],
  dotnet: [
    "  Determining projects to restore...\n/vault/src/A.cs(3,5): error CS1002: ; expected [/vault/x.csproj]\nB.cs(5,13): warning CS0219: 'x' is never used [/vault/x.csproj::TargetFramework=net8.0]\nBuild FAILED.\n  /vault/src/A.cs(3,5): error CS1002: ; expected [/vault/x.csproj]\n",
    ["src/A.cs:2:4 error - CS1002 ; expected", "B.cs:4:12 warning - CS0219 'x' is never used"],
  ],
  "MSVC, in parallel": [
    "2>a.cpp(3): fatal error C1083: Cannot open include file: 'x.h'\na.cpp(4,5,4,9): warning C4101: 'y': unreferenced\n",
    [
      "a.cpp:2:0 error - C1083 Cannot open include file: 'x.h'",
      "a.cpp:3:4 warning - C4101 'y': unreferenced",
    ],
  ],
  "Gradle, Kotlin": [
    "> Task :compileKotlin FAILED\ne: file:///vault/src/A.kt:3:5 Unresolved reference: x\nw: /vault/src/B.kt: (4, 9): Variable 'y' is never used\n",
    [
      "src/A.kt:2:4 error kotlin - Unresolved reference: x",
      "src/B.kt:3:8 warning kotlin - Variable 'y' is never used",
    ],
  ],
  sbt: [
    "[info] compiling 1 Scala source\n[error] /vault/A.scala:3:5: not found: value x\n[error]   x\n[error]   ^\n[warn] /vault/B.scala:4:1: unused\n",
    ["A.scala:2:4 error scala - not found: value x", "B.scala:3:0 warning scala - unused"],
  ],
  cargo: [
    "   Compiling x v0.1.0\nerror[E0382]: borrow of moved value: `s`\n  --> src/main.rs:5:10\n   |\nwarning: unused variable: `y`\n --> src/main.rs:2:9\n  |\nerror: aborting due to 1 previous error\n",
    [
      "src/main.rs:4:9 error rustc E0382 borrow of moved value: `s`",
      "src/main.rs:1:8 warning rustc - unused variable: `y`",
    ],
  ],
  unix: [
    "a.py:1:80: E501 line too long\nb.sh:3:1: info: Double quote [SC2086]\nplain.md:12 too many words\n",
    [
      "a.py:0:79 error - E501 line too long",
      "b.sh:2:0 information - - Double quote [SC2086]",
      "plain.md:11:0 error - - too many words",
    ],
  ],
};

test.each(Object.keys(outputs))(
  "the output of %s is recognised without naming the tool",
  (tool) => {
    const [output, problems] = outputs[tool] ?? ["", []];
    expect(read(output)).toEqual(problems);
  },
);

describe("a matcher", () => {
  test("is found by its name, with VS Code's dollar or without", () => {
    expect(namedMatcher("$tsc")).toBe(builtInMatchers["tsc"]);
    expect(namedMatcher("eslint-stylish")).toBe(builtInMatchers["eslint-stylish"]);
    expect(namedMatcher("$rustc")).toBe(builtInMatchers["cargo"]);
    expect(namedMatcher("constructor")).toBeUndefined();
  });

  const own = {
    owner: "mine",
    severity: "warning",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code's own spelling
    fileLocation: ["relative", "${workspaceFolder}/sub"],
    pattern: [
      { regexp: "^FILE (.*)$", file: 1 },
      { regexp: "^ *at (\\d+,\\d+,\\d+,\\d+): (.*)$", location: 1, message: 2, loop: true },
    ],
  };

  test("of VS Code's format is read from JSON, alone, in a list, or as GitHub has it", () => {
    for (const value of [own, [own], { problemMatcher: [own] }]) {
      const matchers = parseMatchers(JSON.stringify(value));
      expect(
        read("FILE x.q\n at 2,3,4,5: one\nat 7,1,7,2: two\nelse\nat 1,1,1,1: none", matchers),
      ).toEqual(["sub/x.q:1:2 warning mine - one", "sub/x.q:6:0 warning mine - two"]);
    }
    expect(parseMatchers('{"problemMatcher":["$tsc","gcc"]}')).toHaveLength(2);
    expect(parseMatchers('\uFEFF"$tsc"')).toHaveLength(1);
  });

  test.each([
    ["{", "JSON"],
    ["[]", "there is no problem matcher"],
    ['{"pattern":{"regexp":"("}}', "expected a regular expression"],
    ['{"pattern":[]}', "pattern"],
    ['{"problemMatcher":"$no-such"}', "problemMatcher"],
  ])("that is invalid is refused with a message: %s", (text, words) => {
    expect(() => parseMatchers(text)).toThrow(words);
  });

  test("for whole files needs no line, and the message may be the whole line", () => {
    const matchers = [{ pattern: { regexp: "^bad file (.*)$", kind: "file", file: 1 } }] as const;
    expect(read("bad file a.x", matchers)).toEqual(["a.x:0:0 error - - bad file a.x"]);
  });
});

const CHUNKS = [
  "a.c:1: ",
  "a.c:2:3: ",
  "a.c(1,1): ",
  "- ",
  "a.c",
  ":",
  "1",
  "99999999999",
  "0",
  " ",
  "error",
  "(",
  ",",
  ")",
  "-->",
  "TS1: ",
  "é",
];

test("every problem has a forward range and a message, whatever is printed", () => {
  // Pseudo-random lines, the same in each run.
  let state = 1;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const randomLine = () =>
    Array.from({ length: next(12) }, () => CHUNKS[next(CHUNKS.length)]).join("");
  const runs = Object.values(builtInMatchers).map((matcher) => new MatcherRun(matcher, FOLDER));
  for (let count = 0; count < 20_000; count++) {
    const line = randomLine();
    for (const run of runs) run.push(line);
  }
  const problems = runs.flatMap((run) => run.problems);
  expect(problems.length).toBeGreaterThan(100);
  for (const { diagnostic } of problems) {
    const { start, end } = diagnostic.range;
    expect(end.line - start.line || end.character - start.character).toBeGreaterThanOrEqual(0);
    expect(diagnostic.message.trim()).not.toBe("");
  }
});
