import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { allDialects } from "@idewire/core";
import { InMemoryEditor, posixPath } from "@idewire/core/testing";
import { findEditors, listenIde } from "@idewire/node-server";
import { expect, onTestFinished, test } from "vitest";
import { openFixture } from "../src/reference-clients/context.ts";
import { SeventhClient } from "../src/reference-clients/seventh-client.ts";
import { seventh } from "../src/seventh-dialect.ts";

test("a seventh agent of a known kind takes one file: it is found, shown, asked and named as the others are", async () => {
  const { env, home, workspace } = openFixture();
  const folder = { path: posixPath(workspace), name: "work" };
  const editor = new InMemoryEditor({ name: "Test Editor", version: "1", folder });
  const path = posixPath(join(workspace, "a.md"));
  editor.writeFile(path, "one\n");
  editor.open(path);
  const listener = await listenIde(editor, { dialects: [...allDialects, seventh], env });
  onTestFinished(() => listener.close());
  expect(listener.warnings).toEqual([]);
  const [name = ""] = readdirSync(join(home, ".seventh"));
  expect(statSync(join(home, ".seventh", name)).mode & 0o777).toBe(0o600);

  const agent = new SeventhClient();
  onTestFinished(() => agent.end());
  await agent.start(home, workspace);
  expect([...listener.sessions].map((session) => session.agent?.title)).toEqual(["Seventh CLI"]);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 }, text: "one" };
  editor.setSelection({ path, ranges: [range], primary: 0 });
  const looksAt = { method: "seventh/looksAt", params: { file: path, text: "one" } };
  await expect.poll(() => agent.notifications.at(-1)).toEqual(looksAt);
  editor.mention({ path, lines: { start: 1, end: 1 } });
  const mention = { method: "seventh/mention", params: { file: path, line: 2 } };
  await expect.poll(() => agent.notifications.at(-1)).toEqual(mention);

  const accepted = agent.propose(path, "two\n");
  await expect.poll(() => editor.shownDiffs.length).toBe(1);
  editor.answerDiff(editor.shownDiffs[0]?.id ?? "", { kind: "accepted", text: "edited\n" });
  expect(await accepted).toEqual(["yes", "edited\n"]);
  const withdrawn = agent.propose(path, "three\n");
  await expect.poll(() => editor.shownDiffs.length).toBe(1);
  await agent.withdraw(path);
  expect(await withdrawn).toEqual(["no"]);
  expect(editor.shownDiffs).toEqual([]);

  const format = seventh.endpoint.discovery;
  const { editors } = await findEditors({ cwd: workspace, env, ...(format && { format }) });
  expect(editors).toHaveLength(1);
  await listener.close();
  expect(readdirSync(join(home, ".seventh"))).toEqual([]);
});
