import { describeValue, formatRequest, isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import { textsOf } from "../../texts-of.ts";
import type { Check } from "../check.ts";
import type { CheckConnection, Received } from "../check-connection.ts";
import type { CheckContext } from "../context.ts";
import { measured } from "../sources.ts";
import { CheckSkipped, demand } from "../verdict.ts";
import { demandContent, withTool } from "./tool.ts";

const ANSWERS = ["FILE_SAVED", "TAB_CLOSED", "DIFF_REJECTED"];

/** Checks of diffs; each shows the person a diff for a moment. */
export const diffChecks: readonly Check[] = [
  {
    id: "IDE-DIFF-001",
    level: "must",
    destructive: true,
    rule: "openDiff is not answered before the person or the agent settles it.",
    source: measured("Diffs"),
    async run(context) {
      const { connection, diff } = await show(context, "blocks");
      demand(diff.answer() === undefined, `it was answered at once ${sent(diff.answer())}`);
      await closeTab(connection, diff.title);
    },
  },
  {
    id: "IDE-DIFF-002",
    level: "must",
    destructive: true,
    rule: "close_tab is answered, and settles its openDiff.",
    source: measured("Diffs"),
    note: "Otherwise Claude Code waits forever, ignores a late answer, and the server leaves an unwanted diff open.",
    async run(context) {
      const { connection, diff } = await show(context, "close-tab");
      await closeTab(connection, diff.title);
      await diff.settled();
    },
  },
  {
    id: "IDE-DIFF-003",
    level: "must",
    destructive: true,
    rule: "A closed diff is not answered as accepted: neither FILE_SAVED nor TAB_CLOSED.",
    source: measured("Diffs"),
    note: "To Claude Code, TAB_CLOSED means that the person accepts: it writes the file.",
    async run(context) {
      const { connection, diff } = await show(context, "not-accepted");
      await closeTab(connection, diff.title);
      const [first] = answersOf(await diff.settled());
      const isAccepted = first === "FILE_SAVED" || first === "TAB_CLOSED";
      demand(!isAccepted, `it was answered with ${first}`);
    },
  },
  {
    id: "IDE-DIFF-004",
    level: "must",
    destructive: true,
    rule: "Of two diffs of one file, each is settled by its own title while the other stays open.",
    source: measured("Diffs"),
    async run(context) {
      const { connection } = await withTool(context, "openDiff");
      const left = propose(connection, context, "two", 1);
      const right = propose(connection, context, "two", 2);
      await context.wait(context.times.quietMs);
      await closeTab(connection, right.title);
      await right.settled();
      await context.wait(context.times.quietMs);
      demand(left.answer() === undefined, `the other was settled too ${sent(left.answer())}`);
      await closeTab(connection, left.title);
      await left.settled();
    },
  },
  {
    id: "IDE-DIFF-005",
    level: "must",
    destructive: true,
    rule: "closeAllDiffTabs is answered, and settles all diffs of the agent.",
    source: measured("Tools"),
    note: "Claude Code calls it at the start of every prompt.",
    async run(context) {
      const { connection } = await withTool(context, "openDiff");
      const diffs = [1, 2].map((number) => propose(connection, context, "all", number));
      await context.wait(context.times.quietMs);
      const { result } = await connection.callTool("closeAllDiffTabs");
      demandContent(result);
      for (const diff of diffs) await diff.settled();
    },
  },
  {
    id: "IDE-DIFF-006",
    level: "must",
    destructive: true,
    rule: "When an agent disconnects, its diffs are closed: it can propose the same again.",
    source: measured("Reconnecting"),
    async run(context) {
      const { cut } = await show(context, "again");
      cut();
      const { connection, diff } = await show(context, "again");
      demand(diff.answer() === undefined, `it was answered at once ${sent(diff.answer())}`);
      await closeTab(connection, diff.title);
      await diff.settled();
    },
  },
  {
    id: "IDE-DIFF-007",
    level: "must",
    destructive: true,
    rule: "The editor does not write the file: that is up to the agent.",
    source: measured("Diffs"),
    async run(context) {
      const { port } = context;
      if (port.fileExists === undefined)
        throw new CheckSkipped("its files cannot be seen from here");
      const { connection, diff } = await show(context, "unwritten");
      await closeTab(connection, diff.title);
      await diff.settled();
      demand(!(await port.fileExists(diff.path)), `${diff.path} exists now: remove it`);
    },
  },
];

interface CheckDiff {
  readonly title: string;
  readonly path: string;
  answer(): Received | undefined;
  settled(): Promise<Received>;
}

/** Proposes a file with a new agent, and gives the editor time to show it. */
async function show(context: CheckContext, name: string) {
  const agent = await withTool(context, "openDiff");
  const diff = propose(agent.connection, context, name);
  await context.wait(context.times.quietMs);
  return { ...agent, diff };
}

/** Proposes a file that does not exist, in the workspace. */
function propose(
  connection: CheckConnection,
  context: CheckContext,
  name: string,
  number = 1,
): CheckDiff {
  const path = `${folderOf(context)}idewire-check-${name}.txt`;
  const title = `✻ [Claude Code] idewire-check-${name}.txt (c4ec0${number}) ⧉`;
  const id = `diff-${name}-${number}`;
  const args = {
    old_file_path: path,
    new_file_path: path,
    new_file_contents: "Shown by idewire check, which closes it at once.\n",
    tab_name: title,
  };
  connection.send(formatRequest(id, "tools/call", { name: "openDiff", arguments: args }));
  const answer = () => connection.received.find(({ message }) => message.id === id);
  return {
    title,
    path,
    answer,
    settled: () => connection.answerTo(id, "openDiff, which was closed,"),
  };
}

/** The workspace folder, with a separator at its end. */
function folderOf({ port: { discovery, platform } }: CheckContext): string {
  const content: Params = isObject(discovery?.content) ? discovery.content : {};
  const folders = content["workspaceFolders"];
  const folder: unknown = Array.isArray(folders) ? folders[0] : undefined;
  if (typeof folder !== "string") throw new CheckSkipped("the editor's folders are not known");
  return `${folder.replace(/(?<![\\/])[\\/]+$/, "")}${platform === "windows" ? "\\" : "/"}`;
}

async function closeTab(connection: CheckConnection, title: string): Promise<void> {
  const { result } = await connection.callTool("close_tab", { tab_name: title });
  demandContent(result);
}

function answersOf({ message }: Received): ReturnType<typeof textsOf> {
  return textsOf(isObject(message.result) ? message.result["content"] : undefined);
}

/** An unknown answer is not quoted, since it may be the text of a file. */
function sent(received: Received | undefined): string {
  if (received === undefined) return "";
  const [first] = answersOf(received);
  return first !== undefined && ANSWERS.includes(first)
    ? `by ${describeValue(first)}`
    : "by something else";
}
