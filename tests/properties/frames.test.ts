import { test } from "vitest";
import { announceSeed, CASES } from "../src/fuzz.ts";
import { fuzzPeer } from "../src/fuzz-peer.ts";

announceSeed();

test("any frame gets the one answer that the specification requires, and the connection stays open", async () => {
  await fuzzPeer(false, CASES);
});

test("so does any frame in a revision with batches", async () => {
  await fuzzPeer(true, CASES / 2);
});
