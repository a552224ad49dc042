import type { CloseReason, Transport } from "../rpc/transport.ts";

/** Two transports that are open, each the other's other end. */
export interface TransportPair {
  readonly left: Transport;
  readonly right: Transport;
  /** Stops or resumes reading at the right end; present where the medium `canPause`. */
  readonly pauseRight?: (paused: boolean) => void;
  /** Frees what is beneath; both ends have been told to close by then. */
  readonly dispose?: () => void | Promise<void>;
}

/** What differs between media. */
export interface TransportMedium {
  readonly name: string;
  readonly makePair: () => TransportPair | Promise<TransportPair>;
  /**
   * Half a surrogate pair has no UTF-8 form: a medium of bytes makes it U+FFFD, one that carries
   * strings keeps it.
   */
  readonly loneSurrogates: "kept" | "replaced";
  /** Whether an end can stop reading, so that a test can tell what happens then. */
  readonly canPause: boolean;
  /** What ends a frame may make a line break in one a space, as JSON allows; `kept` by default. */
  readonly lineBreaks?: "kept" | "spaces";
  /** Streams only end, so that the other end hears of a plain close; `carried` by default. */
  readonly closeReasons?: "carried" | "lost";
}

/** What the end of a stream says. */
export const PLAIN_CLOSE: CloseReason = { code: 1000, reason: "" };

/** A text as the other end gets it. */
export function carried({ lineBreaks }: TransportMedium, text: string): string {
  return lineBreaks === "spaces" ? text.replaceAll("\n", " ") : text;
}

/** The closes that the end hears which did not close first. */
export function received(
  { closeReasons }: TransportMedium,
  closes: readonly CloseReason[],
): unknown {
  return closeReasons === "lost" ? closes.map(({ code }) => code) : closes;
}

/** The close that it ought to hear. */
export function sent(medium: TransportMedium, reason: CloseReason): unknown {
  return received(medium, [medium.closeReasons === "lost" ? PLAIN_CLOSE : reason]);
}
