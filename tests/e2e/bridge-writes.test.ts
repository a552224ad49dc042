import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CallToolResult } from "@idewire/core/server";
import { expect, test } from "vitest";
import { BridgeContext, connectTo } from "../src/bridge-context.ts";

const textOf = ({ content }: CallToolResult) =>
  content.map((item) => (item.type === "text" ? item.text : "")).join("|");

const accepted = { kind: "accepted", text: "new\n" };

async function open(...flags: readonly string[]) {
  const context = new BridgeContext();
  const editor = await context.serve();
  const bridge = context.bridge("stdio", ...flags);
  await expect.poll(() => bridge.errors).toContain("Bridge to");
  const client = await connectTo(bridge, "stdio");
  const propose = async (file: string, answer: object, meanwhile = () => {}) => {
    const path = join(context.folder, file);
    const args = { old_file_path: path, new_file_contents: "new\n", tab_name: "t" };
    const result = client.callTool("openDiff", args);
    const { diff } = await editor.event("diff-opened", { filePath: path });
    meanwhile();
    editor.type({ do: "answerDiff", id: diff, answer });
    return textOf(await result);
  };
  const tool = (await client.listTools()).find(({ name }) => name === "openDiff");
  return { context, propose, tool };
}

test("without --write the caller writes the file, as description, annotations and result state", async () => {
  const { context, propose, tool } = await open();
  expect(tool?.description).toContain("It writes nothing");
  expect(tool?.annotations).toMatchObject({ readOnlyHint: true });
  expect(await propose("plan.md", accepted)).toContain("Nothing was written: write exactly");
  expect(readFileSync(context.plan, "utf8")).toBe("one\ntwo\nthree\n");
});

test.each(["plan.md", "new file.md", "new/folders/file.md"])(
  "with --write an accepted change is in the file: %s",
  async (file) => {
    const { context, propose, tool } = await open("--write");
    expect(tool?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(await propose(file, accepted)).toContain("Written to");
    expect(readFileSync(join(context.folder, file), "utf8")).toBe("new\n");
    expect(statSync(join(context.folder, file)).mode & 0o777).toBe(0o666 & ~process.umask());
  },
);

test("with --write a rejected change, and one of a file that has changed, are not written", async () => {
  const { context, propose } = await open("--write");
  expect(await propose("other.md", { kind: "rejected" })).toContain("DIFF_REJECTED");
  expect(existsSync(join(context.folder, "other.md"))).toBe(false);
  const change = () => writeFileSync(context.plan, "mine\n");
  expect(await propose("plan.md", accepted, change)).toContain("has changed on disk");
  expect(readFileSync(context.plan, "utf8")).toBe("mine\n");
  const taken = join(context.folder, "taken.md");
  const refusedWrite = await propose("taken.md", accepted, () => writeFileSync(taken, "mine\n"));
  expect(refusedWrite).toMatch(/was not written: .*taken\.md has appeared since it was proposed$/);
  expect(readFileSync(taken, "utf8")).toBe("mine\n");
});
