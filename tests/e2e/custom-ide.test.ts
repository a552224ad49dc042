import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DiffRequest } from "@idewire/core";
import { parsePosixPath } from "@idewire/core";
import { webSocketsOf } from "@idewire/node-server/internal";
import { expect, onTestFinished, test, vi } from "vitest";
import { openCustomIde } from "../../examples/custom-ide/custom-ide.ts";
import { openFixture, startClaude } from "../src/reference-clients/context.ts";
import { toObject } from "../src/reference-clients/wire.ts";

const source = new URL("../../examples/custom-ide/custom-ide.ts", import.meta.url);

test("the example is an editor host in at most 40 lines of at most 100 characters", () => {
  const lines = readFileSync(source, "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  const imports = lines.flatMap((line) => /from "(.*)"/.exec(line)?.[1] ?? []);
  expect(new Set(imports)).toEqual(
    new Set(["node:readline/promises", "@idewire/core", "@idewire/node-server"]),
  );
});

test("the example shows its selection, and completes an accepted and a rejected diff", async () => {
  const fixture = openFixture();
  vi.stubEnv("HOME", fixture.home);
  vi.stubEnv("CLAUDE_CONFIG_DIR", undefined);
  vi.stubEnv("XDG_STATE_HOME", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = fixture.file("a.txt", "old\n");
  const folder = parsePosixPath(fixture.workspace);
  const path = parsePosixPath(file);
  if (!folder.ok || !path.ok) throw new Error("The fixture has no POSIX paths");

  const requests: DiffRequest[] = [];
  const { listener, show } = await openCustomIde(folder.value, async (request) => {
    requests.push(request);
    return request.proposed.startsWith("good");
  });
  onTestFinished(() => listener.close());
  const [endpoint] = webSocketsOf(listener.endpoints);
  if (endpoint === undefined) throw new Error("There is no endpoint");
  expect(endpoint.lockFile).toBe(join(fixture.lockFolder, `${endpoint.port}.lock`));
  const lock = toObject(JSON.parse(readFileSync(endpoint.lockFile, "utf8")));
  expect(lock).toMatchObject({ ideName: "Custom IDE", workspaceFolders: [fixture.workspace] });

  const client = await startClaude(fixture);
  await client.untilReady();
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 }, text: "old" };
  show({ path: path.value, ranges: [range], primary: 0 }, "old\n");
  await client.until("the selection", () => client.badge === "⧉ 1 line selected");

  const accepted = await client.edit(file, "good\n").result;
  expect(accepted).toMatchObject({ by: "ide", written: "good\n" });
  const rejected = await client.edit(file, "bad\n").result;
  expect(rejected).toMatchObject({ by: "ide", decision: "rejected" });
  expect(readFileSync(file, "utf8")).toBe("good\n");
  expect(requests.map((request) => request.path)).toEqual([file, file]);

  await client.exit();
  expect(client.violations).toEqual([]);
  await listener.close();
  expect(existsSync(endpoint.lockFile)).toBe(false);
});
