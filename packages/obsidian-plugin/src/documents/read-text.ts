import { type PosixPath, ToolFailure } from "@idewire/core";
import type { VaultPaths } from "../vault-paths.ts";

/**
 * The text of a file on disk.
 * @throws ToolFailure when it is not text, or outside the vault
 */
export async function readText(paths: Pick<VaultPaths, "read">, path: PosixPath): Promise<string> {
  const file = await paths.read(path);
  if (file.kind === "text") return file.text;
  throw new ToolFailure(`${path} is not text; only UTF-8 text can be read`);
}
