import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { builtBin, LineProgram } from "../src/line-program.ts";
import { openWorkspace, startClient } from "../src/reference-clients/serve-context.ts";

const host = fileURLToPath(new URL("../../examples/any-editor/host.py", import.meta.url));

test("an editor behind stdio mentions folders, images, PDFs and large files: the path alone is sent", async () => {
  const workspace = openWorkspace();
  const { folder } = workspace;
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "pixel.png"), new Uint8Array([0x89, 0x50, 0, 1]));
  writeFileSync(join(folder, "paper.pdf"), new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 0xff]));
  writeFileSync(join(folder, "latin1.txt"), new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
  writeFileSync(join(folder, "large.log"), "");
  truncateSync(join(folder, "large.log"), 63 * 1024 * 1024);
  const editor = new LineProgram("python3", [host, folder, process.execPath, builtBin], {
    env: { ...workspace.env, PYTHONIOENCODING: "utf-8" },
    cwd: folder,
  });
  await editor.shows("agents can find ");
  const client = await startClient(workspace);
  await client.untilReady();
  await editor.shows("connected: claude-code");
  for (const name of ["sub", "pixel.png", "paper.pdf", "latin1.txt", "large.log"]) {
    editor.type(`mention ${name}`);
    await client.until(`the mention of ${name}`, () => client.promptInput.includes(`@${name}`));
  }
  expect(client.violations).toEqual([]);
  await client.exit();
  editor.type("quit");
  expect(await editor.exited, editor.describe()).toBe(0);
});
