import type { TestProject } from "vitest/node";
import { removeFolder } from "../src/remove-folder.ts";
import { pluginArtefacts } from "./node/artefact.ts";
import { buildPage } from "./node/build-page.ts";
import { launchChromium } from "./node/chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    readonly obsidianHost: { readonly browser: string; readonly page: string };
  }
}

/** One browser and one bundle of the page for all files of the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  pluginArtefacts();
  const [server, page] = await Promise.all([launchChromium(), buildPage()]);
  project.provide("obsidianHost", { browser: server.wsEndpoint(), page });
  return async () => {
    await server.close();
    await removeFolder(page);
  };
}
