import { isDeepStrictEqual } from "node:util";
import { McpServer, type McpStore } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import fc from "fast-check";
import { expect } from "vitest";
import { openSession, posting, request, type Send } from "./http-client.ts";

/** A client's change of its session. */
type Change =
  | { readonly method: "resources/subscribe" | "resources/unsubscribe"; readonly uri: string }
  | { readonly method: "logging/setLevel"; readonly level: string };

interface Settings {
  readonly subscriptions: readonly string[];
  readonly logLevel: string | undefined;
}

const uris = ["test://a", "test://b", "test://c"];
const changes = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        method: fc.constant("resources/subscribe" as const),
        uri: fc.constantFrom(...uris),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        method: fc.constant("resources/unsubscribe" as const),
        uri: fc.constantFrom(...uris),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        method: fc.constant("logging/setLevel" as const),
        level: fc.constantFrom("info", "error"),
      }),
    },
  ),
  { minLength: 2, maxLength: 6 },
);

/** The settings after a change. */
function apply({ subscriptions, logLevel }: Settings, change: Change): Settings {
  if (change.method === "logging/setLevel") return { subscriptions, logLevel: change.level };
  const others = subscriptions.filter((uri) => uri !== change.uri);
  const isKept = change.method === "resources/subscribe";
  return { subscriptions: isKept ? [...others, change.uri].sort() : others, logLevel };
}

/** The expected settings of a session: each request's change takes effect when it is stored. */
class Model {
  settings: Settings = { subscriptions: [], logLevel: undefined };
  readonly #changes: readonly Change[];
  readonly #found = new Map<number, Settings>();

  constructor(made: readonly Change[]) {
    this.#changes = made;
  }

  use(index: number): void {
    this.#found.set(index, this.settings);
  }

  replace(index: number): void {
    const change = this.#changes[index];
    const found = this.#found.get(index);
    if (change === undefined || found === undefined)
      throw new Error(`There is no request ${index}`);
    // Settings that already have the requested value are not written.
    if (!isDeepStrictEqual(apply(found, change), found))
      this.settings = apply(this.settings, change);
  }
}

/** A store whose reads and writes of sessions are ordered by fast-check. */
function schedule(store: McpStore, scheduler: fc.Scheduler, model: Model): McpStore {
  const { sessions } = store;
  return {
    ...store,
    sessions: {
      begin: (...all) => sessions.begin(...all),
      get: (...all) => scheduler.scheduleFunction(() => sessions.get(...all))(),
      delete: (...all) => sessions.delete(...all),
      release: (...all) => sessions.release(...all),
      use(id, use) {
        const [call] = use.calls ?? [];
        if (typeof call !== "number") return sessions.use(id, use);
        return scheduler.scheduleFunction(async () => {
          const used = await sessions.use(id, use);
          model.use(call);
          return used;
        })();
      },
      replace(id, change) {
        const [call] = change.calls ?? [];
        if (typeof call !== "number") return sessions.replace(id, change);
        return scheduler.scheduleFunction(async () => {
          const isDone = await sessions.replace(id, change);
          if (isDone) model.replace(call);
          return isDone;
        })();
      },
    },
  };
}

function openInstance(store: McpStore) {
  const server = new McpServer({ name: "s", version: "1", store });
  for (const uri of uris) server.resource(uri, { name: uri }, () => "");
  const handler = createMcpHandler(server, { access: "anyone" });
  const send: Send = (init) => handler.fetch(new Request("http://127.0.0.1:3000/mcp", init));
  return { send, close: () => handler.close() };
}

/** Checks that overlapping requests of a session at two instances do not lose each other's changes. */
export async function checkMerging(store: McpStore, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(fc.scheduler(), changes, async (scheduler, made) => {
    const model = new Model(made);
    const shared = schedule(store, scheduler, model);
    const instances = [openInstance(shared), openInstance(shared)];
    const [first] = instances;
    if (first === undefined) throw new Error("There is no instance");
    const session = await openSession(first.send);
    const answers = made.map(({ method, ...params }, index) => {
      const { send } = instances[index % 2] ?? first;
      return send(posting(request(index, method, params), session));
    });
    const statuses = (await scheduler.waitFor(Promise.all(answers))).map(({ status }) => status);
    expect(statuses).toEqual(made.map(() => 200));
    const stored = await store.sessions.get(session["mcp-session-id"] ?? "");
    const { subscriptions = [], logLevel } = stored?.state?.settings ?? {};
    expect({ subscriptions: [...subscriptions].sort(), logLevel }).toEqual(model.settings);
    for (const { close } of instances) close();
  });
  await fc.assert(property, { numRuns });
}
