import { once } from "node:events";
import type { WebSocket } from "ws";
import { openWebSocket } from "../channel.ts";
import { INITIALIZE, INITIALIZED, malformedFrames } from "../frames.ts";
import { loadImplementation } from "../implementation.ts";
import type { Workload } from "../subject.ts";

const ROUNDS = 5;

/**
 * A raw client sends the twelve malformed kinds in turn, then a ping, whose answer ends the run. `measure`
 * counts the answered kinds.
 */
export const malformed: Workload = async (name) => {
  const implementation = await loadImplementation(name);
  const listening = await implementation.listen({ toolCount: 2 });
  const client = new RawClient(await openWebSocket(listening));
  await client.initialize();
  const mixture = Array.from({ length: ROUNDS }, () => malformedFrames).flat();
  return {
    async run() {
      await client.answersTo(mixture);
      return mixture.length;
    },
    async measure() {
      let answered = 0;
      for (const frame of malformedFrames) {
        if ((await client.answersTo([frame])) > 0) answered += 1;
      }
      return answered;
    },
    async close() {
      client.socket.terminate();
      await listening.close();
    },
  };
};

class RawClient {
  readonly socket: WebSocket;
  #answers = 0;
  #resolve: ((answers: number) => void) | undefined;

  constructor(socket: WebSocket) {
    this.socket = socket;
  }

  async initialize(): Promise<void> {
    const answered = once(this.socket, "message");
    this.socket.send(INITIALIZE);
    await answered;
    this.socket.send(INITIALIZED);
    this.socket.on("message", (data) => this.#receive(data.toString()));
  }

  /** Sends frames and a ping; returns the number of answers before the ping's. */
  answersTo(frames: readonly string[]): Promise<number> {
    this.#answers = 0;
    for (const frame of frames) this.socket.send(frame);
    this.socket.send('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  #receive(frame: string): void {
    const { id } = JSON.parse(frame) as { id?: unknown };
    if (id === "last") this.#resolve?.(this.#answers);
    else this.#answers += 1;
  }
}
