import { createMemoryTransportPair } from "@idewire/core/rpc";
import { transportContract } from "@idewire/core/testing";
import { createSimulatedWire } from "@idewire/devtools/internal";
import { EventLog } from "@idewire/devtools/trace";
import { contentLengthFraming, lengthPrefixFraming } from "@idewire/node-server/internal";
import { expect, test } from "vitest";
import { childPair, framedPair, streamPair } from "../src/stdio-pairs.ts";
import {
  messageChannelPair,
  serverWebSocketPair,
  webSocketPair,
  workerPair,
} from "../src/transport-pairs.ts";

const runner = { test, expect };

transportContract(runner, {
  name: "memory",
  loneSurrogates: "kept",
  canPause: true,
  makePair() {
    const [left, right] = createMemoryTransportPair();
    return { left, right, pauseRight: (paused) => right.pauseReading(paused) };
  },
});

transportContract(runner, {
  name: "simulated wire",
  loneSurrogates: "kept",
  canPause: false,
  makePair() {
    const { agent, ide } = createSimulatedWire({ ch: "c1", log: new EventLog() });
    return { left: agent, right: ide };
  },
});

transportContract(runner, {
  name: "MessageChannel",
  loneSurrogates: "kept",
  canPause: false,
  makePair: messageChannelPair,
});

transportContract(runner, {
  name: "Worker",
  loneSurrogates: "kept",
  canPause: false,
  makePair: workerPair,
});

transportContract(runner, {
  name: "WebSocket",
  loneSurrogates: "replaced",
  canPause: true,
  makePair: webSocketPair,
});

transportContract(runner, {
  name: "WebSocket of node-server",
  loneSurrogates: "replaced",
  canPause: true,
  makePair: serverWebSocketPair,
});

const stdio = {
  loneSurrogates: "replaced",
  canPause: true,
  lineBreaks: "spaces",
  closeReasons: "lost",
} as const;

transportContract(runner, { ...stdio, name: "stdio streams", makePair: streamPair });

transportContract(runner, { ...stdio, name: "stdio of a child process", makePair: childPair });

for (const [name, framing] of Object.entries({ contentLengthFraming, lengthPrefixFraming })) {
  transportContract(runner, {
    ...stdio,
    lineBreaks: "kept",
    name: `streams, ${name}`,
    makePair: () => framedPair(framing),
  });
}
