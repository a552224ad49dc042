import { expect, test } from "vitest";
import { manualClock } from "../../rpc/manual-clock.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { settled } from "../../testing/raw-end.ts";
import {
  type WriteWatchChoices,
  type WriteWatchOptions,
  type WritingSession,
  watchWrites,
} from "./write-watch.ts";

const [A, B] = [posixPath("/project/a.md"), posixPath("/project/b.md")];
const claude = { id: "s1", pid: 7, agent: { name: "claude-code", version: "1" } };

function open({
  asksItself,
  ...options
}: Partial<WriteWatchOptions<WritingSession>> & WriteWatchChoices = {}) {
  const clock = manualClock();
  const versions = new Map<string, string>();
  const host = fakeEditorHost({ fileVersion: async (path) => versions.get(path) });
  const reported: string[] = [];
  const emit = ({ id }: WritingSession, { paths }: { readonly paths: readonly string[] }) =>
    void reported.push(`${id}: ${paths.join(" ")}`);
  const watches = watchWrites({ ...(asksItself && { asksItself }) });
  const watch = watches({ host, platform: "posix", clock, emit, ...options });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      await settled();
    }
  };
  /** The agent asks about the file, and writes it a while later. */
  const write = async (path = A, session: WritingSession = claude, afterMs = 100) => {
    await watch.asked(session, path);
    await pass(afterMs);
    versions.set(path, `${versions.get(path) ?? ""}+`);
  };
  return { watch, reported, pass, write };
}

type Open = ReturnType<typeof open>;

test.each<[law: string, reports: number, act: (one: Open) => unknown]>([
  ["a file that was asked about and written is reported", 1, ({ write }) => write()],
  ["one that was asked about alone is not", 0, ({ watch }) => watch.asked(claude, A)],
  ["one that is written five seconds later is not", 0, ({ write }) => write(A, claude, 5_000)],
  [
    "what another agent writes is not",
    0,
    ({ write }) => write(A, { ...claude, agent: { name: "opencode", version: "1" } }),
  ],
  [
    "what was proposed is not, once for each proposal, be it of another connection",
    0,
    async ({ watch, write }) => {
      for (const id of ["s1", "s2"]) watch.proposed({ ...claude, id }, A);
      await write();
      await write();
    },
  ],
  [
    "a proposal is good for one write",
    1,
    async ({ watch, write }) => {
      watch.proposed(claude, A);
      await write();
      await write();
    },
  ],
  [
    "a proposal of another file is good for none",
    1,
    ({ watch, write }) => {
      watch.proposed(claude, B);
      return write();
    },
  ],
  [
    "what the person has refused is reported",
    1,
    ({ watch, write }) => {
      watch.proposed(claude, A);
      watch.refused(claude, A);
      return write();
    },
  ],
  [
    "a proposal does not outlive the prompt",
    1,
    ({ watch, write }) => {
      watch.proposed(claude, A);
      watch.prompted(claude);
      return write();
    },
  ],
  ["nothing is after the end", 0, ({ watch, write }) => write().then(() => watch.close())],
])("%s", async (_law, count, act) => {
  const one = open();
  await act(one);
  await one.pass(7_000);
  expect(one.reported).toEqual(Array(count).fill(`s1: ${A}`));
});

test("nothing is reported of an agent that asks the person itself", async () => {
  const { reported, pass, write } = open({ asksItself: async () => true });
  await write();
  await pass(2_000);
  expect(reported).toEqual([]);
});

test.each(["prompted", "ended"] as const)(
  "the first files of a turn are reported after a second, all others when it is %s",
  async (end) => {
    const { watch, reported, pass, write } = open();
    await write(A);
    await write(B);
    await pass(1_100);
    expect(reported).toEqual([`s1: ${A} ${B}`]);
    await write(B);
    await write(A);
    await pass(6_000);
    expect(reported).toHaveLength(1);
    watch[end](claude);
    await pass(1_000);
    expect(reported.slice(1)).toEqual([`s1: ${B} ${A}`]);
  },
);
