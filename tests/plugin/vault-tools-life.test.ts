import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client, StdioClientTransport } from "../interop/sdk-client.ts";
import { start } from "../obsidian-host/index.ts";
import { shared } from "../obsidian-host/shared.ts";
import { verifies } from "../src/verifies.ts";
import { connect, copied, endpointOf, type } from "./vault-tools-fixture.ts";

const vaultFiles = {
  "My plan.md": "---\nstatus: open\n---\n# Plan\n\nCarrots in the north.\n",
  "Other.md": "Another note.\n",
};
const settings = { vaultTools: true, vaultToolsChange: true };

describe("an agent that uses the tools", () => {
  const app = shared({ vaultFiles, settings, open: "My plan.md" });

  verifies(
    "plugin:9:stdio",
    "an agent that starts a command in the vault has its tools on stdin and stdout",
    async () => {
      const host = app();
      await connect(host);
      const command = fileURLToPath(new URL("../../packages/cli/bin/idewire.js", import.meta.url));
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [command, "vault-tools"],
        cwd: host.vault,
        env: { HOME: host.home, PATH: "/usr/bin:/bin" },
      });
      const client = new Client({ name: "agent", version: "1.0.0" });
      onTestFinished(() => client.close());
      await client.connect(transport as Parameters<Client["connect"]>[0]);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("rename_note");
      expect(await type(client, "search_vault", { query: "carrots" })).toBe(
        "My plan.md:6: Carrots in the north.",
      );
    },
  );

  verifies(
    ["plugin:9:tools-unsaved", "plugin:7:last-answers"],
    "properties leave unsaved text alone; the answer of a tool is listed among shared content",
    async () => {
      const host = app();
      const client = await connect(host);
      await host.select([5, 0]);
      await host.page.keyboard.insertText("Typed. ");
      await type(client, "set_properties", { path: "My plan.md", set: { status: "done" } });
      await expect
        .poll(() => host.read("My plan.md"))
        .toMatch(/^status: done$[\s\S]*^Typed\. Carrots/m);
      await type(client, "search_vault", { query: "typed" });
      await host.commands.run("last-shared");
      const entry = host.page.locator(".idewire-shared-entry").first();
      expect(await entry.locator("> summary").textContent()).toContain("called search_vault");
      expect(await entry.locator("> pre").textContent()).toBe(
        "My plan.md:6: Typed. Carrots in the north.",
      );
    },
  );
});

verifies("plugin:7:last-answers", "so are the answers of the editor's tools", async () => {
  const host = await start({ vaultFiles, open: "Other.md" });
  const agent = await host.agents.raw();
  await host.pointer.selectText("Another");
  await expect
    .poll(async () => JSON.stringify(await agent.callTool("getCurrentSelection", {})))
    .toContain("Another");
  await host.commands.run("last-shared");
  const entry = host.page.locator(".idewire-shared-entry", { hasText: "getCurrentSelection" });
  expect(await entry.first().locator("> pre").textContent()).toContain("Another");
});

verifies(
  "plugin:9:links",
  "an agent receives the link that opens a note, whatever its name",
  async () => {
    const host = await start({ vaultFiles, settings, open: "Other.md", vaultName: "Mein & Buch" });
    const client = await connect(host);
    const { link } = JSON.parse(await type(client, "describe_note", { path: "My plan.md" })) as {
      link: string;
    };
    expect(link).toBe("obsidian://idewire?vault=Mein%20%26%20Buch&path=My%20plan.md");
    const { hostname, searchParams } = new URL(`${link}&line=6`);
    await host.protocol(hostname, Object.fromEntries(searchParams));
    await host.page.waitForFunction("app.workspace.getActiveFile()?.path === 'My plan.md'");
    const line = "app.workspace.activeEditor.editor.getCursor().line";
    await expect.poll(() => host.page.evaluate(line)).toBe(5);
  },
);

verifies(
  "plugin:9:tools-two-windows",
  "a second window on the vault leaves the tools to the first, and takes over when that has closed",
  async () => {
    const first = await start({ vaultFiles, settings });
    const client = await connect(first);
    const line = await copied(first);
    const endpoint = await endpointOf(first);
    const second = await start({ sameAs: first.testVault, settings });
    expect(await copied(second)).toBe(line);
    expect(await type(client, "search_vault", { query: "carrots" })).toContain("My plan.md:6");
    await first.quit();
    expect(await copied(second)).toBe(line);
    const { url, token } = (await endpointOf(second)) ?? {};
    expect({ url, token }).toEqual({ url: endpoint?.url, token: endpoint?.token });
    const again = await connect(second);
    expect(await type(again, "search_vault", { query: "carrots" })).toContain("My plan.md:6");
    await second.disable();
    expect(await second.leaks()).toEqual({});
    expect(readFileSync(join(second.vault, "Other.md"), "utf8")).toBe(vaultFiles["Other.md"]);
  },
);

test("if another program has their old address, the new one is shown, with a new token", async () => {
  const first = await start({ vaultFiles, settings });
  await copied(first);
  const before = await endpointOf(first);
  await first.quit();
  const port = Number(new URL(before?.url ?? "").port);
  const other = createServer().listen(port, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const second = await start({ sameAs: first.testVault, settings });
  await second.notice(/Another program uses the previous address of the vault tools/);
  const now = await endpointOf(second);
  expect(now?.url).not.toBe(before?.url);
  expect(now?.token).not.toBe(before?.token);
  await second.settings.open("Vault tools");
  await second.page.getByText(`They are now at ${now?.url}`).first().waitFor();
});
