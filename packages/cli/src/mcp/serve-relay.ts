import { LOW_WATER_BYTES } from "@idewire/core/internal/base";
import type { Transport } from "@idewire/core/rpc";
import { openStdio } from "../output/print.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import type { Stop } from "../process/stop.ts";
import { type ExplainFailure, relay } from "./relay.ts";

/** The server of a relay. */
export interface RelayedServer {
  /** Returns a function that opens a transport to it, which stops reading while `isFull`. */
  readonly open: (isFull: () => boolean) => Promise<() => Transport>;
  readonly explain: ExplainFailure;
}

interface Place {
  readonly io: CliIo;
  readonly stop: Stop;
}

/**
 * Forwards frames between stdin and stdout and a server, which is read only as fast as the client reads; resolves to
 * the exit code.
 */
export async function serveRelay({ io, stop }: Place, server: RelayedServer): Promise<number> {
  const open = await server.open(() => client.bufferedAmount > LOW_WATER_BYTES);
  // Its frames are read from now on.
  const client = openStdio(io);
  const relayed = relay(client, open, server.explain);
  client.onclose = () => stop.request(ExitCode.Ok);
  const code = await stop.requested;
  await relayed.close();
  client.close();
  return code;
}
