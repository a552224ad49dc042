import { describe, expect, test } from "vitest";
import { follow } from "./testing/follow.ts";

/** A documented function of a language, and the text around all such functions. */
interface Documented {
  readonly path: string;
  readonly around: readonly [string, string];
  readonly text: (name: string) => string;
}

const languages: readonly Documented[] = [
  {
    path: "a.cs",
    around: ["class A\n{\n", "}\n"],
    text: (name) => `/// <summary>
/// What ${name} does.
/// </summary>
public int ${name}(int a)
{
    return a.${name}();
}
`,
  },
  {
    path: "a.rs",
    around: ["use std::io;\n", ""],
    text: (name) => `/// Does ${name}.
///
/// # Errors
///
/// When it is closed.
#[inline]
pub fn ${name}(a: A) -> i32 {
    a.${name}()
}
`,
  },
  {
    path: "a.js",
    around: ["import x from 'x';\n", ""],
    text: (name) => `/** @internal */
export function ${name}(a) {
  return a.${name}();
}
`,
  },
  {
    path: "a.py",
    around: ["import a\n", ""],
    text: (name) => `# ----------
# ${name}
# ----------
def ${name}(a):
    return a.${name}()
`,
  },
];

describe.each(languages)("in $path", ({ path, around: [top, bottom], text }) => {
  const source = (names: readonly string[]) => top + names.map(text).join("\n") + bottom;
  const count = countLines(text("open"));
  const firstLine = (names: readonly string[], name: string) =>
    countLines(top) + names.indexOf(name) * (count + 1) + 1;
  const before = ["open", "read", "close"];

  test.each([
    [["open", "write", "read", "close"]],
    [["write", "open", "read", "close"]],
    [["read", "open", "close"]],
    [["close", "open", "read"]],
    [["close", "read", "open"]],
    [["read", "close"]],
    [["open", "close"]],
    [["open", "read"]],
  ])("all lines of a function's description stay with it among %j", async (after) => {
    const fresh = source(after);
    for (const name of before) {
      for (let step = 0; step < count; step++) {
        const line = firstLine(before, name) + step;
        const found = await follow(path, source(before), fresh, { line });
        if (!after.includes(name)) {
          expect(found.status).toBe("orphaned");
          continue;
        }
        expect(found.line).toBe(firstLine(after, name) + step);
        expect(["exact", "moved"]).toContain(found.status);
      }
    }
  });
});

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

test("a comment after code stays with it when an identical one is deleted", async () => {
  const before = "const all = {\n  a: one(), // old\n  b: two(), // old\n  c: three(),\n};\n";
  const after = before.replace(/ {2}b.*\n/, "");
  expect(await follow("a.js", before, after, { line: 2 })).toMatchObject({
    line: 2,
    status: "exact",
  });
});
