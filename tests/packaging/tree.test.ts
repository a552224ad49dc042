import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageNamed, root } from "./packages.ts";

test("no tracked file names a folder of a developer's machine or a registry's address", () => {
  const named = /(?<![\w./-])\/(?:root|work)\/\w|\bregistry\.[\w-]+\.(?:org|com)\b|\btarball:/;
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  const guilty = tracked
    .split("\0")
    .map((path) => ({ path, file: join(root, path) }))
    .filter(({ path, file }) => path !== "" && existsSync(file))
    .flatMap(({ path, file }) =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line, index) =>
          named.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
  expect(guilty).toEqual([]);
});

test("core's sources import no module of Node", () => {
  const folder = join(packageNamed("core").folder, "src");
  const guilty = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/\.test(-d)?\.ts$/.test(path))
    .filter((path) => /from "node:|import\("node:/.test(readFileSync(join(folder, path), "utf8")));
  expect(guilty).toEqual([]);
});
