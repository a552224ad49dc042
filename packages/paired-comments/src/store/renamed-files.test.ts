import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "./comment-store.ts";
import { createMemoryWorkspace } from "./memory-workspace.ts";

const reader = createSourceReader(readGrammarFile);

/** The source that has a deleted source's comments after others were added. */
async function successorOf(
  path: string,
  before: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>> = {},
): Promise<string> {
  const workspace = createMemoryWorkspace(before);
  const store = new CommentStore({ workspace, reader });
  await store.add({ filePath: path, line: 3, text: "why?", tag: "QUESTION", author: "ann" });
  workspace.files.delete(path);
  for (const [other, text] of Object.entries(added)) workspace.files.set(other, text);
  return (await store.file(path)).filePath;
}

const parts = ["open", "read", "check", "parse", "close", "report"].map(
  (name) =>
    `export function ${name}(file, mode) {\n  log("${name}");\n  return file.${name}(mode);\n}\n`,
);
const source = `import { log } from "./log.js";\n\n${parts.join("\n")}`;
/** A third of it is new. */
const rewritten = `import { log } from "./log.js";\n\n${parts.slice(0, 5).join("\n")}
export function flush(queue) {
  for (const each of queue.splice(0)) each.settle();
  queue.emit("flushed", Date.now());
  return queue.length === 0;
}
`;

test("a source is followed to another name when much of it has changed and no other resembles it", async () => {
  expect(await successorOf("a.js", { "a.js": source }, { "lib/b.js": rewritten })).toBe("lib/b.js");
});

test("a source is not followed when two others resemble it about equally", async () => {
  const twin = rewritten.replaceAll("flush", "drain");
  const before = { "a.js": source, "c.js": twin };
  expect(await successorOf("a.js", before, { "lib/b.js": rewritten })).toBe("a.js");
});

test("a renamed source has at least a third of the code and most of the names", async () => {
  const rest = rewritten.slice(rewritten.indexOf("export function flush"));
  const kept = (count: number) => [
    ...parts.slice(0, count),
    ...parts.slice(count).map((part) => part.replace(/log.*\n.*\n/, "queue.push(mode, file);\n")),
  ];
  const file = (body: readonly string[]) => `import { log } from "./log.js";\n\n${body.join("\n")}`;
  const before = { "files.js": source, "other.js": file([...parts.slice(0, 2), rest]) };
  const isFound = async (body: readonly string[]) =>
    (await successorOf("files.js", before, { "lib/files.js": file(body) })) === "lib/files.js";
  expect(await isFound(kept(3))).toBe(true);
  expect(await isFound(kept(1))).toBe(false);
  expect(await isFound([...parts.slice(0, 4), rest])).toBe(false);
});

test("a file of the same name that shares some functions with a deleted one does not get its comments", async () => {
  const utils = (functions: Readonly<Record<string, string>>) =>
    `import os\nimport sys\n\n${Object.entries(functions)
      .map(([name, body]) => `def ${name}(path):\n    ${body}\n    return path\n`)
      .join("\n")}`;
  const before = {
    "a/utils.py": utils({
      read_text: "data = open(path).read()",
      parse_line: "parts = path.split(',')",
      join_lines: "text = os.linesep.join(path)",
      main: "print(sys.argv)",
    }),
    "b/utils.py": utils({
      read_text: "data = open(path, 'rb').read()",
      send_mail: "smtp = connect(path)",
      join_lines: "text = sys.stdin.readline(path)",
      main: "print(os.environ)",
    }),
  };
  expect(await successorOf("a/utils.py", before)).toBe("a/utils.py");
});

test("a copy with next to no content counts only under the same name", async () => {
  const base = "class Base:\n    def save(self):\n        return self.db.save(self)\n";
  const before = { "shop/__init__.py": base, "blog/__init__.py": base };
  expect(await successorOf("shop/__init__.py", before)).toBe("shop/__init__.py");
  const moved = { "shop/__init__.py": base };
  expect(await successorOf("shop/__init__.py", moved, { "lib/shop/__init__.py": base })).toBe(
    "lib/shop/__init__.py",
  );
});

test("the only copy is the renamed file, whatever else resembles it", async () => {
  const before = { "a.js": source, "c.js": source.replace('"close"', '"closed"') };
  expect(await successorOf("a.js", before, { "lib/b.js": source })).toBe("lib/b.js");
});

