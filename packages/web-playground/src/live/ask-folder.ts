import { IdewireError, RpcError } from "@idewire/core/rpc";
import type { PageClient } from "@idewire/devtools/internal";
import { NOT_CONNECTED } from "../state/server-link.ts";

/** The folder behind the page. */
export interface FolderBehind {
  /** Undefined while idewire is unreachable. */
  readonly client: () => PageClient | undefined;
  /** Settles when idewire has the newest text of a file. */
  readonly flush: (path: string) => Promise<void>;
}

/** Asks idewire. @throws Error for the person to read */
export async function askFolder<T>(
  { client }: Pick<FolderBehind, "client">,
  act: (client: PageClient) => Promise<T>,
): Promise<T> {
  const connected = client();
  if (connected === undefined) throw new Error(NOT_CONNECTED);
  try {
    return await act(connected);
  } catch (error) {
    if (error instanceof RpcError) throw new Error(error.message);
    throw error instanceof IdewireError ? new Error("idewire did not answer") : error;
  }
}
