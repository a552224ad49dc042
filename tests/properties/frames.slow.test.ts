import { test } from "vitest";
import { announceSeed, SLOW_CASES } from "../src/fuzz.ts";
import { fuzzPeer } from "../src/fuzz-peer.ts";

announceSeed();

const TIMEOUT_MS = 30 * 60_000;

test(
  "a million frames get the answers that the specification requires",
  async () => {
    await fuzzPeer(false, SLOW_CASES);
  },
  TIMEOUT_MS,
);

test(
  "so do a million in a revision with batches",
  async () => {
    await fuzzPeer(true, SLOW_CASES);
  },
  TIMEOUT_MS,
);
