import { claudeCode, createIdeServer } from "@idewire/core";
import { McpClient } from "@idewire/core/client";
import { createMemoryTransportPair } from "@idewire/core/rpc";
import { fakeEditorHost } from "@idewire/core/testing";
import { parseScenario } from "@idewire/devtools/scenario";
import { EventLog, formatTrace, recordTransport } from "@idewire/devtools/trace";
import { expect, test } from "vitest";
import { savedBy } from "./actions.ts";
import { Person } from "./person.ts";
import { useSite } from "./site.ts";

const site = useSite();

/** The trace of an agent that connects, lists the tools and calls some. */
async function record(
  name: string,
  call: (agent: McpClient, host: ReturnType<typeof fakeEditorHost>) => Promise<unknown>,
): Promise<string> {
  const log = new EventLog();
  const host = fakeEditorHost();
  const [agentEnd, editorEnd] = createMemoryTransportPair();
  createIdeServer({ host, dialect: claudeCode }).open(
    recordTransport(editorEnd, { log, ch: "c1", sends: "ide>agent" }),
  );
  const agent = await McpClient.connect(agentEnd, { name, version: "1.0.0", era: "legacy" });
  await agent.listTools();
  await call(agent, host);
  return formatTrace({ header: { ide: "an editor" }, events: log.events });
}

const proposal = {
  ...{
    old_file_path: "/home/me/notes.md",
    new_file_path: "/home/me/notes.md",
    tab_name: "notes.md",
  },
  new_file_contents: "one\ntwo\n",
};

test("why a diff was refused is found in five actions", async () => {
  const { new_file_contents: _, ...incomplete } = proposal;
  const trace = await record("agent", async (agent) => {
    await agent.callTool("getDiagnostics", {});
    await agent.callTool("openDiff", incomplete).catch(() => undefined);
  });
  const person = new Person(await site.page());
  await person.opens("day.jsonl", trace);
  await person.types("filter", "tool:openDiff");
  await person.choosesRow(/openDiff.*(error|failed|refused)|(error|isError).*openDiff/i);
  await person.page.getByTestId("frame-view").getByText("new_file_contents").first().waitFor();
  expect(person.actions).toBeLessThan(6);
});

test("the handshakes of two agents are compared in six actions", async () => {
  const [one, two] = await Promise.all([
    record("claude-code", async () => undefined),
    record("opencode", (agent) => agent.callTool("getDiagnostics", {})),
  ]);
  const person = new Person(await site.page());
  await person.opens("claude.jsonl", one);
  await person.runs("compare sessions");
  await person.givesFile("compare-file", "opencode.jsonl", two);
  const comparison = person.page.getByTestId("comparison");
  await comparison.getByText("The handshake has 1 difference.").waitFor();
  const row = comparison.getByRole("row", { name: "agent/clientInfo/name" });
  await row.waitFor();
  expect(await row.textContent()).toMatch(/"claude-code""opencode"/);
  await comparison.getByText("only B").waitFor();
  expect(person.actions).toBeLessThan(7);
});

test("yesterday's trace becomes a scenario for a build in six actions", async () => {
  const trace = await record("agent", async (agent, host) => {
    const answered = agent.callTool("openDiff", proposal);
    await expect.poll(() => host.shownDiffs.length).toBe(1);
    host.answerDiff(host.shownDiffs[0]?.id ?? ("" as never), { kind: "rejected" });
    await answered;
    await agent.callTool("getCurrentSelection", {});
  });
  const person = new Person(await site.page());
  await person.opens("yesterday.jsonl", trace);
  await person.runs("save as a scenario");
  const omissions = person.page.getByTestId("omissions");
  await omissions.getByText("the answer of getCurrentSelection").waitFor();
  const text = await savedBy(person.page, () => person.clicksOn("save-scenario"));
  const scenario = parseScenario(text);
  expect(scenario).toMatchObject({ ok: true });
  const steps = scenario.ok ? scenario.value.steps.map(({ step }) => step) : [];
  expect(steps).toContainEqual(expect.objectContaining({ do: "diff", answer: "reject" }));
  expect(person.actions).toBeLessThan(7);
});
