import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectIde, type IdeConnection } from "@idewire/node-server";
import type { SimulatedEnv } from "idewire/simulate";
import { ClaudeClient } from "../reference-clients/claude-client.ts";
import type { ClaudeClientOptions } from "../reference-clients/claude-options.ts";
import { TIMEOUT_MS } from "../reference-clients/transcript.ts";
import { sleep } from "../reference-clients/wire.ts";

/** The context of a played agent. */
export interface AgentPlace {
  readonly folder: string;
  readonly env: SimulatedEnv;
  /** The connections of an agent are closed when its test ends. */
  readonly onEnd: (close: () => Promise<void>) => void;
}

/** Plays an agent against a simulated editor until it is done. */
export type PlayAgent = (ide: AgentPlace) => Promise<void>;

/** An agent that meets a scenario, one that does not, and the resulting report. */
export interface AgentPair {
  readonly good: PlayAgent;
  readonly bad: PlayAgent;
  /** The text of the failing report. */
  readonly output: RegExp;
}

const THREE = "one\ntwo\nthree\n";

async function startClient(
  ide: AgentPlace,
  options: Partial<ClaudeClientOptions> = {},
): Promise<ClaudeClient> {
  const { folder, env } = ide;
  const speed = { pollMs: 20, pollForMs: TIMEOUT_MS, retryFactor: 0.02, lenient: true };
  const client = await ClaudeClient.start({ env, cwd: folder, ...speed, ...options });
  ide.onEnd(() => client.exit());
  return client;
}

async function readyClient(ide: AgentPlace): Promise<ClaudeClient> {
  const client = await startClient(ide);
  await client.untilReady();
  return client;
}

async function ourAgent(ide: AgentPlace): Promise<IdeConnection> {
  const info = { name: "our-agent", version: "1.0.0" };
  const reconnect = { maxDelayMs: 20 };
  const agent = await connectIde({ ...info, cwd: ide.folder, env: ide.env, reconnect });
  ide.onEnd(() => agent.close());
  return agent;
}

/** The model proposes another text for a file. */
function edit(name: string, text: string): PlayAgent {
  return async (ide) => {
    const client = await readyClient(ide);
    await client.edit(join(ide.folder, name), text).result;
  };
}

/** The same, once it receives notifications. */
function editLater(name: string, text: string): PlayAgent {
  return async (ide) => {
    const client = await readyClient(ide);
    await client.until("what the editor says", () => client.badge ?? client.promptInput !== "");
    await client.edit(join(ide.folder, name), text).result;
  };
}

/** It writes regardless of the person's answer. */
function disobey(name: string, text: string): PlayAgent {
  return async (ide) => {
    const agent = await ourAgent(ide);
    const filePath = join(ide.folder, name);
    await agent.openDiff({ filePath, newText: text }).catch(() => undefined);
    writeFileSync(filePath, text);
  };
}

const idle: PlayAgent = async (ide) => void (await readyClient(ide));

/** No agent connects. */
const absent: PlayAgent = async () => undefined;

/** Writes the selected text in capitals. */
const capitals: PlayAgent = async (ide) => {
  const client = await readyClient(ide);
  await client.until("the selection", () => client.badge === "⧉ 1 line selected");
  const file = join(ide.folder, "notes.md");
  const selected = /\ntwo\n?/.exec((await client.prompt()).context ?? "")?.[0].trim() ?? "";
  const text = readFileSync(file, "utf8").replace(selected, selected.toUpperCase());
  await client.edit(file, text).result;
};

const followMention: PlayAgent = async (ide) => {
  const client = await readyClient(ide);
  const mention = await client.until(
    "the mention",
    () => client.promptInput !== "" && client.promptInput,
  );
  const [, name = ""] = /@(.*)#L2/.exec(mention) ?? [];
  await client.edit(join(ide.folder, name), "peas\nrunner beans\n").result;
};

/** The person answers in the terminal. */
const answerInTerminal: PlayAgent = async (ide) => {
  const client = await readyClient(ide);
  const pending = client.edit(join(ide.folder, "notes.md"), THREE);
  await client.until("the question", () => pending.asking === "ide-and-terminal");
  pending.answerInTerminal("accept");
  await pending.result;
};

/** The real Claude Code knows only the first token; the person selects the editor again with /ide. */
const reconnectManually: PlayAgent = async (ide) => {
  const client = await readyClient(ide);
  await client.until("the end of its tries", () => client.state === "gave-up");
  const first = client.lock?.authToken;
  for (const end = performance.now() + TIMEOUT_MS; performance.now() < end; await sleep(20)) {
    const lock = (await client.listIdes()).find(({ authToken }) => authToken !== first);
    if (lock !== undefined) return client.connectTo(lock);
  }
};

