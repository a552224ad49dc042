import type { TestProject } from "vitest/node";
import { launchChromium } from "../obsidian-host/node/chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    readonly playground: { readonly browser: string };
  }
}

/** One browser for all files of the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await launchChromium();
  project.provide("playground", { browser: server.wsEndpoint() });
  return () => server.close();
}
