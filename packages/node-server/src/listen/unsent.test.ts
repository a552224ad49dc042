import { join } from "node:path";
import { fakeEditorHost, posixPath } from "@idewire/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { connectIde } from "../agent/connect.ts";
import { listenIde } from "./listen.ts";
import { deliveryOf } from "./unsent.ts";

test("a mention of an unshared file is refused with the reason", async () => {
  const folder = temporaryFolder("idewire-");
  const env = { HOME: temporaryFolder("idewire-home-") };
  const host = fakeEditorHost();
  host.folders = [{ path: posixPath(folder), name: "work" }];
  const listener = await listenIde(host, { env, resume: false, exclude: ["drafts/**"] });
  onTestFinished(() => listener.close());
  const agent = await connectIde({ name: "claude-code", version: "1", cwd: folder, env });
  onTestFinished(() => agent.close());
  const path = (name: string) => ({ path: posixPath(join(folder, name)) });
  expect(deliveryOf(path("a.md"), listener).sessions.length).toBe(1);
  for (const name of ["drafts/a.md", ".env"]) {
    expect(() => deliveryOf(path(name), listener), name).toThrow(
      "excluded: nothing of it is shared",
    );
  }
  listener.exclude = ["/a.md"];
  expect(() => deliveryOf(path("a.md"), listener)).toThrow("a.md is excluded");
  expect(deliveryOf(path("drafts/a.md"), listener).sessions.length).toBe(1);
});
