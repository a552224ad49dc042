import { afterAll, afterEach, beforeAll } from "vitest";
import { createHost, type ObsidianHost } from "./index.ts";
import type { StartOptions } from "./start-options.ts";

/**
 * One app for all scenarios of a file, or of the enclosing `describe`: for those that only look at it,
 * or leave nothing in the vault that affects the next ones. Each finds the initial screen and no
 * agent. Scenarios that look for leaks, restart, or test what agents may learn need an app of
 * their own (`start`).
 */
export function shared(options: StartOptions = {}): () => ObsidianHost {
  let host: ObsidianHost | undefined;
  beforeAll(async () => {
    host = createHost(options);
    await host.launch();
  });
  afterEach(() => host?.tidy());
  afterAll(() => host?.stop());
  return () => {
    if (host === undefined) throw new Error("The app has not been started");
    return host;
  };
}
