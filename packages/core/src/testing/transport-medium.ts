import type { CloseReason, Transport } from "../rpc/transport.ts";

/** Two connected, open transports. */
export interface TransportPair {
  readonly left: Transport;
  readonly right: Transport;
  /** Stops or resumes reading at the right end; required if the medium `canPause`. */
  readonly pauseRight?: (paused: boolean) => void;
  /** Frees underlying resources; called after `close` of both ends. */
  readonly dispose?: () => void | Promise<void>;
}

/** A kind of transport. */
export interface TransportMedium {
  readonly name: string;
  readonly makePair: () => TransportPair | Promise<TransportPair>;
  /**
   * A lone surrogate has no UTF-8 form: media of bytes replace it by U+FFFD, those of strings keep
   * it.
   */
  readonly loneSurrogates: "kept" | "replaced";
  /** Whether a test can make an end stop reading. */
  readonly canPause: boolean;
  /**
   * `spaces` if line breaks end frames, so that those within a frame become spaces; `kept` by
   * default.
   */
  readonly lineBreaks?: "kept" | "spaces";
  /** `lost` for streams, where the other end sees an ordinary close; `carried` by default. */
  readonly closeReasons?: "carried" | "lost";
  /** The ends whose frames may overtake each other, as requests over HTTP do; none by default. */
  readonly overtaking?: readonly ("left" | "right")[];
  /** The ends that can close the connection: `both` by default. */
  readonly closedBy?: "both" | "left" | "neither";
  /** How many frames may wait for an end that is away, if older ones are dropped beyond that. */
  readonly mostWaiting?: number;
  /** Whether `bufferedAmount` shows what the other end has not read; true by default. */
  readonly showsPressure?: boolean;
}

/** The reason when a stream ends. */
export const PLAIN_CLOSE: CloseReason = { code: 1000, reason: "" };

/** A text as the other end receives it. */
export function carried({ lineBreaks }: TransportMedium, text: string): string {
  return lineBreaks === "spaces" ? text.replaceAll("\n", " ") : text;
}

/** Frames from an end, for a comparison with those that were sent: sorted where they may overtake each other. */
export function ordered(
  { overtaking = [] }: TransportMedium,
  from: "left" | "right",
  frames: readonly string[],
): readonly string[] {
  return overtaking.includes(from) ? [...frames].sort() : frames;
}

/** The close reasons that the end receives which did not close first. */
export function received(
  { closeReasons }: TransportMedium,
  closes: readonly CloseReason[],
): unknown {
  return closeReasons === "lost" ? closes.map(({ code }) => code) : closes;
}

/** The close reason that it should receive. */
export function sent(medium: TransportMedium, reason: CloseReason): unknown {
  return received(medium, [medium.closeReasons === "lost" ? PLAIN_CLOSE : reason]);
}
