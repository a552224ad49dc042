import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../../tests/src/temporary-folder.ts";
import { readProblems } from "../../drive/problem-reader.ts";

/** `file:line` of the problems found in a folder with some files. */
async function places(output: string): Promise<readonly string[]> {
  const cwd = await realpath(temporaryFolder("idewire-located-"));
  for (const name of ["x_test.go", "sub/x_test.go", "src/a.ts", "main.py", "index.js"]) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), "");
  }
  async function* input() {
    yield output;
  }
  const files = await readProblems(input(), { cwd, allowEmpty: true });
  return files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ range }) => `${path.replace(`${cwd}/`, "")}:${range.start.line + 1}`),
  );
}

test("the file of a Go test is in the folder of its package", async () => {
  const failed = (line: number) => `--- FAIL: TestX (0.00s)\n    x_test.go:${line}: got 1\nFAIL\n`;
  const output =
    `${failed(5)}FAIL\texample.com/m/sub\t0.002s\nok  \texample.com/m/other\t0.001s\n` +
    `${failed(5)}FAIL\texample.com/m\t0.003s\n# example.com/m/bad\nsub/x_test.go:9:2: undefined: y\n` +
    `FAIL\texample.com/m/bad [build failed]\n${failed(7)}FAIL\texample.com/m/gone\t0.1s\nFAIL\n`;
  expect(await places(output)).toEqual([
    "sub/x_test.go:5",
    "sub/x_test.go:9",
    "x_test.go:5",
    "x_test.go:7",
  ]);
});

test.each([
  ["/app/src/a.ts:3:5: error: x\n", "src/a.ts:3"],
  ["/github/workspace/src/a.ts:3:5: error: x\n", "src/a.ts:3"],
  ["/no-such-folder/main.py:3:5: error: x\n", "main.py:3"],
])("a path in a container is mapped to the folder: %j", async (output, place) => {
  expect(await places(output)).toEqual([place]);
});

test("a file elsewhere is not mapped to one of the folder by its name alone", async () => {
  const path = "/no-such-folder/node/x/index.js";
  expect(await places(`${path}:3:5: error: x\n`)).toEqual([`${path}:3`]);
});
