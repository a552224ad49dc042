import { existsSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import type { ServeEvent } from "../reference-clients/scripted-serve.ts";
import { write } from "../reference-clients/serve-context.ts";
import { until } from "../reference-clients/transcript.ts";
import { sleep } from "../reference-clients/wire.ts";
import { type AgentTerminal, STEP_MS } from "./agent-terminal.ts";
import type { ServedFolder } from "./served-folder.ts";

/** Enough for a message of the editor to reach an agent that does not display it. */
const ARRIVAL_MS = 1_500;

type Agents = readonly AgentTerminal[];

/** Runs an action with all agents in parallel. */
async function each(agents: Agents, act: (agent: AgentTerminal) => Promise<unknown>) {
  await Promise.all(agents.map(act));
}

/**
 * Expects that an agent has found the editor, which lists it by its name.
 * @param since the number of events before the agent was started
 */
export async function findsEditor(
  folder: ServedFolder,
  { agent }: AgentTerminal,
  since: number,
): Promise<void> {
  const { name, enables } = agent;
  const isFound = (event: ServeEvent) =>
    enables === undefined
      ? event.event === "initialized" && event["agent"] === name
      : event.event === "request" && JSON.stringify(event).includes(name);
  await folder.event(`that ${name} has come`, (event) => event.seq > since && isFound(event));
  if (enables === undefined) return;
  // Such an agent stays unconnected: `list` shows its name and the time of its last request.
  const { editors } = (await folder.json("list")) as { readonly editors: readonly object[] };
  const requested = { agent: agent.title, here: true, askedMs: expect.any(Number) };
  expect(editors).toContainEqual(expect.objectContaining(requested));
}

/** Expects the session to have the title of its first prompt, if the agent sends one. */
export async function namesSession(folder: ServedFolder, agents: Agents): Promise<void> {
  await each(
    agents.filter(({ agent }) => agent.isTitled),
    () =>
      folder.event("of a title", ({ event, tool, params }) => {
        const name = JSON.stringify(params);
        return event === "request" && tool === "update_session_name" && name.includes("step-");
      }),
  );
}

/** Expects the model to receive the active file, the selection and its end. */
export async function sendsContext(folder: ServedFolder, agents: Agents): Promise<void> {
  await sendsSelection(folder, agents);
  await folder.select(0, 0);
  await sleep(ARRIVAL_MS);
  await folder.serve.do({ do: "clearSelection" });
  await sleep(ARRIVAL_MS);
  await each(agents, (agent) => agent.receives(agent.agent.words.nothing));
}

/** Expects the model to receive the active file and the selection, as after a restart of the editor. */
export async function sendsSelection(folder: ServedFolder, agents: Agents): Promise<void> {
  const name = await folder.openNew();
  await each(agents, async (agent) => {
    const { active } = agent.agent.words;
    if (active) await agent.receives(active(name));
  });
  await folder.select(1, 2);
  await each(agents, (agent) => agent.receives(agent.agent.words.selected));
}

/** Expects the model to receive the open files. */
export async function sendsOpenFiles(folder: ServedFolder, agents: Agents): Promise<void> {
  const name = await folder.openNew();
  await each(agents, async (agent) => {
    const { opened } = agent.agent.words;
    if (opened) await agent.receives(opened(name));
  });
}

/** Expects mentions of lines and of a file in the prompt of each agent that supports them; an error names others. */
export async function takesMention(folder: ServedFolder, agents: Agents): Promise<void> {
  const name = folder.newName();
  write(folder.workspace, name, "first\nsecond\nthird\n");
  const mentionable = agents.filter(({ agent }) => agent.words.mentioned);
  await mention(folder, agents, { path: "a.md", lines: { start: 1, end: 2 } });
  await each(mentionable, async (agent) => {
    const { mentioned } = agent.agent.words;
    await agent.shows(mentioned?.prompt ?? "");
    expect(await agent.model.received(await agent.prompt())).toMatch(mentioned?.model ?? /$^/);
  });
  await mention(folder, agents, { path: name });
  await each(mentionable, async (agent) => {
    await agent.shows(`@${name}`);
    const { whole = /$^/ } = agent.agent.words.mentioned ?? {};
    expect(await agent.model.received(await agent.prompt())).toMatch(whole);
  });
}

async function mention(folder: ServedFolder, agents: Agents, what: object): Promise<void> {
  const { seq: before } = folder.serve.events.at(-1) ?? { seq: 0 };
  folder.serve.type({ do: "mention", ...what });
  const answer = await folder.event(
    "of the mention",
    (event) => event.seq > before && event["do"] === "mention",
  );
  const mentionable = agents.filter(({ agent }) => agent.words.mentioned);
  if (mentionable.length > 0) expect(answer["sessions"]).toHaveLength(mentionable.length);
  else {
    for (const { agent } of agents)
      expect(answer["message"]).toContain(`${agent.title} cannot be sent a mention`);
  }
}

type Answer = (diff: string) => void;

/** Each agent proposes a new file; resolves to the files once every diff has been answered. */
async function propose(
  folder: ServedFolder,
  agents: Agents,
  answer: (agent: AgentTerminal) => Answer,
) {
  const files = new Map<AgentTerminal, string>();
  const proposing = agents.filter(({ agent }) => agent.proposes && agent.write);
  await each(proposing, async (agent) => {
    const path = folder.pathOf(folder.newName());
    const call = agent.agent.write?.(path, "proposed\n");
    if (call === undefined) return;
    await agent.prompt([call]);
    const { diff } = await folder.event(
      `diff-opened of ${agent.agent.title}`,
      (event) => event.event === "diff-opened" && event["filePath"] === path,
    );
    expect(existsSync(path)).toBe(false);
    answer(agent)(String(diff));
    await until(
      `${agent.agent.title} to close its diff`,
      () => isClosed(folder, String(diff)),
      STEP_MS,
      () => `\n${agent.screen}\n${folder.serve.describe()}`,
    );
    files.set(agent, path);
  });
  return files;
}

function isClosed(folder: ServedFolder, diff: string): boolean {
  return folder.serve.events.some(
    (event) => event.event === "diff-closed" && event["diff"] === diff,
  );
}

async function untilWritten(
  [agent, path]: readonly [AgentTerminal, string],
  text: string,
): Promise<void> {
  const read = () => existsSync(path) && readFileSync(path, "utf8") === text;
  const words = `${path} to be ${text}, by ${agent.agent.title}`;
  const found = () => (existsSync(path) ? JSON.stringify(readFileSync(path, "utf8")) : "missing");
  await until(words, read, STEP_MS, () => `, which is ${found()}\n${agent.screen}`);
}

/** Expects the agent to write an accepted diff. */
export async function acceptsDiff(folder: ServedFolder, agents: Agents): Promise<void> {
  const accepted = { kind: "accepted", text: "proposed\n" };
  const files = await propose(folder, agents, () => (id) => {
    folder.serve.type({ do: "answerDiff", id, answer: accepted });
  });
  for (const file of files) await untilWritten(file, "proposed\n");
}

/** Expects the agent to write the text edited by the person, if it supports that, or else nothing. */
export async function takesEditedText(folder: ServedFolder, agents: Agents): Promise<void> {
  const edited = { kind: "accepted", text: "edited by the person\n" };
  const files = await propose(folder, agents, () => (id) => {
    folder.serve.type({ do: "answerDiff", id, answer: edited });
  });
  for (const file of files) {
    const [{ agent }, path] = file;
    if (agent.takesText !== false) await untilWritten(file, edited.text);
    else expect(existsSync(path)).toBe(false);
  }
}

/** Expects a rejected diff not to be written. */
export async function rejectsDiff(folder: ServedFolder, agents: Agents): Promise<void> {
  const files = await propose(folder, agents, () => (id) => {
    folder.serve.type({ do: "answerDiff", id, answer: { kind: "rejected" } });
  });
  await sleep(ARRIVAL_MS);
  for (const path of files.values()) expect(existsSync(path)).toBe(false);
}

/** Expects a diff that is answered in the agent to close in the editor, which lists it with the agent's name. */
export async function answersInAgent(folder: ServedFolder, agents: Agents): Promise<void> {
  const names: unknown[] = [];
  const files = await propose(folder, agents, (agent) => (id) => {
    const listed = folder.json("diffs").then((diffs) => {
      names.push(...(diffs as readonly { readonly agent: string }[]).map((diff) => diff.agent));
    });
    void listed.then(() => agent.confirm(() => isClosed(folder, id)));
  });
  for (const file of files) await untilWritten(file, "proposed\n");
  for (const { agent } of files.keys()) expect(names.join()).toContain(agent.title);
}

/** Expects the model to receive the diagnostics of a file that it has written, or to request them. */
export async function reportsDiagnostics(folder: ServedFolder, agents: Agents): Promise<void> {
  const accepted = { kind: "accepted", text: "proposed\n" };
  const diagnosed = agents.filter(({ agent }) => agent.diagnostics !== undefined);
  const files = await propose(folder, diagnosed, () => (id) => {
    folder.serve.type({ do: "answerDiff", id, answer: accepted });
  });
  for (const file of files) await untilWritten(file, "proposed\n");
  await sleep(2 * ARRIVAL_MS);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 8 } };
  const diagnostics = [{ message: "a misspelt word", severity: "error", range }];
  await folder.serve.do({
    do: "setDiagnostics",
    files: [...files.values()].map((path) => ({ path, diagnostics })),
  });
  await each(diagnosed, async (agent) => {
    const { diagnostics: asks } = agent.agent;
    const calls = asks === undefined || asks === "unasked" ? [] : [asks];
    const prompt = await agent.prompt(calls);
    expect(await agent.model.received(prompt, calls.length)).toContain("a misspelt word");
  });
}
