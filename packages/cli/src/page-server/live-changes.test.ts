import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mention, PosixPath } from "@idewire/core";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { openFolderHost } from "../folder-host/index.ts";
import { FolderLog } from "./folder-log.ts";
import { changeHandlers } from "./live-changes.ts";

/** A pending diff, and a function that sends comments from its page. */
async function openProposal() {
  const folder = temporaryFolder("idewire-comments-");
  const path = join(folder, "beds.md") as PosixPath;
  writeFileSync(path, "# Beds\n\nTomatoes\nBeans\n");
  const host = await openFolderHost(folder);
  const log = new FolderLog(host);
  onTestFinished(async () => {
    log.close();
    await host.close();
  });
  const mentions: Mention[] = [];
  host.on("mention", (mention) => void mentions.push(mention));
  const proposed = "# Beds\n\nWater the tomatoes\nBeans\n";
  const request = {
    ...{ id: "d1", session: "s1", path, oldPath: path, proposed, title: "t" },
    outsideWorkspace: false,
  };
  host.onDiff("diffOpened", ({ request: { id }, current }) => {
    const facts = { id, path: "beds.md", agent: "Claude Code" };
    host.changes.list.proposed({ ...facts, before: current, after: proposed });
  });
  const opened = new Promise<void>((resolve) => host.onDiff("diffOpened", () => resolve()));
  const outcome = host.openDiff?.(request, new AbortController().signal);
  await opened;
  const send = changeHandlers({ host, log, author: async () => "me" })["changes/comment"];
  return { path, host, mentions, outcome, send };
}

test("comments on a pending diff are stored with their code, mentioned, and reject it", async () => {
  const { path, mentions, outcome, send } = await openProposal();
  const comments = [{ line: 3, endLine: 4, text: "Only in the evening." }];
  expect(await send({ id: "d1", comments })).toEqual({
    message: "beds.md, lines 3 to 4:\n> Water the tomatoes\n> Beans\nOnly in the evening.\n",
    file: "beds.md.comments",
  });
  expect(await outcome).toEqual({
    kind: "rejected",
    comments: expect.stringContaining("Only in the evening."),
  });
  expect(mentions).toEqual([{ path: `${path}.comments` }]);
  expect(readFileSync(`${path}.comments`, "utf8")).toContain("> Beans\\nOnly in the evening.");
});

test("a diff whose comments cannot be stored stays pending", async () => {
  const { host, path, send } = await openProposal();
  mkdirSync(`${path}.comments`);
  const sent = await send({ id: "d1", comments: [{ line: 3, endLine: 3, text: "Later." }] });
  expect(sent).toMatchObject({
    message: expect.stringContaining("Later."),
    problem: expect.any(String),
  });
  expect(host.changes.list.get("d1")?.state).toBe("waiting");
});
