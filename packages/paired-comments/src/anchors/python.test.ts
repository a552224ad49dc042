import { expect, test } from "vitest";
import { follow, lineOf } from "./testing/follow.ts";

const described = `import os


def read_file(path):
    """Reads a file whole.

    >>> tools.read_file("a.txt")
    'text of a'

    Use \`tools.read_file\` for small files alone, as all of it is kept in memory.
    """
    with open(path) as file:
        return file.read()


def other():
    pass
`;

test.each(["def read_file", "return file.read()"])(
  "a function of Python that is renamed in its own description, too, keeps a comment on %j",
  async (text) => {
    const fresh = "def helper():\n    return 1\n\n\n";
    const after = `${fresh}${described.replaceAll("read_file", "load_file")}`;
    const line = lineOf(described, text);
    const found = await follow("a.py", described, after, { line });
    expect(found).toMatchObject({ line: line + 4 });
  },
);

test("a class of Python that becomes a decorated function is found at its name", async () => {
  const source = "class status(Command):\n    def run(self):\n        send(self.all)\n";
  const after = "@command(name='status')\n@option('-a')\ndef status(all):\n    send(all)\n";
  expect(await follow("a.py", source, after, { line: 1 })).toMatchObject({ line: 3 });
});

test("what is imported in the place of something else is a guess", async () => {
  const source = "import os\nfrom .five import items, reraise\nimport sys\n";
  const after = "import os\nfrom .errors import reraise\nimport sys\n";
  const found = await follow("a.py", source, after, { line: 2 });
  expect(found).toMatchObject({ line: 2, status: "ambiguous" });
});

test.each([
  ["if c:", "elif c:"],
  ["two()", "two()"],
  ["three()", "three()"],
  ["elif d:", "elif d:"],
  ["five()", "five()"],
])(
  "what is `else:` and `if` keeps a comment on %j where that is written as `elif`",
  async (old, now) => {
    const source = `if a:
    one()
else:  # why
    if c:
        two()
    elif d:
        three()
    else:
        if e:
            four()
        else:
            five()
six()
`;
    const after =
      "if a:\n    one()\nelif c:\n    two()\nelif d:\n    three()\nelif e:\n    four()\nelse:\n    five()\nsix()\n";
    for (const [from, to, first, then] of [
      [source, after, old, now],
      [after, source, now, old],
    ] as const) {
      const found = await follow("a.py", from, to, { line: lineOf(from, first) });
      expect(found).toMatchObject({ line: lineOf(to, then) });
      expect(["exact", "moved"]).toContain(found.status);
    }
  },
);

test("a comment on an `if` after `else:` and on all that follows ends with the last clause", async () => {
  const source =
    "if a:\n    one()\nelse:\n    if b:\n        two()\n    else:\n        three()\nfour()\n";
  const after = "if a:\n    one()\nelif b:\n    two()\nelse:\n    three()\n    more()\nfour()\n";
  const found = await follow("a.py", source, after, { line: 4, endLine: 7 });
  expect(found).toMatchObject({ line: 3, endLine: 7 });
});
