import { transportContract } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { agentHttpPair, httpPair } from "../src/http-pairs.ts";

// The contract of tests/contract/transports.test.ts between an agent over HTTP and its editor. It has a separate file
// because it is slow: each frame of an agent, and each cut, costs a request.

const runner = { test, expect };

// An editor's messages share one stream, an agent's are separate requests; only the agent ends the session.
const http = {
  loneSurrogates: "kept",
  canPause: false,
  closeReasons: "lost",
  showsPressure: false,
} as const;

transportContract(runner, {
  ...{ ...http, name: "HTTP", closedBy: "neither", overtaking: ["right"] },
  makePair: () => httpPair(),
});

transportContract(runner, {
  ...{ ...http, name: "HTTP, its stream cut at every frame", mostWaiting: 256 },
  ...{ closedBy: "neither", overtaking: ["right"] },
  makePair: () => httpPair({ isCut: true }),
});

transportContract(runner, {
  ...{ ...http, name: "HTTP, from the agent", closedBy: "left", overtaking: ["left"] },
  makePair: agentHttpPair,
});
