import { claudeCode, createIdeServer } from "@idewire/core";
import { McpClient } from "@idewire/core/client";
import { createMemoryTransportPair } from "@idewire/core/rpc";
import { fakeEditorHost } from "@idewire/core/testing";
import { afterAll, describe, expect, test } from "vitest";
import { type HostileEnd, hostileEnds, type MediumName } from "../src/hostile/hostile-ends.ts";
import {
  type Answer,
  type Closing,
  type HostileRow,
  hostileRows,
  type Outcome,
} from "../src/hostile/hostile-rows.ts";
import { isObject, parseJson, type WireMessage } from "../src/reference-clients/wire.ts";

/** A server with a hostile client, and a well-behaved one that must be served all the time. */
async function openFixture(medium: MediumName) {
  const host = fakeEditorHost();
  const bugs: unknown[] = [];
  const ide = createIdeServer({
    host,
    dialect: claudeCode,
    peer: { onerror: (e) => bugs.push(e) },
  });
  const end = await hostileEnds[medium]();
  const session = ide.open(end.server);
  const [near, far] = createMemoryTransportPair();
  ide.open(far);
  const otherClient = await McpClient.connect(near, {
    name: "otherClient",
    version: "1",
    era: "legacy",
  });
  const close = async () => {
    ide.close();
    end.cut();
    await end.dispose?.();
  };
  return { host, end, session, otherClient, bugs, close };
}

type Fixture = Awaited<ReturnType<typeof openFixture>>;

function answersIn(frames: readonly string[]): WireMessage[] {
  const messages = frames.map((frame) => parseJson(frame)?.value).filter(isObject);
  return messages.filter(({ method }) => method === undefined);
}

let pings = 0;

async function ask(end: HostileEnd, id: string, method: string, params: object): Promise<void> {
  end.type(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  await expect.poll(() => answersIn(end.received).some((message) => message.id === id)).toBe(true);
}

async function handshake({ end }: Fixture, protocolVersion: string): Promise<void> {
  const clientInfo = { name: "hostile", version: "1" };
  await ask(end, "hello", "initialize", { protocolVersion, capabilities: {}, clientInfo });
  end.type('{"jsonrpc":"2.0","method":"notifications/initialized"}');
}

/** Requests long answers without reading, and disconnects when too much is buffered. */
async function askWithoutReading({ end, session }: Fixture): Promise<void> {
  let isSentAway = false;
  void session.closed.then(() => {
    isSentAway = true;
  });
  end.stopReading?.();
  const request = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  for (let round = 0; round < 20; round += 1) {
    for (let count = 0; count < 500; count += 1) end.type(request);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(() => isSentAway || end.server.bufferedAmount > 1 << 24).toBe(true);
  end.cut();
}

async function act(fixture: Fixture, { sends, does }: HostileRow): Promise<void> {
  const { end, host } = fixture;
  for (const frame of sends?.() ?? []) {
    if (typeof frame === "string") end.type(frame);
    else end.typeBytes?.(frame);
  }
  if (does === "breaks off within a frame") {
    await end.typeHalf?.();
    end.cut();
  } else if (does === "never reads") {
    await askWithoutReading(fixture);
  } else if (does === "disconnects with a diff open") {
    const args = { old_file_path: "/a", new_file_path: "/a", new_file_contents: "", tab_name: "t" };
    const params = { name: "openDiff", arguments: args };
    end.type(JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params }));
    await expect.poll(() => host.calls.some(({ member }) => member === "openDiff")).toBe(true);
    end.cut();
  }
}

async function expectAnswers(
  { end }: Fixture,
  act: () => Promise<void>,
  answers: readonly Answer[],
) {
  const before = end.received.length;
  await act();
  pings += 1;
  const alive = `ping ${pings}`;
  await ask(end, alive, "ping", {});
  const seen = () => answersIn(end.received.slice(before)).filter(({ id }) => id !== alive);
  await expect.poll(seen).toMatchObject(answers);
  for (const { error } of seen()) {
    if (isObject(error)) expect(String(error["message"]).length).toBeLessThan(200);
  }
}

async function expectServed({ otherClient, bugs }: Fixture): Promise<void> {
  await otherClient.ping();
  expect((await otherClient.listTools()).length).toBeGreaterThan(4);
  expect({}).not.toHaveProperty("polluted");
  expect(bugs).toEqual([]);
}

async function expectSentAway(
  { session, host }: Fixture,
  { code, reason }: Closing,
): Promise<void> {
  const seen = await session.closed;
  expect(seen).toEqual({ code, reason: expect.stringMatching(reason) });
  expect(host.calls.filter(({ member }) => member === "openDiff").length).toBeLessThan(300);
  expect(host.shownDiffs).toEqual([]);
}

describe.each(Object.keys(hostileEnds) as MediumName[])(
  "over %s a client that sends or does",
  (medium) => {
    const open: Fixture[] = [];
    const openReady = async (revision = "2025-11-25") => {
      const fixture = await openFixture(medium);
      open.push(fixture);
      if (revision !== "early") await handshake(fixture, revision);
      return fixture;
    };
    /** Answered rows must not harm the connection, so they share one. */
    let shared: Promise<Fixture> | undefined;
    afterAll(() => Promise.all(open.map((fixture) => fixture.close())));

    for (const row of hostileRows.filter(({ untestable }) => untestable?.[medium] === undefined)) {
      const { answers, closes }: Outcome = row.exceptions?.[medium] ?? row;
      if (answers !== undefined) {
        test(`${row.title} is answered, and goes on`, async () => {
          shared ??= openReady();
          const fixture = row.fixture === undefined ? await shared : await openReady(row.fixture);
          await expectAnswers(fixture, () => act(fixture, row), answers);
          await expectServed(fixture);
        });
      } else if (closes !== undefined) {
        test(`${row.title} is disconnected`, async () => {
          const fixture = await openReady(row.fixture);
          await act(fixture, row);
          await expectSentAway(fixture, closes);
          await expectServed(fixture);
        });
      }
    }
  },
);

test("each row runs over every transport, or states why it does not", () => {
  for (const { title, answers, closes, untestable = {}, exceptions = {} } of hostileRows) {
    expect([title, (answers === undefined) !== (closes === undefined)]).toEqual([title, true]);
    const excuses = [
      ...Object.values(untestable),
      ...Object.values(exceptions).map(({ why }) => why),
    ];
    for (const excuse of excuses) expect(excuse.length).toBeGreaterThan(30);
    expect(Object.keys(untestable).length).toBeLessThan(Object.keys(hostileEnds).length / 2);
  }
});
