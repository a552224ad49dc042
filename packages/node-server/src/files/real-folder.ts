import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { describeValue } from "@idewire/core/internal/base";
import { IdewireError } from "@idewire/core/rpc";
import { codeOf } from "../process/error-code.ts";

/**
 * The real path of a folder, native and absolute.
 * @throws IdewireError `not-a-folder`
 */
export async function realFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(resolve(folder));
    if ((await stat(real)).isDirectory()) return real;
  } catch (cause) {
    const message = `${describeValue(folder)} is not a folder that can be opened (${codeOf(cause)})`;
    throw new IdewireError("not-a-folder", message, { cause });
  }
  throw new IdewireError("not-a-folder", `${describeValue(folder)} is a file, not a folder`);
}
