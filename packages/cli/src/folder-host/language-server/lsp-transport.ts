import type { Readable } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import { CloseCode, type Transport } from "@idewire/core/rpc";
import { contentLengthFraming, openStream, type StreamEnding } from "@idewire/node-server/internal";
import type { ChildCommand } from "../command/child-command.ts";

export interface LspTransportOptions {
  /** A longer message closes. */
  readonly maxMessageBytes: number;
}

/** If a server sends more than this in a window, reading continues in the next one. */
const WINDOW_MS = 100;
const WINDOW_MESSAGES = 200;
const WINDOW_BYTES = 2 * 1024 * 1024;

/** How long a server may take to exit: stopping the command waits no longer. */
const TIMEOUT = { endMs: 300, terminateMs: 200 };

/** Speaks LSP's base protocol with a command that was started with an input, which the transport owns. */
export function createLspTransport(
  child: ChildCommand,
  { maxMessageBytes }: LspTransportOptions,
): Transport {
  const { input: toServer, output } = child;
  if (toServer === undefined) throw new Error("The command was started without an input");
  const pace = new Pace(output);
  return openStream(
    {
      input: output,
      output: toServer,
      async settle({ reason, cause }: StreamEnding) {
        pace.end();
        const hasStoppedReading = toServer.errored !== null;
        await child.end(TIMEOUT);
        if (cause === "closed") return reason;
        if (cause === "broken") return { ...reason, reason: `its output has ${reason.reason}` };
        const words = hasStoppedReading ? "it stopped reading" : (await child.ended).words;
        return { code: CloseCode.Abnormal, reason: words };
      },
    },
    {
      framing: {
        ...contentLengthFraming,
        read: (listener, maxBytes) =>
          contentLengthFraming.read(
            {
              frame(text) {
                pace.count();
                listener.frame(namedParams(text));
              },
              broken: (code, why) => listener.broken(code, why),
            },
            maxBytes,
          ),
      },
      maxFrameBytes: maxMessageBytes,
    },
  );
}

/** Pauses an output that has sent too much in a window until the next one. */
class Pace {
  readonly #output: Readable;
  #messages = 0;
  #bytes = 0;
  #window: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;

  constructor(output: Readable) {
    this.#output = output;
    output.on("data", (chunk: Buffer) => {
      this.#bytes += chunk.length;
      this.#check();
    });
  }

  /** A message was found. */
  count(): void {
    this.#messages += 1;
    this.#check();
  }

  /** Later output is read and dropped, so that the server can exit. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#window);
    this.#output.resume();
  }

  #check(): void {
    if (this.#hasEnded) return;
    this.#window ??= setTimeout(() => this.#nextWindow(), WINDOW_MS);
    if (this.#messages > WINDOW_MESSAGES || this.#bytes > WINDOW_BYTES) this.#output.pause();
  }

  #nextWindow(): void {
    this.#window = undefined;
    this.#messages = 0;
    this.#bytes = 0;
    this.#output.resume();
  }
}

/** Some servers write null or an empty list where a message has no parameters. */
function namedParams(text: string): string {
  if (text.length > 500 || !text.includes('"params"')) return text;
  return text.replace(/"params"\s*:\s*(?:null|\[\s*\])/, '"params":{}');
}
