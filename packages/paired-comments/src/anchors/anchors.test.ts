import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readGrammarFile } from "../grammar-files.ts";
import { createSourceReader } from "./syntax/parsers.ts";
import { follow, lineOf, reader } from "./testing/follow.ts";

const before = `import { hash } from "./hash.js";

/** Checks passwords. */
export class AuthService {
  limit = 5;

  validate(password) {
    if (!password) {
      return false;
    } else {
      log("checking");
    }
    return hash(password) === this.expected;
  }

  reset() {
    this.limit = 5;
    log("reset");
  }
}

function log(text) {
  console.log(text);
  console.log("done");
}
`;

/** Follows a comment on the line with a text. */
async function followText(text: string, after: string) {
  return follow("auth.js", before, after, { line: lineOf(before, text) });
}

describe("a comment follows its code", () => {
  test("through lines added above", async () => {
    const after = `// new\n\n${before}`;
    const found = await followText("return hash", after);
    expect(found).toMatchObject({ line: lineOf(after, "return hash"), status: "moved" });
  });

  test("through a change of the statement", async () => {
    const after = before.replace("hash(password) === this", "await hash(password, 7) === this");
    expect(await followText("return hash", after)).toMatchObject({ line: 13, status: "edited" });
  });

  test("when the declaration is renamed, at its calls too", async () => {
    const after = before
      .replaceAll("log(", "report(")
      .replaceAll("console.report(", "console.log(");
    const found = await followText("function log", after);
    expect(found).toMatchObject({ line: 22, status: "edited" });
    expect(found.how).toBe("declaration renamed to report");
    expect(await followText('log("reset")', after)).toMatchObject({ line: 18 });
  });

  test("through a move of the declaration", async () => {
    const start = before.indexOf("function log");
    const after = `${before.slice(start)}\n${before.slice(0, start)}`;
    expect(await followText('console.log("done")', after)).toMatchObject({
      line: 3,
      status: "moved",
    });
  });

  test("through a formatter", async () => {
    const after = before
      .replace(
        "return hash(password) === this.expected;",
        "return (\n      hash(password) ===\n this.expected\n)",
      )
      .replaceAll('"', "'")
      .replaceAll(";", "")
      .replace("else {\n", "else\n    {\n");
    expect(await followText('log("reset")', after)).toMatchObject({
      line: lineOf(after, "log('reset')"),
      status: "moved",
    });
  });

  test("into a block that is put around it", async () => {
    const after = before.replace(
      "    this.limit = 5;\n    log",
      "    try {\n      this.limit = 5;\n    } finally {}\n    log",
    );
    expect(await followText("    this.limit = 5", after)).toMatchObject({
      line: 18,
      status: "moved",
    });
  });

  test("and distinguishes equal statements by their neighbours", async () => {
    const source = "a();\nrun();\nb();\nrun();\nc();\n";
    const after = "a();\nb();\nx();\nrun();\nc();\n";
    const [first, second] = await Promise.all(
      [2, 4].map((line) => follow("a.js", source, after, { line })),
    );
    expect(second).toMatchObject({ line: 4, status: "exact" });
    expect(first?.status === "orphaned" || first?.line === 4).toBe(true);
  });
});

describe("a comment on code that was rewritten follows", () => {
  test("a variable to its declaration, when its value is assigned elsewhere", async () => {
    const source = "function run() {\n  const found = find({ a: 1, b: 2 });\n  use(found);\n}\n";
    const after = source.replace(
      "const found = find({ a: 1, b: 2 });",
      "let found;\n  try {\n    found = find({ a: 1, b: 2 });\n  } catch {}",
    );
    const found = await follow("a.js", source, after, { line: 2 });
    expect(found).toMatchObject({ line: 2, status: "edited" });
  });

  test("a variable that has become a constant, as unchanged text", async () => {
    const after = "\nconst a = run();\n";
    const found = await follow("a.js", "var a = run();\n", after, { line: 1 });
    expect(found).toMatchObject({ line: 2, status: "moved" });
  });

  test("the replacement of a statement, marked as a guess", async () => {
    const source = "open(file);\nconsole.log();\nclose(file);\n";
    const after = source.replace("console.log()", 'process.stdout.write("done")');
    const found = await follow("a.js", source, after, { line: 2 });
    expect(found).toMatchObject({ line: 2, status: "ambiguous" });
  });

  test("duplicated statements that moved are orphans, offered where their neighbours are", async () => {
    const block = "  open(file);\n  count = 0;\n  close(file);\n";
    const source = `function one() {\n${block}}\n\nfunction two() {\n  count = 0;\n}\n`;
    const after = `function two() {\n  count = 0;\n}\n\nfunction three() {\n  if (a) {\n${block}  }\n}\n`;
    const found = await follow("a.js", source, after, { line: 3 });
    expect(found).toMatchObject({ status: "orphaned", candidates: [{ line: 8 }, { line: 2 }] });
  });
});

