import { expect, test } from "vitest";
import { manualClock } from "../../rpc/manual-clock.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { settled } from "../../testing/raw-end.ts";
import { WriteWatch, type WritingSession } from "./write-watch.ts";

const [A, B] = [posixPath("/project/a.md"), posixPath("/project/b.md")];
const claude = { id: "s1", pid: 7, agent: { name: "claude-code", version: "1" } };
const opencode = { id: "s3", pid: 8, agent: { name: "opencode", version: "1" } };

function open({ asksItself }: { readonly asksItself?: () => Promise<boolean> } = {}) {
  const clock = manualClock();
  const host = fakeEditorHost();
  const reported: string[] = [];
  const connected = new Set<WritingSession>([claude]);
  const watch = new WriteWatch<WritingSession>({
    ...{ host, platform: "posix", clock },
    sessions: () => connected,
    isAgent: ({ agent }) => agent?.name !== "idewire",
    emit(session, { paths, isCertain }) {
      const who = session?.id ?? "anyone";
      reported.push(`${who}${isCertain ? "" : "?"}: ${paths.join(" ")}`);
    },
    ...(asksItself && { asksItself }),
  });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      await settled();
    }
  };
  /** Another program writes the file. */
  const write = async (path = A) => {
    host.writeFile(path, `${host.textOf(path) ?? ""}+`);
    await settled();
  };
  /** The agent asks about the file, and writes it a while later. */
  const edit = async (path = A, session: WritingSession = claude, afterMs = 100) => {
    await watch.asked(session, path);
    await pass(afterMs);
    await write(path);
  };
  return { watch, host, clock, connected, reported, pass, write, edit };
}

type Open = ReturnType<typeof open>;

test.each<[law: string, reports: readonly string[], act: (one: Open) => unknown]>([
  ["a file that was announced and written is reported", [`s1: ${A}`], ({ edit }) => edit()],
  ["a file that was announced alone is not reported", [], ({ watch }) => watch.asked(claude, A)],
  [
    "a file that was written without a word is reported, and that another program may have done so",
    [`s1?: ${A}`],
    ({ write }) => write(),
  ],
  [
    "a write five seconds after its announcement is not attributed for certain",
    [`s1?: ${A}`],
    ({ edit }) => edit(A, claude, 5_000),
  ],
  [
    "a write is nobody's where no agent is connected",
    [],
    ({ connected, write }) => {
      connected.clear();
      return write();
    },
  ],
  [
    "a client that is not an agent writes nothing",
    [],
    ({ connected, write }) => {
      connected.clear();
      connected.add({ ...claude, agent: { name: "idewire", version: "1" } });
      return write();
    },
  ],
  [
    "a write is that of an agent which disconnected a moment ago",
    [`s1?: ${A}`],
    ({ watch, connected, write }) => {
      connected.clear();
      watch.ended(claude);
      return write();
    },
  ],
  [
    "among several agents no writer is named, unless it announced the write",
    [`anyone?: ${A}`, `s1: ${B}`],
    async ({ connected, write, edit }) => {
      connected.add(opencode);
      await edit(B);
      await write(A);
    },
  ],
  [
    "two connections of one process are one agent",
    [`s2?: ${A}`],
    ({ connected, write }) => {
      connected.add({ ...claude, id: "s2" });
      return write();
    },
  ],
  [
    "the editor's own save is not reported",
    [],
    async ({ host, write, connected }) => {
      connected.clear();
      await write();
      connected.add(claude);
      host.edit(A, "typed");
      await host.save(A);
    },
  ],
  [
    "a proposed write is not reported, once for each proposal, even of another connection",
    [],
    async ({ watch, edit }) => {
      for (const id of ["s1", "s2"]) watch.proposed({ ...claude, id }, A);
      await edit();
      await edit();
    },
  ],
  [
    "an accepted diff is not reported of an agent that announces nothing, nor its formatting",
    [],
    async ({ watch, write, pass }) => {
      watch.proposed(claude, A);
      watch.answered(claude, A, { kind: "accepted" });
      await pass(10_000);
      await write();
      await pass(1_000);
      await write();
    },
  ],
  [
    "an accepted diff is good for one write",
    [`s1?: ${A}`],
    async ({ watch, write, pass }) => {
      watch.proposed(claude, A);
      watch.answered(claude, A, { kind: "accepted" });
      await write();
      await pass(6_000);
      await write();
    },
  ],
  [
    "a proposal is good for one announced write",
    [`s1: ${A}`],
    async ({ watch, edit }) => {
      watch.proposed(claude, A);
      await edit();
      await edit();
    },
  ],
  [
    "a proposal of another file is good for none",
    [`s1: ${A}`],
    ({ watch, edit }) => {
      watch.proposed(claude, B);
      return edit();
    },
  ],
  ...(["rejected", "closed"] as const).map(
    (kind): [string, readonly string[], (one: Open) => unknown] => [
      `a file whose diff was ${kind} is reported`,
      [`s1?: ${A}`],
      ({ watch, write }) => {
        watch.proposed(claude, A);
        watch.answered(claude, A, { kind });
        return write();
      },
    ],
  ),
  [
    "a proposal does not outlive the prompt",
    [`s1?: ${A}`],
    ({ watch, write }) => {
      watch.proposed(claude, A);
      watch.prompted(claude);
      watch.answered(claude, A, { kind: "cancelled" });
      return write();
    },
  ],
  ["nothing is reported after the end", [], ({ watch, edit }) => edit().then(() => watch.close())],
])("%s", async (_law, reports, act) => {
  const one = open();
  await act(one);
  await one.pass(7_000);
  expect(one.reported.sort()).toEqual(reports);
});

test("nothing is reported of an agent that asks the person itself", async () => {
  const { reported, pass, edit } = open({ asksItself: async () => true });
  await edit();
  await pass(2_000);
  expect(reported).toEqual([]);
});

test.each(["prompted", "ended"] as const)(
  "the first files of a turn are reported after a second, all others when it is %s",
  async (end) => {
    const { watch, reported, pass, edit } = open();
    await edit(A);
    await edit(B);
    await pass(1_100);
    expect(reported).toEqual([`s1: ${A} ${B}`]);
    await edit(B);
    await edit(A);
    await pass(6_000);
    expect(reported).toHaveLength(1);
    watch[end](claude);
    await pass(1_000);
    expect(reported.slice(1)).toEqual([`s1: ${B} ${A}`]);
  },
);

test("an agent without turns is reported once a minute at most", async () => {
  const { reported, pass, write } = open();
  await write(A);
  await pass(1_100);
  for (let at = 0; at < 30; at += 1) await write(B).then(() => pass(1_000));
  expect(reported).toEqual([`s1?: ${A}`]);
  await pass(32_000);
  expect(reported.slice(1)).toEqual([`s1?: ${B}`]);
});

test("writes that do not cease are reported after five seconds", async () => {
  const { reported, pass, write } = open();
  for (let at = 0; at < 6; at += 1) await write().then(() => pass(900));
  expect(reported).toEqual([`s1?: ${A}`]);
});

test("no timer is left when agents disconnect because the editor ends", async () => {
  const { watch, clock, edit } = open();
  await edit();
  watch.close();
  watch.ended(claude);
  expect(clock.waiting).toBe(0);
});
