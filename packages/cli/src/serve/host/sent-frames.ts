import { cutText, type SentFrame } from "@idewire/core/internal";
import type { Transport } from "@idewire/core/rpc";
import { recordTransport } from "@idewire/devtools/trace";
import type { IdeListener } from "@idewire/node-server";

/** How many frames are kept, and the length to which each is cut, in UTF-16 units. */
const MAX_FRAMES = 50;
const MAX_LENGTH = 100_000;

/** A frame that was sent to an agent. */
interface Sent {
  readonly transport: Transport;
  readonly sentMs: number;
  readonly frame: string;
}

/** The last messages and answers to agents, exactly as they received them. */
export class SentFrames {
  readonly #frames: Sent[] = [];

  /** For `listenIde`: records the frames sent through a transport. */
  wrap(inner: Transport): Transport {
    const transport: Transport = recordTransport(inner, {
      ...{ ch: "", sends: "ide>agent" },
      log: {
        append: (fact) => {
          if (fact.ev !== "frame" || fact.dir !== "ide>agent") return;
          this.#frames.push({
            transport,
            sentMs: Date.now(),
            frame: cutText(fact.raw, MAX_LENGTH),
          });
          if (this.#frames.length > MAX_FRAMES) this.#frames.shift();
        },
      },
    });
    return transport;
  }

  /** Oldest first, with the session of each frame if it is known and still connected. */
  list({ sessions, joined }: Pick<IdeListener, "sessions" | "joined">): readonly SentFrame[] {
    // The connections of a process that this one has joined are not here.
    const own = joined ? [] : [...sessions];
    const byTransport = new Map(own.map(({ id, connection }) => [connection.peer.transport, id]));
    return this.#frames.map(({ transport, ...sent }) => {
      const session = byTransport.get(transport);
      return session === undefined ? sent : { session, ...sent };
    });
  }
}