describe("a comment whose code is gone", () => {
  test("is an orphan, on the declaration and inside", async () => {
    const after = before.slice(0, before.indexOf("function log"));
    for (const text of ["function log", 'console.log("done")']) {
      expect(await followText(text, after)).toMatchObject({ status: "orphaned", confidence: 0 });
    }
  });

  test("keeps its line, and is offered the most similar code", async () => {
    const after = before.replace('  console.log("done");\n', "").replace('"reset"', '"done"');
    const found = await followText('console.log("done")', after);
    expect(found).toMatchObject({ line: 24, status: "orphaned" });
    expect(found.candidates.length).toBeGreaterThan(0);
    expect(found.candidates.length).toBeLessThanOrEqual(3);
  });

  test("does not move to an existing copy of its code", async () => {
    const twin = "function one() {\n  return a + b;\n}\n\nfunction two() {\n  return a + b;\n}\n";
    const after = twin.slice(twin.indexOf("function two"));
    const found = await follow("a.js", twin, after, { line: 2 });
    expect(found.status).toBe("orphaned");
  });
});

describe("lines that are not statements", () => {
  const after = `// one\n${before.replace("limit = 5;\n\n", "limit = 7;\n\n\n")}`;

  test.each([
    ["  } else {", "} else {"],
    ["  }\n\n  reset", "}"],
    ["/** Checks passwords", "/** Checks passwords. */"],
  ])("%j keeps its place", async (text, expected) => {
    const line = before.slice(0, before.indexOf(text)).split("\n").length;
    const found = await follow("auth.js", before, after, { line });
    expect(after.split("\n")[found.line - 1]?.trim()).toBe(expected);
    expect(found.line).toBe(line + (line > 5 ? 2 : 1));
  });

  test("a blank line stays above the line below it", async () => {
    const found = await follow("auth.js", before, after, { line: 15 });
    expect(found.line).toBe(17);
  });
});

describe("a comment on several lines", () => {
  test("keeps both ends", async () => {
    const after = before.replace('    log("reset");', '    one();\n    two();\n    log("reset");');
    const found = await follow("auth.js", before, after, { line: 16, endLine: 19 });
    expect(found).toMatchObject({ line: 16, endLine: 21 });
  });

  test("ends with its first statement when the others are deleted", async () => {
    const after = `\n${before.replace('    log("reset");\n', "")}`;
    const found = await follow("auth.js", before, after, { line: 17, endLine: 18 });
    expect(found).toMatchObject({ line: 18, endLine: 18 });
  });

  test.each([
    ["says something else", "two(a); // now"],
    ["is gone", "two(a);"],
    ["is above it", "// why\n  two(a);", 4],
    ["stays behind its first line", "two( // why\n    a,\n    b\n  );", 6],
    ["is there with another statement", "stop(all); // why"],
    ["is there with two others", "stop(all); // why\n  wait(5);", 4],
    ["goes with it", "", 2],
  ])("ends with its last statement when the comment after that %s", async (_, now, endLine = 3) => {
    const source = "function run() {\n  one();\n  two(a); // why\n  three();\n}\n";
    const after = source.replace(now === "" ? /.*why\n/ : "two(a); // why", now);
    const found = await follow("a.js", source, after, { line: 2, endLine: 3 });
    expect(found).toMatchObject({ line: 2, endLine });
  });

  test("ends with the first line of the replacement of its first block", async () => {
    const source = "function run() {\n  one();\n  if (a) {\n    two();\n  }\n  three();\n}\n";
    const after = source.replace(
      /if .*\n.*\n.*\}/,
      "while (more()) {\n    other();\n    wait();\n  }",
    );
    const found = await follow("a.js", source, after, { line: 2, endLine: 3 });
    expect(found).toMatchObject({ line: 2, endLine: 3 });
  });

  test("ends inside a statement with the remaining lines above its end, not below", async () => {
    const source = "const x = all\n  .filter(one)\n  .map(two) // why\n  .join();\n";
    const after = source.replace("two", "other");
    const found = await follow("a.js", source, after, { line: 1, endLine: 3 });
    expect(found).toMatchObject({ line: 1, endLine: 3 });
  });
});

describe("a comment on several lines of Python", () => {
  const source =
    'if a:\n    one()\nelif b:\n    run("""x\n  y\n  z""")\nelse:\n    three()\nend()\n';

  test("keeps the end of a string that has become shorter", async () => {
    const after = source.replace("x\n  y\n  z", "x y z");
    const found = await follow("a.py", source, after, { line: 4, endLine: 6 });
    expect(found).toMatchObject({ line: 4, endLine: 4, status: "exact" });
    const whole = await follow("a.py", source, after, { line: 1, endLine: 6 });
    expect(whole).toMatchObject({ line: 1, endLine: 4 });
  });

  test("ends with the statement when further conditions are added", async () => {
    const after = source.replace("else:", "elif c:\n    four()\nelse:\n    five()");
    const found = await follow("a.py", source, after, { line: 3, endLine: 8 });
    expect(found).toMatchObject({ line: 3, endLine: 11 });
  });

  test("ends with its last remaining statement", async () => {
    const lines = "one()\ntwo()\nthree()\nfour()\nend()\n";
    const found = await follow("a.py", lines, lines.replace("four()\n", ""), {
      line: 1,
      endLine: 4,
    });
    expect(found).toMatchObject({ line: 1, endLine: 3 });
  });
});

