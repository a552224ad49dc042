import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageNamed, root } from "./packages.ts";

test("no tracked file names a folder of this machine or a registry's address", () => {
  const folders = [root, userInfo().homedir].filter((folder) => folder.length > 1);
  const named = new RegExp(
    `(?<![\\w./-])(?:${folders.map(literally).join("|")})(?!\\w)|\\bregistry\\.[\\w-]+\\.(?:org|com)\\b`,
  );
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  const offending = tracked
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
  expect(offending).toEqual([]);
});

test("the lock file has versions, not their sources", () => {
  expect(readFileSync(join(root, "pnpm-lock.yaml"), "utf8")).not.toMatch(/\btarball:|:\/\//);
});

test.each(["core", "devtools", "paired-comments", "http"])(
  "%s's sources import no module of Node",
  (name) => {
    const folder = join(packageNamed(name).folder, "src");
    const offending = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !/\.test(-d)?\.ts$/.test(path))
      .filter((path) => !isForNode(name, path))
      .filter((path) =>
        /from "node:|import\("node:/.test(readFileSync(join(folder, path), "utf8")),
      );
    expect(offending).toEqual([]);
  },
);

/** Modules that only the entry for Node imports. */
function isForNode(name: string, path: string): boolean {
  return name === "paired-comments" && /^(node\b|grammar-files\.ts$)/.test(path);
}

/** The pattern that matches exactly this text. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
