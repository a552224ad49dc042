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

test.each([
  ["from .five import items, reraise", "from .errors import reraise"],
  ["import json", "import requests"],
])(
  "a comment on an import is an orphan once another import replaces it: %s",
  async (before, fresh) => {
    const source = `import os\n${before}\nimport sys\n`;
    const after = `import os\n${fresh}\nimport sys\n`;
    const found = await follow("a.py", source, after, { line: 2 });
    expect(found).toMatchObject({ line: 2, status: "orphaned" });
  },
);

test("a condition wrapped around an `if` after `else:` does not take its comment", async () => {
  const source = "if a:\n    one()\nelse:\n    if paid:\n        ship()\nend()\n";
  const after =
    "if a:\n    one()\nelse:\n    if in_stock:\n        if paid:\n            ship()\nend()\n";
  expect(await follow("a.py", source, after, { line: 4 })).toMatchObject({ line: 5 });
});

test("a comment on a whole `if` ends with the comment after its last clause", async () => {
  const source =
    "if a:\n    one()\nelse:\n    if b:\n        two()\n    elif c:\n        three()\n    # why\nend()\n";
  const found = await follow("a.py", source, `start()\n${source}`, { line: 3, endLine: 7 });
  expect(found).toMatchObject({ line: 4, endLine: 8 });
});
