import type { StoredSession } from "../mcp/server/session-store.ts";
import type { McpStore } from "../mcp/server/store.ts";
import { hardIds, LONG_MS, SHORT_MS, type StoreContract } from "./store-under-test.ts";

const ann: StoredSession = { principal: "ann" };
const kept = { ttlMs: LONG_MS };

function begin({ sessions }: McpStore, id: string, maxSessions = 100, busyMs = 0) {
  return sessions.begin(id, ann, { ...kept, maxSessions, busyMs });
}

/** The laws of sessions. */
export function sessionLaws(contract: StoreContract): void {
  lifeLaws(contract);
  countLaws(contract);
  callLaws(contract);
}

function lifeLaws({ law, expect }: StoreContract): void {
  law("a session is there for all, for its time, which each use renews", async (store) => {
    const { sessions } = store.one;
    expect(await store.two.sessions.use("a", kept)).toBe(undefined);
    const short = { ttlMs: SHORT_MS, maxSessions: 100 };
    for (const id of ["a", "b", "c"]) expect(await sessions.begin(id, ann, short)).toEqual([]);
    expect(await store.two.sessions.use("a", kept)).toEqual({ session: ann, twice: undefined });
    expect(await store.two.sessions.get("b")).toEqual(ann);
    const before = ann;
    const session = { principal: "ann", listens: true };
    expect(await sessions.replace("c", { before, session, ...kept })).toBe(true);
    await store.pass(SHORT_MS + 50);
    const left = await Promise.all(["a", "b", "c"].map((id) => store.two.sessions.get(id)));
    expect(left).toEqual([ann, undefined, session]);
    expect(await store.two.sessions.use("b", kept)).toBe(undefined);
  });

  law("a session changes by nothing but a change, whatever its id is", async ({ one, two }) => {
    for (const id of hardIds) {
      await begin(one, id);
      const used = await two.sessions.use(id, kept);
      (used?.session as { principal: string }).principal = "bob";
      expect(await one.sessions.get(id)).toEqual(ann);
      expect([await two.sessions.delete(id), await one.sessions.delete(id)]).toEqual([true, false]);
      expect(await one.sessions.get(id)).toBe(undefined);
    }
  });

  law(
    "to another principal a session is unknown, and nothing of it changes",
    async ({ one, two }) => {
      await one.leases.renew("h", LONG_MS);
      await begin(one, "a");
      const { sessions } = two;
      await one.sessions.begin("b", {}, { ...kept, maxSessions: 100 });
      const foreign = { ...kept, calls: [1], holder: "h" };
      for (const principal of ["bob", "", "*"]) {
        for (const id of ["a", "b"]) {
          expect(await sessions.use(id, { ...foreign, principal })).toBe(undefined);
        }
      }
      for (const principal of ["ann", undefined]) {
        const own = principal === undefined ? {} : { principal };
        expect((await sessions.use("a", { ...foreign, ...own }))?.twice).toBe(undefined);
        await sessions.release("a", [1]);
      }
    },
  );

  law("of many that change a session at once, one does", async ({ one, two }) => {
    await begin(one, "a");
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : two).sessions.replace("a", {
          ...{ before: ann, session: { principal: `${index}` } },
          ...kept,
        }),
      ),
    );
    const winners = outcomes.flatMap((isDone, index) => (isDone ? [`${index}`] : []));
    expect(winners.length).toBe(1);
    expect((await one.sessions.get("a"))?.principal).toBe(winners[0]);
    expect(await one.sessions.replace("b", { before: ann, session: ann, ...kept })).toBe(false);
    expect(await one.sessions.get("b")).toBe(undefined);
  });
}

