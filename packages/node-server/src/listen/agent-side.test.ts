import { readdirSync } from "node:fs";
import { join } from "node:path";
import { claudeCode, claudeCodeSpec, createPathMap, jetBrains, neovim } from "@idewire/core";
import { fakeEditorHost, posixPath } from "@idewire/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { listenIde } from "./listen.ts";
import type { ListenIdeOptions } from "./listen-options.ts";

function openHome() {
  const home = temporaryFolder("idewire-");
  const host = fakeEditorHost();
  host.folders = [{ path: posixPath(home), name: "work" }];
  return async (options: Partial<ListenIdeOptions>) => {
    const listener = await listenIde(host, { env: { HOME: home }, ...options });
    onTestFinished(() => listener.close());
    const files = () => readdirSync(join(home, ".claude", "ide"));
    return { listener, files, home };
  };
}

test("dialects whose lock files would collide are refused by name", async () => {
  const listen = openHome();
  await expect(
    listen({ dialects: [claudeCode, claudeCodeSpec, neovim, jetBrains] }),
  ).rejects.toThrow(
    /^claude-code, claude-code-spec, neovim would publish 3 lock files for one folder in one directory/,
  );
});

test("they are published together on request", async () => {
  const { files } = await openHome()({ dialects: [claudeCode, claudeCodeSpec], collide: true });
  expect(files()).toHaveLength(2);
});

test("a dialect with a directory of its own goes beside any other", async () => {
  const { listener, files } = await openHome()({ dialects: [claudeCode, jetBrains] });
  expect(files()).toHaveLength(1);
  expect(listener.endpoints).toHaveLength(2);
});

test("the share policy in effect is the one that was set, with a path map too", async () => {
  const listen = openHome();
  const pathMap = createPathMap([{ host: "/", agent: "/far" }]);
  const { listener, home } = await listen({ pathMap });
  expect(listener.endpoints[0]?.folders).toEqual([`/far${home}`]);
  const policy = { ...listener.share, level: "off" as const };
  listener.share = policy;
  expect(listener.share).toBe(policy);
});
