import { basename } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { packages } from "./packages.ts";

// After an intended change: npx vitest run --project packaging -u
test.each(packages)("$name exports the pinned names and no others", async ({ folder, entries }) => {
  const lines = await Promise.all(
    entries.map(async ({ key, built }) => [`# ${key}`, ...(await namedExports(built))]),
  );
  await expect(`${lines.flat().join("\n")}\n`).toMatchFileSnapshot(
    `exports/${basename(folder)}.txt`,
  );
});

test.each(packages)("$name has no default export", async ({ entries }) => {
  for (const { built } of entries) expect(await namedExports(built)).not.toContain("default");
});

async function namedExports(file: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [file],
    format: "esm",
    metafile: true,
    write: false,
    outdir: "unused",
  });
  return Object.values(metafile.outputs).flatMap((output) => [...output.exports].sort());
}
