import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "./comment-store.ts";
import { createMemoryWorkspace } from "./memory-workspace.ts";

const reader = createSourceReader(readGrammarFile);

/** Where the comments of a source are once it is gone and others have come. */
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

test("a source is followed under another name when much of it has changed and no other is like it", async () => {
  expect(await successorOf("a.js", { "a.js": source }, { "lib/b.js": rewritten })).toBe("lib/b.js");
});

test("and is not when another is about as much like it", async () => {
  const twin = rewritten.replaceAll("flush", "drain");
  const before = { "a.js": source, "c.js": twin };
  expect(await successorOf("a.js", before, { "lib/b.js": rewritten })).toBe("a.js");
});

test("in another folder it needs a third of its code, where no other source has its name", async () => {
  const [first = "", second = "", third = ""] = parts;
  const rest = rewritten.slice(rewritten.indexOf("export function flush"));
  const after = `${first}\n${second}\n${third}\n${rest}\n${rest.replaceAll("flush", "drain")}`;
  const before = { "files.js": source };
  expect(await successorOf("files.js", before, { "lib/files.js": after })).toBe("lib/files.js");
  expect(await successorOf("files.js", before, { "lib/f.js": after })).toBe("files.js");
});

test("the only copy of it is it, whatever else is like it", async () => {
  const before = { "a.js": source, "c.js": source.replace('"close"', '"closed"') };
  expect(await successorOf("a.js", before, { "lib/b.js": source })).toBe("lib/b.js");
});

test("a source that says its own name is another one, however it was made after it", async () => {
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

test("what a compiler has made of it is not it", async () => {
  const before = { "src/a.ts": source, "lib/a.js": source, "dist/a.ts": source };
  expect(await successorOf("src/a.ts", before)).toBe("src/a.ts");
  expect(await successorOf("src/a.ts", before, { "src/files/a.ts": rewritten })).toBe(
    "src/files/a.ts",
  );
});
