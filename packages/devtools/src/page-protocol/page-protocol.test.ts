import { createMemoryTransportPair, Peer, RpcError, ToolFailure } from "@idewire/core/rpc";
import { expect, test } from "vitest";
import { PageClient } from "./client.ts";
import {
  deliverToPage,
  notifyPage,
  type PageHandlers,
  servePage,
  servePageCommands,
} from "./server.ts";

type Served = "live/link" | "inspect/send";

function connect(handlers: PageHandlers<Served>) {
  const [page, server] = createMemoryTransportPair();
  const served = new Peer(server);
  servePage(served, handlers);
  servePageCommands(served, async (command) => {
    return command.do === "save" ? { saved: true } : undefined;
  });
  return { client: new PageClient(new Peer(page)), served };
}

const handlers: PageHandlers<Served> = {
  "live/link": () => ({ url: "http://127.0.0.1:1/" }),
  "inspect/send": () => {
    throw new ToolFailure("A proxy cannot send frames of its own");
  },
};

test("a request gets a result, and a command its outcome", async () => {
  const { client } = connect(handlers);
  expect(await client.request("live/link", {})).toEqual({ url: "http://127.0.0.1:1/" });
  const { value } = await client.command({ do: "save", path: "a.md" });
  expect(value?.saved).toBe(true);
  expect(await client.command({ do: "open", path: "a.md" })).toEqual({});
});

test("invalid parameters reach no handler; a ToolFailure arrives with its own message", async () => {
  const { client } = connect(handlers);
  const failure = (method: string, params: Readonly<Record<string, unknown>>) =>
    client.peer.request(method, params).catch((error: unknown) => error);
  const wrong = await failure("inspect/send", { frame: 1 });
  expect(wrong).toBeInstanceOf(RpcError);
  expect(wrong).toMatchObject({ code: -32_602 });
  expect(String(wrong)).toContain("inspect/send: frame: ");
  expect(await failure("inspect/send", { frame: "{}" })).toMatchObject({
    ...{ code: 1, message: "A proxy cannot send frames of its own" },
  });
});

test("a result of the wrong shape, or of another command, is a protocol error", async () => {
  const { client, served } = connect(handlers);
  served.handle("live/link", () => "220 mail.example ESMTP");
  await expect(client.request("live/link", {})).rejects.toMatchObject({ code: "protocol" });
  served.handle("editor/close", () => ({ value: { saved: true } }));
  const closing = client.command({ do: "close", path: "a.md" });
  await expect(closing).rejects.toMatchObject({ code: "protocol" });
});

test("events arrive in order, and a delivered one has been handled", async () => {
  const { client, served } = connect(handlers);
  const seen: unknown[] = [];
  client.on("live/notice", (notice) => seen.push(notice));
  client.on("live/events", ({ events }) => seen.push(...events));
  notifyPage(served, "live/notice", { words: "one" });
  const event = { n: 1, t: 0, ev: "transcript", text: "two" } as const;
  await deliverToPage(served, "live/events", { events: [event] });
  expect(seen).toEqual([{ words: "one" }, event]);
});
