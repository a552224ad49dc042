import { describe, expect, test } from "vitest";
import { follow, lineOf } from "./testing/follow.ts";

const docstring = `def send(url):
    """Sends a request.

    :param url: where it goes
    :return: what came back

    Usage::

        send("/")
    """
    return open(url)
`;

const nested = `run(
  make(
    a,
    b
  )
);
`;

const panel = `export const Panel = ({ a, b }) => (
  <View style={a}>
    <Title text={b} />
    <List
      items={b}
      onPress={() => {
        open(b);
      }}
    />
  </View>
);
`;

const go = `package a

import (
\t"fmt"
)

func A() {
\tfmt.Println(1)

\tfmt.Println(2)
}
`;

describe("a comment follows a line that is not a statement", () => {
  test.each([
    ["a line", ":return: what"],
    ["an example", 'send("/")'],
    ["the first line", "Sends a request"],
  ])("%s of a docstring, while other lines of it change", async (_, text) => {
    const after = `import os\n\n${docstring.replace("where it goes", "a URL\n    :param timeout: in seconds")}`;
    const found = await follow("a.py", docstring, after, { line: lineOf(docstring, text) });
    expect(found.line).toBe(lineOf(after, text));
  });

  test("the quotes and the blank lines of a docstring", async () => {
    const after = docstring.replace("where it goes", "a URL\n    :param timeout: in seconds");
    expect(await follow("a.py", docstring, after, { line: 3 })).toMatchObject({ line: 3 });
    for (const line of [6, 8, 10]) {
      const found = await follow("a.py", docstring, after, { line });
      expect(found).toMatchObject({ line: line + 1 });
    }
  });

  test("a range in a docstring", async () => {
    const after = docstring.replace("Sends a request", "Sends it.\n\n    Twice");
    const range = { line: 4, endLine: 5 };
    expect(await follow("a.py", docstring, after, range)).toMatchObject({ line: 6, endLine: 7 });
  });

  test("a line of a template string", async () => {
    const before = "const sql = `\n  SELECT a\n  FROM b\n  WHERE c`;\n";
    const after = before.replace("SELECT a", "SELECT a,\n    d");
    expect(await follow("a.js", before, after, { line: 3 })).toMatchObject({ line: 4 });
  });

  test("a line of JSDoc, when similar ones are added", async () => {
    const before =
      "/**\n * Adds.\n * @param a the first\n * @param b the second\n * @returns the sum\n */\nadd();\n";
    const after = before.replace("the second\n", "the second one\n * @param c the third\n");
    expect(await follow("a.js", before, after, { line: 5 })).toMatchObject({ line: 6 });
  });

  test("a line of a script in YAML, when one with the same word is added", async () => {
    const before = "run: |\n  npm ci\n  npm test\n";
    const after = "run: |\n  npm ci\n  npm run build\n  npm test\n";
    expect(await follow("a.yml", before, after, { line: 3 })).toMatchObject({ line: 4 });
  });

  test("a block of text by its first line, when a similar one is inserted before it", async () => {
    const table = (name: string, column: string) =>
      `CREATE TABLE ${name} (\n  ${column} INT\n);\n\n`;
    const before = `-- schema\n${table("users", "id")}${table("posts", "id")}`;
    const after = `-- schema\n${table("tags", "id")}${table("users", "key")}${table("posts", "id")}`;
    const range = { line: lineOf(before, "users") };
    expect((await follow("a.sql", before, after, range)).line).toBe(lineOf(after, "users"));
  });

  test("a line that is too long to read, when a part of it changes", async () => {
    const long = `var a=1;${"function f(a){return a}".repeat(1_000)}`;
    const after = `// banner\n${long.replace("a=1", "a=2")}\nlast();\n`;
    const found = await follow("a.js", `${long}\nlast();\n`, after, { line: 1 });
    expect(found).toMatchObject({ line: 2, status: "edited" });
  });

  test("a line of code in Markdown", async () => {
    const before = "# A\n\n```js\none();\ntwo();\nthree();\n```\n";
    const after = before.replace("one();", "zero();\none(1);");
    expect(await follow("a.md", before, after, { line: 6 })).toMatchObject({ line: 7 });
  });

  test("the closing brackets of nested calls, each its own", async () => {
    const after = `first();\n${nested}`;
    for (const line of [4, 5, 6]) {
      expect(await follow("a.js", nested, after, { line })).toMatchObject({ line: line + 1 });
    }
  });

  test("a line of equal lines in one statement", async () => {
    const before = `const table = make(${"\n  0, 0, 0,".repeat(40)}\n);\n`;
    const after = `\n${before}`;
    expect(await follow("a.js", before, after, { line: 21 })).toMatchObject({ line: 22 });
  });

  test("an element of JSX, while those around it are rewritten", async () => {
    const after = `export const Panel = ({ a, b, theme }) => (
  <Surface theme={theme} elevation={theme.dark ? 1 : 2} testID="surface" hidden={!a && !theme}>
    <Header text={b} numberOfLines={theme.lines} selectable={false} accessibilityRole="header" />
    <Divider inset={theme.inset} bold={theme.version === 3} color={theme.colors.outline} />
    {theme.icon ? <Icon source={theme.icon} size={theme.size} color={theme.colors.icon} /> : null}
    <List
      items={b}
      onPress={() => {
        open(b);
      }}
    />
  </Surface>
);
`;
    for (const text of ["<List", "items={b}", "onPress={", "open(b)"]) {
      const found = await follow("a.tsx", panel, after, { line: lineOf(panel, text) });
      expect(found.line).toBe(lineOf(after, text));
    }
  });

  test("an element of JSX that is wrapped in another", async () => {
    const after = `export const Panel = ({ a, b, theme }) => (
  <Theme value={theme}>
    <View style={a}>
      <Title text={b} bold />
      <List
        items={b}
        onPress={() => {
          open(b);
        }}
      />
    </View>
  </Theme>
);
`;
    const range = { line: lineOf(panel, "<View"), endLine: lineOf(panel, "</View") };
    expect(await follow("a.tsx", panel, after, range)).toMatchObject({
      line: lineOf(after, "<View"),
      endLine: lineOf(after, "</View"),
    });
  });

  test.each([
    ["element", "<Title text={b} />"],
    ["attribute", "items={b}"],
  ])("and is an orphan where an %s of JSX was removed", async (_, text) => {
    const after = panel.replace(text, "");
    const found = await follow("a.tsx", panel, after, { line: lineOf(panel, text) });
    expect(found).toMatchObject({ status: "orphaned" });
  });

  test("the first of two blank lines below a member of an interface", async () => {
    const before =
      "interface A {\n  /** One. */\n  a(): void;\n\n\n  /** Two. */\n  b(): void;\n}\n";
    const after = before.replace("One", "First");
    expect(await follow("a.ts", before, after, { line: 4 })).toMatchObject({ line: 4 });
  });

  test("the blank lines of Go, when line ends become CRLF", async () => {
    const after = go.replaceAll("\n", "\r\n");
    for (const line of [2, 6, 9]) {
      expect(await follow("a.go", go, after, { line })).toMatchObject({ line });
    }
  });
});

