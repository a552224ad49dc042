import { realpath } from "node:fs/promises";
import { connect } from "node:net";
import { dirname } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { readServed } from "../discovery/folder-claim.ts";
import { lengthPrefixFraming } from "../stdio/length-framing.ts";
import { openStream } from "../stdio/stream-transport.ts";

/** Less than agents wait: Codex CLI gives up after 5 s. */
const ANSWER_MS = 4_000;
/** No path of any system is longer. */
const MAX_PATH = 4_096;

/**
 * The socket at which the editor of a folder, or else of the nearest folder above it, serves the agents of a
 * dialect; undefined if there is none.
 * @param directory where the processes that serve folders are recorded
 */
export async function findSocket(
  directory: string,
  folder: string,
  dialect: string,
): Promise<string | undefined> {
  if (folder.length > MAX_PATH) return undefined;
  // No editor serves a folder that does not exist.
  const real = await realpath(folder).catch(() => undefined);
  for (let at = real; at !== undefined; at = at === dirname(at) ? undefined : dirname(at)) {
    const record = await readServed(directory, at);
    if (record !== undefined) return record.endpoints[dialect]?.socketPath;
  }
  return undefined;
}

/** Sends a frame to another editor; resolves to the first frame received, or to undefined at the time-out. */
export function askAt(socketPath: string, frame: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path: socketPath });
    const transport = openStream(
      { input: socket, output: socket },
      { framing: lengthPrefixFraming },
    );
    const timer = setTimeout(() => finish(undefined), ANSWER_MS);
    const finish = (answer: string | undefined) => {
      clearTimeout(timer);
      resolve(answer);
      transport.close();
    };
    transport.onframe = finish;
    transport.onclose = () => finish(undefined);
    transport.send(frame);
  });
}
