import { type PosixPath, ToolFailure } from "@idewire/core";
import type { TFile, Vault } from "obsidian";

/**
 * The text of a file on disk.
 * @throws ToolFailure when it is not text
 */
export async function readText(
  vault: Pick<Vault, "readBinary">,
  file: TFile,
  path: PosixPath,
): Promise<string> {
  const bytes = await vault.readBinary(file);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Told below, like a NUL.
  }
  throw new ToolFailure(`${path} is not text; only UTF-8 text can be read`);
}