describe("a comment follows its declaration", () => {
  test("below a new decorator", async () => {
    const before = "class A:\n    def run(self):\n        return 1\n";
    const after = before.replace("    def", "    @once\n    def");
    expect(await follow("a.py", before, after, { line: 2 })).toMatchObject({ line: 3 });
  });

  test.each([
    [
      "a.cs",
      "class A\n{\n    public int Run()\n    {\n        return 1;\n    }\n}\n",
      "    [Obsolete]\n",
    ],
    [
      "A.java",
      "class A {\n\n    public int run() {\n        return 1;\n    }\n}\n",
      "    @Override\n",
    ],
    ["a.php", "<?php\n\n    function run() {\n        return 1;\n    }\n", "    #[Pure]\n"],
    ["a.rs", "use a;\n\n    fn run() -> i32 {\n        1\n    }\n", "    #[inline]\n"],
  ])("below a new attribute in %s", async (path, before, attribute) => {
    const lines = before.split("\n");
    const after = [...lines.slice(0, 2), attribute.trimEnd(), ...lines.slice(2)].join("\n");
    expect(await follow(path, before, after, { line: 3 })).toMatchObject({ line: 4 });
  });

  test.each([
    ["A.java", "class A {", "private List<Foo> all = list();", "Set<Bar> all;"],
    ["a.cs", "class A\n{", "private readonly List<Foo> all = new();", "HashSet<Bar> all;"],
    ["a.cs", "class A\n{\n  void Run()\n  {", "int all = One(2);", "var all = Count(rows, 3);"],
  ])("by its name alone, in %s below %j", async (path, top, was, now) => {
    const end = "}\n".repeat(top.split("{").length - 1);
    const before = `${top}\n${was}\n${end}`;
    const after = `${top}\nint other;\n${now}\n${end}`;
    const found = await follow(path, before, after, { line: lineOf(before, was) });
    expect(found).toMatchObject({ line: lineOf(after, now), status: "edited" });
  });

  test("and not the import of another module that reuses a name", async () => {
    const before = "from collections import Mapping\nimport os\n";
    const after = "import os\nfrom .compat import Mapping, cookielib, urljoin\n";
    const found = await follow("a.py", before, after, { line: 1 });
    expect(found).toMatchObject({ status: "orphaned" });
  });
});