test("a source that contains its own name is not considered a renamed copy of another", async () => {
  const rule = (name: string, values: string) => `import { test, report } from "../test.js";

const ruleName = "${name}";
const messages = { rejected: (node) => \`\${node.${values}} in \${node.type}\` };

function rule(primary, options) {
  return (root, result) => {
    if (!test(result, ruleName, { actual: primary, possible: [${values}] })) return;
    root.walk((node) => {
      if (options.${values}.includes(node.name)) report({ node, result, ruleName, message: messages.rejected(node.${values}) });
    });
  };
}

rule.ruleName = ruleName;
module.exports = rule;
`;
  const before = {
    "rules/name-allowed/index.js": rule("name-allowed", "first"),
    "rules/name-refused/index.js": rule("name-refused", "second"),
  };
  const path = "rules/name-allowed/index.js";
  expect(await successorOf(path, before)).toBe(path);
  const text = `${rule("name-allowed", "first")}rule.isList = true;\n`;
  const moved = { "checks/allowed-names/index.js": text };
  expect(await successorOf(path, before, moved)).toBe("checks/allowed-names/index.js");
});

test("the compiled output of a source is not the renamed file", async () => {
  const before = { "src/a.ts": source, "lib/a.js": source, "dist/a.ts": source };
  expect(await successorOf("src/a.ts", before)).toBe("src/a.ts");
  expect(await successorOf("src/a.ts", before, { "src/files/a.ts": rewritten })).toBe(
    "src/files/a.ts",
  );
});

test("a source is compared again only once its text has changed", async () => {
  const versions = new Map<string, number>();
  for (const isStamped of [true, false]) {
    const workspace = createMemoryWorkspace({ "a.js": source });
    const { files } = workspace;
    let count = 0;
    const counting = {
      ...workspace,
      ...(isStamped && { stamp: (path: string) => [versions.get(path) ?? 0] }),
      readSource: (path: string) => {
        if (path === "b.js") count++;
        return workspace.readSource(path);
      },
    };
    const store = new CommentStore({ workspace: counting, reader });
    await store.add({ filePath: "a.js", line: 3, text: "why?", tag: "QUESTION", author: "ann" });
    const set = (path: string, text: string) => {
      files.set(path, text);
      versions.set(path, (versions.get(path) ?? 0) + 1);
    };
    const place = async () => (await store.file("a.js")).filePath;
    files.delete("a.js");
    set("b.js", "");
    expect(await place()).toBe("a.js");
    const first = count;
    expect(await place()).toBe("a.js");
    if (isStamped) expect(count).toBe(first);
    set("b.js", source);
    expect(await place()).toBe("b.js");
    set("c.js", source);
    set("b.js", "stop();\n");
    expect(await place()).toBe("c.js");
  }
});

test("all missing sources are searched for in one pass over the others, and again after these change", async () => {
  const names = ["a", "b", "c", "d"];
  const text = (name: string) => source.replaceAll("file", name).replaceAll("log", `log_${name}`);
  const workspace = createMemoryWorkspace(
    Object.fromEntries(names.map((name) => [`${name}.js`, text(name)])),
  );
  const { files } = workspace;
  const looks = new Map<string, number>();
  const reads: string[] = [];
  const counting = {
    ...workspace,
    stamp: (path: string) => {
      looks.set(path, (looks.get(path) ?? 0) + 1);
      const text = files.get(path);
      return text === undefined ? undefined : [text.length];
    },
    readSource: (path: string) => {
      reads.push(path);
      return workspace.readSource(path);
    },
  };
  const store = new CommentStore({ workspace: counting, reader });
  for (const name of names) {
    await store.add({
      filePath: `${name}.js`,
      line: 3,
      text: "why?",
      tag: "QUESTION",
      author: "ann",
    });
  }
  const others = names.map((name) => `lib/${name}.js`);
  for (const [index, other] of others.entries()) {
    const path = `${names[index]}.js`;
    files.set(other, `${files.get(path)}stop();\n`);
    files.delete(path);
  }
  const places = async () => {
    looks.clear();
    const listed = await store.all();
    return listed.files.map(({ filePath }) => filePath);
  };
  expect(await places()).toEqual(others);
  for (const other of others) expect(looks.get(other)).toBe(1);
  files.set("lib/e.js", "stop();\n");
  reads.length = 0;
  expect(await places()).toEqual(others);
  expect(reads.filter((path) => path === "lib/e.js")).toHaveLength(1);
});