const giveUp: PlayAgent = async (ide) => {
  const client = await readyClient(ide);
  await client.exit();
};

const connectElsewhere: PlayAgent = async (ide) => {
  const client = await startClient(ide, { ide: false });
  await readyClient(ide);
  const { listLocks } = await import("../reference-clients/claude-discovery.ts");
  const wrong = (await listLocks(ide.env)).find(({ ideName }) => ideName === "Wrong Editor");
  if (wrong !== undefined) await client.connectTo(wrong);
};

const pressEscape: PlayAgent = async (ide) => {
  const client = await readyClient(ide);
  const call = client.callAsModel("getDiagnostics", {});
  client.pressEscape(call);
};

const neverEscape: PlayAgent = async (ide) => {
  const client = await readyClient(ide);
  client.callAsModel("getDiagnostics", {});
};

const goOn: PlayAgent = async (ide) => {
  const client = await readyClient(ide);
  await client.callAsModel("noSuchTool", {}).reply;
  await client.callAsModel("getDiagnostics", {}).reply;
};

const giveUpAtOnce: PlayAgent = async (ide) => {
  const client = await readyClient(ide);
  await client.callAsModel("noSuchTool", {}).reply;
  await client.exit();
};

/** Writes without asking, and never requests the resulting diagnostics. */
const neverAsk: PlayAgent = disobey("sum.ts", "export const sum = two;\n");

/** For each scenario of examples/scenarios. */
export const agents: Readonly<Record<string, AgentPair>> = {
  handshake: {
    good: idle,
    bad: absent,
    output: /no agent connected within \d+ ms/,
  },
  selection: {
    good: capitals,
    bad: editLater("notes.md", "ONE\ntwo\nthree\n"),
    output: /the closest: request tools\/call openDiff\n.*at \/new_file_contents\n.*\+ ONE/s,
  },
  mention: {
    good: followMention,
    bad: editLater("notes.md", "two\n"),
    output: /at \/new_file_path\n\s+- expected ".*garden plan\.md"\n\s+\+ seen {5}".*notes\.md"/,
  },
  "diff-accepted": {
    good: edit("notes.md", THREE),
    bad: edit("notes.md", "one\ntwo\nfour\n"),
    output: /at \/new_file_contents.*- three\n\s+\+ four/s,
  },
  "diff-edited": {
    good: edit("notes.md", THREE),
    bad: disobey("notes.md", THREE),
    output: /the file is not as expected.*- and this/s,
  },
  "diff-rejected": {
    good: edit("notes.md", THREE),
    bad: disobey("notes.md", THREE),
    output: /the file is not as expected.*\+ three/s,
  },
  "diff-closed": {
    good: edit("notes.md", THREE),
    bad: disobey("notes.md", THREE),
    output: /the file is not as expected.*\+ three/s,
  },
  "answered-elsewhere": {
    good: answerInTerminal,
    bad: async (ide) =>
      void readyClient(ide).then((client) => client.edit(join(ide.folder, "notes.md"), THREE)),
    output: /✗ +4 {2}expect call close_tab .*\n +it did not arrive within/s,
  },
  diagnostics: {
    good: edit("sum.ts", "export const sum = two;\n"),
    bad: neverAsk,
    output: /✗ +6 {2}expect call getDiagnostics /,
  },
  "rotated-token": {
    good: reconnectManually,
    bad: giveUp,
    output: /✗ +5 {2}expect connected .*it did not arrive within/s,
  },
  "wrong-token": {
    good: async (ide) => void (await startClient(ide)),
    bad: absent,
    output: /no agent connected within \d+ ms/,
  },
  "two-editors": {
    good: idle,
    bad: connectElsewhere,
    output: /expected none, saw: connected \(Wrong Editor\)/,
  },
  cancellation: {
    good: pressEscape,
    bad: neverEscape,
    output: /✗ +4 {2}expect notification notifications\/cancelled/,
  },
  "unknown-tool": {
    good: goOn,
    bad: giveUpAtOnce,
    output: /✗ +3 {2}expect call getDiagnostics .*it did not arrive/s,
  },
  "failing-tool": {
    good: async (ide) => {
      const client = await readyClient(ide);
      const pending = client.edit(join(ide.folder, "notes.md"), THREE);
      await client.until("the question", () => pending.asking === "ide-and-terminal");
      pending.answerInTerminal("reject");
      await pending.result;
    },
    bad: disobey("notes.md", THREE),
    output: /the file is not as expected.*\+ three/s,
  },
};
