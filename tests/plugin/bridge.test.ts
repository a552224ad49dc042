import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { McpClient } from "@idewire/core/client";
import type { CallToolResult } from "@idewire/core/server";
import { describe, expect, test } from "vitest";
import { type ObsidianHost, start } from "../obsidian-host/index.ts";
import { type BridgeCarrier, BridgeContext, connectTo } from "../src/bridge-context.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { Reviewer } from "./review-fixture.ts";

const vaultFiles = { "Note.md": "one\ntwo\nthree\n" };
const SELECTION = "idewire://editor/selection";

const textOf = ({ content }: CallToolResult) =>
  content.map((item) => (item.type === "text" ? item.text : "")).join("\n");

interface Bridged {
  readonly host: ObsidianHost;
  readonly client: McpClient;
  readonly person: Reviewer;
  readonly propose: (text: string) => Promise<CallToolResult>;
}

async function open(carrier: BridgeCarrier): Promise<Bridged> {
  const host = await start({ vaultFiles, open: "Note.md" });
  await host.agents.lock();
  const args = ["bridge", host.vault, ...(carrier === "http" ? ["--http"] : [])];
  const bridge = new CliRun(new BridgeContext().fixture, { args, env: { HOME: host.home } });
  await expect.poll(() => bridge.errors).toContain("Bridge to");
  const client = await connectTo(bridge, carrier);
  const path = join(host.vault, "Note.md");
  const propose = (text: string) => {
    const args = { old_file_path: path, new_file_path: path, new_file_contents: text };
    return client.callTool("openDiff", { ...args, tab_name: "t" });
  };
  return { host, client, person: new Reviewer(host.page), propose };
}

describe.each(["stdio", "http"] as const)("the vault as an MCP server over %s", (carrier) => {
  test("each tool is called by its name, and the selection is notified at once", async () => {
    const { host, client } = await open(carrier);
    let updatedAt = 0;
    await client.subscribeResource(SELECTION, () => {
      updatedAt = performance.now();
    });
    updatedAt = 0;
    const began = performance.now();
    await host.select([1, 0], [1, 3]);
    await expect
      .poll(async () => {
        const [item] = await client.readResource(SELECTION);
        return item !== undefined && "text" in item ? JSON.parse(item.text) : undefined;
      })
      .toMatchObject({ filePath: join(host.vault, "Note.md"), text: "two" });
    expect(updatedAt).toBeGreaterThan(began);
    const filePath = join(host.vault, "Note.md");
    const args: Record<string, object> = {
      ...{ openFile: { filePath }, checkDocumentDirty: { filePath }, saveDocument: { filePath } },
      ...{ close_tab: { tab_name: "none" }, open_files: { file_paths: [filePath] } },
    };
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["openDiff", "getDiagnostics"]));
    const failed: string[] = [];
    for (const name of names.filter((each) => each !== "openDiff")) {
      const result = await client.callTool(name, { ...args[name] });
      if (result.isError === true) failed.push(`${name}: ${textOf(result)}`);
    }
    expect(failed).toEqual([]);
  });

  test("a diff is accepted and another rejected by the person in the vault", async () => {
    const { person, propose } = await open(carrier);
    const accepted = propose("ONE\ntwo\nthree\n");
    await person.untilArmed();
    await person.press("Accept file");
    expect(textOf(await accepted)).toMatch(/^FILE_SAVED\nONE\ntwo\nthree\n\nNothing was written: /);
    await person.untilClosed();
    const rejected = propose("1\n");
    await person.untilArmed();
    await person.press("Reject file");
    expect(textOf(await rejected)).toMatch(/^DIFF_REJECTED/);
  });
});
