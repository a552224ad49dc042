import { expect, test } from "vitest";
import { joinInMemory } from "../../../testing/join-in-memory.ts";
import { settled } from "../../../testing/raw-end.ts";
import { Roots } from "../../client/roots.ts";
import { onRootsChanged } from "../features/on-roots-changed.ts";
import { McpServer } from "../server.ts";
import { listRoots } from "./roots.ts";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;
const info = { name: "s", version: "1" };
const work = { uri: "file:///vault", name: "work" };

test.each(revisions)(
  "in %s a server lists a client's roots and is notified of changes",
  async (revision) => {
    let list = [work];
    const roots = new Roots(() => list);
    const received: unknown[] = [];
    const changed = onRootsChanged((call) => void call.roots().then((now) => received.push(now)));
    const server = new McpServer({ ...info, features: [changed] });
    const { connection } = await joinInMemory(server, undefined, {
      protocolVersion: revision,
      features: [roots],
    });
    expect(connection.clientCapabilities).toEqual({ roots: { listChanged: true } });
    expect(await listRoots({ caller: connection })).toEqual([work]);
    list = [{ uri: "file:///other", name: "other" }];
    roots.listChanged();
    await settled();
    expect(received).toEqual([list]);
  },
);

test("one Roots serves many servers, until they disconnect", async () => {
  const roots = new Roots(async () => [work]);
  roots.listChanged();
  const received: unknown[] = [];
  const changed = onRootsChanged<string>(({ context }) => void received.push(context));
  const server = new McpServer<string>({ ...info, features: [changed] });
  const first = await joinInMemory(server, "first", { features: [roots] });
  const second = await joinInMemory(server, "second", { features: [roots] });
  expect(await listRoots({ caller: second.connection })).toEqual([work]);
  roots.listChanged();
  await settled();
  void first.client.close();
  await settled();
  roots.listChanged();
  await settled();
  expect(received).toEqual(["first", "second", "second"]);
});

test.each([[[{ uri: "https://x.test" }]], [[{}]], [[null]], ["none"], [undefined]])(
  "the roots %j are invalid",
  async (list) => {
    const roots = new Roots(() => list as never);
    const { connection } = await joinInMemory(new McpServer(info), undefined, {
      features: [roots],
    });
    await expect(listRoots({ caller: connection })).rejects.toMatchObject({ code: "protocol" });
  },
);