test("a comment on two declarations ends with the first when the second is deleted", async () => {
  const before = "function a() {\n  one();\n}\n\nfunction b() {\n  two();\n}\n";
  const after = `\n${before.slice(0, before.indexOf("function b"))}three();\n`;
  const found = await follow("a.js", before, after, { line: 1, endLine: 7 });
  expect(found).toMatchObject({ line: 2, endLine: 4 });
});

test("a comment on a function without its decorator ends where the function does", async () => {
  const before = "class A:\n    @property\n    def a(self):\n        if b:\n            return c\n";
  const after = `import b\n${before}        return None\n`;
  const found = await follow("a.py", before, after, { line: 3, endLine: 5 });
  expect(found).toMatchObject({ line: 4, endLine: 7 });
});

test.each([
  ["a.py", "one()\nrun(\n    a,\n    b,\n)\nend()\n", "    b"],
  ["b.py", 'def run():\n    """\n    Runs.\n\n    Twice.\n    """\n    go()\n', "Twice."],
  ["c.py", "one()\nall = (\n    a\n    if b\n    else c\n)\nend()\n", "else c"],
  ["d.js", "one();\nrun(\n  a,\n  b\n);\nend();\n", "  b"],
  ["e.js", "one();\nconst all = [\n  a,\n  b,\n];\nend();\n", "  b"],
])(
  "a range in %s still ends above the closing line of its statement",
  async (path, source, last) => {
    const after = `\n${source.replace("end()", "stop()").replace("go()", "stop()")}`;
    for (const line of [1, 2, 3]) {
      const endLine = lineOf(source, last);
      const found = await follow(path, source, after, { line, endLine });
      expect(found).toMatchObject({ line: line + 1, endLine: endLine + 1 });
    }
  },
);

test.each([
  ["a.txt", "caf\u00e9 = 2"],
  ["a.md", "# caf\u00e9 = 2"],
  ["a.js", "caf\u00e9 = 2"],
  ["long.txt", `caf\u00e9 = 2${"\n".repeat(20_000)}`],
])("a comment follows its line into the other normal form of Unicode: %s", async (path, text) => {
  const before = `one = 1;\n\n${text}\n`;
  const after = `new = 0;\n\n${before.normalize("NFD")}`;
  const [line, there] = [before, after].map((source) => lineOf(source, " = 2"));
  const found = await follow(path, before, after, { line: line ?? 0 });
  expect(found).toMatchObject({ line: there, status: "moved" });
  const back = await follow(path, after, before, { line: there ?? 0 });
  expect(back).toMatchObject({ line, status: "moved" });
});
