import { test } from "vitest";
import { announceSeed, CASES } from "../src/fuzz.ts";
import { fuzzPeer } from "../src/fuzz-peer.ts";

announceSeed();

test("any frame gets the one answer that it deserves, and the connection lives", async () => {
  await fuzzPeer(false, CASES);
});

test("so it is where batches are understood", async () => {
  await fuzzPeer(true, CASES / 2);
});
