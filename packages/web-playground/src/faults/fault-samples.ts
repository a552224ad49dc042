import type { Fault, FaultKind } from "@idewire/devtools/internal";

/** A fault of a kind, with a figure that can be changed. */
export interface FaultSample {
  /** The name of the figure; undefined without a figure. */
  readonly figure?: { readonly name: string; readonly start: number };
  make(figure: number): Fault;
}

/** Each kind of fault, with a figure that has a visible effect. */
export const faultSamples: Readonly<Record<FaultKind, FaultSample>> = {
  delay: {
    figure: { name: "Milliseconds", start: 1500 },
    make: (ms) => ({ kind: "delay", ms, jitterMs: Math.round(ms / 3) }),
  },
  drop: { make: () => ({ kind: "drop" }) },
  duplicate: { make: () => ({ kind: "duplicate" }) },
  reorder: {
    figure: { name: "Frames ahead of it", start: 1 },
    make: (behind) => ({ kind: "reorder", behind }),
  },
  truncate: {
    figure: { name: "Characters kept", start: 40 },
    make: (keep) => ({ kind: "truncate", keep }),
  },
  malformed: { make: () => ({ kind: "malformed" }) },
  "wrong-id": { make: () => ({ kind: "wrong-id" }) },
  "missing-id": { make: () => ({ kind: "missing-id" }) },
  "missing-jsonrpc": { make: () => ({ kind: "missing-jsonrpc" }) },
  "wrong-type": { make: () => ({ kind: "wrong-type" }) },
  oversize: {
    figure: { name: "Characters", start: 100_000 },
    make: (units) => ({ kind: "oversize", units }),
  },
  silence: {
    figure: { name: "Milliseconds", start: 5000 },
    make: (ms) => ({ kind: "silence", ms }),
  },
  close: {
    figure: { name: "Close code", start: 1011 },
    make: (code) => ({ kind: "close", code }),
  },
};