describe("languages", () => {
  test.each([
    ["a.ts", "interface A {\n  b: string;\n}\nexport type B = A;\n", "b: string"],
    ["a.tsx", "export const A = () => {\n  return <b>x</b>;\n};\n", "return"],
    ["a.py", "class A:\n    def run(self):\n        return 1\n", "return"],
    ["a.go", "package a\n\nfunc run() int {\n\tx()\n\treturn 1\n}\n", "return"],
    ["a.rs", "fn run() -> i32 {\n    call();\n    1\n}\n", "call"],
    ["A.java", "class A {\n  int run() {\n    return 1;\n  }\n}\n", "return"],
    ["a.c", "int run(void) {\n  call();\n  return 1;\n}\n", "return"],
    ["a.cpp", "namespace n {\nint run() {\n  return 1;\n}\n}\n", "return"],
    ["a.cs", "class A {\n  int Run() {\n    return 1;\n  }\n}\n", "return"],
    ["a.rb", "class A\n  def run\n    call\n    1\n  end\nend\n", "call"],
    ["a.php", "<?php\nfunction run() {\n  return 1;\n}\n", "return"],
    ["a.sh", "run() {\n  echo one\n  exit 1\n}\n", "exit"],
    ["a.css", "a {\n  color: red;\n}\nb {\n  color: blue;\n}\n", "blue"],
    ["a.json", '{\n  "a": {\n    "b": 1\n  }\n}\n', '"b"'],
    ["a.yaml", "a:\n  b: 1\n  c:\n    - d\n    - e\n", "- e"],
    ["a.md", "# A\n\nText.\n\n## B\n\n- one\n- two\n", "- two"],
    ["a.txt", "one\n  two\n  three\nfour\n", "three"],
  ])("%s: a comment follows its line", async (path, source, text) => {
    const tree = await reader.read(path, source);
    expect(tree.language === "text").toBe(path === "a.txt");
    const isTagged = path === "a.php";
    const added = isTagged ? source.replace("<?php\n", "<?php\n\n\n") : `\n\n${source}`;
    const line = lineOf(source, text);
    expect(await follow(path, source, added, { line })).toMatchObject({
      line: line + 2,
      status: "moved",
    });
  });
});

describe("sources that their grammar cannot parse", () => {
  test.each([
    ["a.js", "function run(a /*: A */) /*: B */ {\n  call(a);\n}\n", "function run(a: ?A): B {"],
    [
      "a.ts",
      "const f = dual(2, (a) => {\n  call(a);\n});\n",
      "const f = dual<<A>(a: A) => A>(2, (a) => {",
    ],
    ["b.ts", "test<T>(() => {\n  call(a);\n});\n", 'test<R<(typeof async)["x"]>>(() => {'],
  ])("%s: a comment inside is found in spite of type syntax", async (path, source, line) => {
    const after = `\n${source.replace(/.*/, () => line)}`;
    const found = await follow(path, source, after, { line: 2 });
    expect(found).toMatchObject({ line: 3, status: "moved" });
    const { units } = await reader.read(path, after);
    expect(units.map(({ type }) => type)).not.toContain("ERROR");
  });
});

test("readers with one source of grammars load each of them once", async () => {
  const loaded: string[] = [];
  const readGrammar = (name: string) => {
    loaded.push(name);
    return readGrammarFile(name);
  };
  for (const path of ["a.py", "b.py", "c.go"]) {
    await createSourceReader(readGrammar).read(path, "x\n");
  }
  expect(loaded).toEqual([
    "web-tree-sitter.wasm",
    "tree-sitter-python.wasm",
    "tree-sitter-go.wasm",
  ]);
});

describe("sources without a grammar", () => {
  test("a truncated file keeps the comments above the cut", async () => {
    const after = before.slice(0, before.indexOf("reset() {") + 8);
    expect(await followText("return hash", after)).toMatchObject({ line: 13 });
  });

  test("a minified file and one with NUL are read as text", async () => {
    const minified = `var a=${"1+".repeat(20_000)}1;`;
    expect((await reader.read("a.js", minified)).language).toBe("text");
    expect((await reader.read("a.js", "a();\0")).language).toBe("text");
  });

  test("the place is always a line of the file, whatever the texts", async () => {
    const source = fc.array(fc.constantFrom(..."ab(){}[];=\"'`/*\n\n \\<>:,#-".split("")), {
      maxLength: 120,
    });
    const paths = fc.constantFrom("a.ts", "a.py", "a.md", "a.yaml", "a.txt", "a.sh", "a.json");
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(paths, source, source, fc.nat(), async (path, old, fresh, place) => {
        const text = old.join("");
        const line = (place % text.split("\n").length) + 1;
        const after = fresh.join("");
        const found = await follow(path, text, after, { line, endLine: line + (place % 3) });
        runs++;
        return found.status === "orphaned" || found.line <= after.split("\n").length;
      }),
      { numRuns: 300 },
    );
    expect(runs).toBe(300);
  });
});
