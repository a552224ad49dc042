import { afterAll, afterEach, beforeAll } from "vitest";
import { createHost, type ObsidianHost } from "./index.ts";
import type { StartOptions } from "./start-options.ts";

/**
 * One app for all scenarios of a file, or of the `describe` around: for those that look at it, or
 * leave in the vault nothing that the next ones meet. Each finds the screen as it was at the start,
 * and no agent. Who looks for leaks, starts again, or is about what may be told needs an app of
 * its own (`start`).
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