function countLaws({ law, expect }: StoreContract): void {
  law(
    "one session too many ends the one that was unused for longest",
    async ({ one, two, pass }) => {
      for (const id of ["a", "b", "c"]) {
        expect(await begin(id === "b" ? two : one, id, 3)).toEqual([]);
        await pass(5);
      }
      await two.sessions.use("a", kept);
      await pass(5);
      expect(await begin(two, "d", 3)).toEqual(["b"]);
      const left = await Promise.all(["a", "b", "c", "d"].map((id) => one.sessions.get(id)));
      expect(left).toEqual([ann, undefined, ann, ann]);
      expect(await begin(one, "e", 2)).toEqual(["c", "a"]);
      expect(await one.sessions.use("c", kept)).toBe(undefined);
    },
  );

  law(
    "a session in use is ended by no other, and one that has ended counts no more",
    async (store) => {
      const { one, two, pass } = store;
      expect(await begin(one, "a", 2, SHORT_MS)).toEqual([]);
      expect(await begin(one, "b", 2)).toEqual([]);
      await two.sessions.use("b", { ...kept, busyMs: LONG_MS });
      // Later calls do not shorten that.
      await one.sessions.use("b", kept);
      expect(await begin(two, "c", 2)).toBe(undefined);
      expect(await two.sessions.get("c")).toBe(undefined);
      await pass(SHORT_MS + 50);
      expect(await begin(two, "c", 2, LONG_MS)).toEqual(["a"]);
      expect(await begin(one, "d", 2)).toBe(undefined);
      await one.sessions.delete("c");
      expect(await begin(one, "d", 2)).toEqual([]);
    },
  );

  law(
    "a principal that wants more than its share ends its own sessions, and nobody else's",
    async ({ one, two }) => {
      const beginAs = (principal: string, id: string, busyMs = 0) =>
        two.sessions.begin(id, { principal }, { ...kept, maxSessions: 4, busyMs });
      expect(await begin(one, "ann", 4)).toEqual([]);
      for (const id of ["m1", "m2", "m3"]) expect(await beginAs("mallory", id)).toEqual([]);
      expect(await beginAs("mallory", "m4")).toEqual(["m1"]);
      expect(await beginAs("bob", "bob")).toEqual(["m2"]);
      expect(await beginAs("mallory", "m5", LONG_MS)).toEqual(["m3"]);
      expect(await beginAs("mallory", "m6", LONG_MS)).toEqual(["m4"]);
      expect(await beginAs("mallory", "m7")).toBe(undefined);
      // Sessions in use, too, are replaced by those of a principal that has less.
      expect(await beginAs("cid", "cid")).toEqual(["m5"]);
      const there = ["ann", "bob", "cid", "m6"].map((id) => one.sessions.get(id));
      expect((await Promise.all(there)).map((each) => each?.principal)).toEqual([
        "ann",
        "bob",
        "cid",
        "mallory",
      ]);
    },
  );

  law(
    "a session whose time is over makes room, and was ended by nobody",
    async ({ one, two, pass }) => {
      const short = { ttlMs: SHORT_MS, maxSessions: 2 };
      for (const id of ["a", "b"]) await one.sessions.begin(id, ann, short);
      await pass(SHORT_MS + 50);
      for (const id of ["c", "d"]) expect(await begin(two, id, 2)).toEqual([]);
    },
  );

  law("of sessions that begin at once, no more are kept than may be", async ({ one, two }) => {
    const ids = Array.from({ length: 40 }, (_, index) => `s${index}`);
    const begun = await Promise.all(
      ids.map((id, index) => begin(index % 2 === 0 ? one : two, id, 5, LONG_MS)),
    );
    const there = await Promise.all(ids.map((id) => one.sessions.get(id)));
    expect(begun.filter((ended) => ended !== undefined).length).toBe(5);
    expect(there.filter((session) => session !== undefined).length).toBe(5);
  });
}

function callLaws({ law, expect }: StoreContract): void {
  const call = (id: string | number, holder = "h") => ({ ...kept, calls: [id], holder });

  law("a call is in flight once, until it is released", async ({ one, two }) => {
    await one.leases.renew("h", LONG_MS);
    await begin(one, "a");
    await begin(one, "b");
    for (const id of [...hardIds, 1, "1", "x".repeat(100_000)]) {
      const use = async (store: McpStore, session = "a") =>
        (await store.sessions.use(session, call(id)))?.twice;
      expect([await use(one), await use(two), await use(one), await use(two, "b")]).toEqual([
        undefined,
        id,
        id,
        undefined,
      ]);
      await two.sessions.release("a", [id]);
      expect([await use(two), await use(one)]).toEqual([undefined, id]);
    }
    expect(await two.sessions.get("a")).toEqual(ann);
    await one.sessions.release("gone", [1]);
  });

  law("of many uses for one call, one has it", async ({ one, two }) => {
    await one.leases.renew("h", LONG_MS);
    await begin(one, "a");
    const used = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? one : two).sessions.use("a", call(7)),
      ),
    );
    expect(used.filter((each) => each?.twice === undefined).length).toBe(1);
  });

  law("calls are in flight together or not at all", async ({ one, two }) => {
    await one.leases.renew("h", LONG_MS);
    await begin(one, "a");
    await one.sessions.use("a", call(2));
    const both = await two.sessions.use("a", { ...kept, calls: [1, 2], holder: "h" });
    expect([both?.twice, (await two.sessions.use("a", call(1)))?.twice]).toEqual([2, undefined]);
  });

  law(
    "a change of the session releases calls, even one that comes too late",
    async ({ one, two }) => {
      await one.leases.renew("h", LONG_MS);
      await begin(one, "a");
      for (const before of [ann, { principal: "bob" }]) {
        await one.sessions.use("a", call(1));
        await two.sessions.replace("a", {
          before,
          session: { principal: "cid" },
          ...kept,
          calls: [1],
        });
        expect((await one.sessions.use("a", call(1)))?.twice).toBe(undefined);
        await one.sessions.release("a", [1]);
      }
    },
  );

  law("a call whose holder is gone is no longer in flight", async ({ one, two, pass }) => {
    await one.leases.renew("h", SHORT_MS);
    await two.leases.renew("other", LONG_MS);
    await begin(one, "a");
    await one.sessions.use("a", { ...kept, calls: [1, 2], holder: "h" });
    expect((await two.sessions.use("a", call(1, "other")))?.twice).toBe(1);
    await pass(SHORT_MS + 50);
    expect((await two.sessions.use("a", call(1, "other")))?.twice).toBe(undefined);
    expect((await one.sessions.use("a", call(1, "other")))?.twice).toBe(1);
  });
}
