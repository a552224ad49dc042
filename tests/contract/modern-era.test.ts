import { elicitation, McpClient, tasks } from "@idewire/core/client";
import type { TransportPair } from "@idewire/core/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createChaosServer, WATCHED } from "../src/chaos/chaos-server.ts";
import { streamPair } from "../src/stdio-pairs.ts";
import { messageChannelPair, serverWebSocketPair, webSocketPair } from "../src/transport-pairs.ts";

// MCP 2026-07-28, Basic / Transports: its stdio framing works on any socket, such as a WebSocket.

const media: readonly (readonly [string, () => TransportPair | Promise<TransportPair>])[] = [
  ["a WebSocket", webSocketPair],
  ["a WebSocket of node-server", serverWebSocketPair],
  ["a MessageChannel", messageChannelPair],
  ["streams", streamPair],
];

describe.each(media)("the modern era over %s", (_, makePair) => {
  async function open() {
    const ran = vi.fn();
    const server = createChaosServer(ran);
    const ends: TransportPair[] = [];
    const join = async () => {
      const pair = await makePair();
      ends.push(pair);
      onTestFinished(() => pair.dispose?.());
      server.connect(pair.right, { context: undefined });
      return pair.left;
    };
    const client = await McpClient.connect(join, {
      name: "t",
      version: "1",
      features: [
        elicitation({ form: () => ({ action: "accept", content: { name: "Ann" } }) }),
        tasks(),
      ],
    });
    onTestFinished(() => client.close());
    return { client, ran, server, ends };
  }

  test("is found by probing, and carries calls, questions, tasks and progress", async () => {
    const { client, ran } = await open();
    expect(client.server.protocolVersion).toBe("2026-07-28");
    const onProgress = vi.fn();
    const text = (words: string) => ({ content: [{ type: "text", text: words }] });
    expect(await client.callTool("call", { key: "a" }, { onProgress })).toMatchObject(text("a"));
    expect(onProgress).toHaveBeenCalledTimes(1);
    const answered = await client.callTool("question", { key: "b" });
    expect(JSON.stringify(answered)).toContain("Ann");
    expect(await client.callTool("task", { key: "c" })).toMatchObject(text("c"));
    expect(ran.mock.calls).toEqual([["a"], ["b"], ["c"]]);
  });

  test("notifies of changed lists and resources, until the last listener stops", async () => {
    const { client, server } = await open();
    const tools = vi.fn();
    const stop = client.onListChanged("tools", tools);
    const updated = vi.fn();
    const end = await client.subscribeResource(WATCHED, updated);
    server.emit("notifications/tools/list_changed");
    server.resourceUpdated(WATCHED);
    const counts = () => [tools.mock.calls.length, updated.mock.calls.length];
    await expect.poll(counts).toEqual([1, 1]);
    stop();
    end();
    const hasListeners = () =>
      server.hasListeners("notifications/resources/updated", { uri: WATCHED });
    await expect.poll(hasListeners).toBe(false);
  });

  test("cancels a call, and reports calls in progress as lost when the socket broke", async () => {
    const { client, ran, ends } = await open();
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = () => controller.abort();
    const cancelled = client.callTool("call", { key: "a", wait: true }, { signal, onProgress });
    await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
    const breaks = () => ends.at(-1)?.right.close(1011, "broken");
    const lost = client.callTool("call", { key: "b", wait: true }, { onProgress: breaks });
    await expect(lost).rejects.toMatchObject({ code: "lost" });
    expect(await client.callTool("call", { key: "c" })).toMatchObject({ content: [{ text: "c" }] });
    expect(ran.mock.calls).toEqual([["a"], ["b"], ["c"]]);
  });
});
