import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { removeFolder } from "../src/remove-folder.ts";
import { type Packed, pack } from "./packages.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The packed packages, and the folder of their tarballs. */
    readonly packaging: { readonly tarballs: string; readonly packed: readonly Packed[] };
  }
}

/** Packs once for all files of the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const tarballs = mkdtempSync(join(tmpdir(), "idewire-tarballs-"));
  project.provide("packaging", { tarballs, packed: await pack(tarballs) });
  return () => removeFolder(tarballs);
}
