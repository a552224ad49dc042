import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { BridgeContext } from "../src/bridge-context.ts";
import { programOf } from "../src/published-agents/agent-terminal.ts";
import { responsesWire } from "../src/scripted-model/openai-wires.ts";
import { ScriptedModel } from "../src/scripted-model/scripted-model.ts";

// The real Codex, which is not a dependency: see `installed`.

const codex = programOf("codex");
const missing = "IDEWIRE_AGENTS names no folder in which it is installed";
if (codex === undefined) console.info(`not tried: Codex (${missing})`);

const root = new URL("../../", import.meta.url);
const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };

/** An editor with a selection, and Codex in its folder. */
async function open() {
  const context = new BridgeContext();
  const { folder, fixture } = context;
  const editor = await context.serve();
  editor.type({ do: "select", path: "plan.md", range });
  await editor.event("done", { do: "select" });
  // The result of an installation, for npx to find.
  const bin = join(folder, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(fileURLToPath(new URL("packages/cli/bin/idewire.js", root)), join(bin, "idewire"));
  const options = { cwd: folder, env: { PATH: process.env["PATH"], HOME: fixture.home } };
  const run = (...args: readonly string[]) => {
    const started = promisify(execFile)(codex ?? "", args, options);
    started.child.stdin?.end();
    onTestFinished(() => void started.child.kill());
    return started;
  };
  mkdirSync(join(fixture.home, ".codex"));
  return { ...context, plan: context.plan, editor, run };
}

test.skipIf(codex === undefined)(
  codex === undefined
    ? `Codex is missing: ${missing}`
    : "Codex has the editor's tools and resources by the line of the first steps, and its diff is reviewed",
  async () => {
    const { folder, plan, editor, run } = await open();
    const page = readFileSync(new URL("docs/start/README.md", root), "utf8");
    const [, line = ""] = /^codex (mcp add .*)$/m.exec(page) ?? [];
    await run(...line.replace("~/notes", folder).split(" "));
    const namespace = "mcp__editor";
    const paths = { old_file_path: plan, new_file_path: plan };
    const diff = { ...paths, new_file_contents: "proposed\n", tab_name: "t" };
    const selection = { server: "editor", uri: "idewire://editor/selection" };
    const calls = [
      // Waits for the start of the bridge, as the first turn does not.
      { name: "read_mcp_resource", input: selection },
      { namespace, name: "getCurrentSelection", input: {} },
      { namespace, name: "openDiff", input: diff },
    ];
    await using model = await new ScriptedModel(responsesWire).listen();
    const prompt = model.promptFor(calls);
    const provider = `{name="scripted",base_url="${model.origin}",wire_api="responses"}`;
    const settings = ["model=scripted", "model_provider=own", `model_providers.own=${provider}`];
    const flags = settings.flatMap((setting) => ["-c", setting]);
    const session = run("exec", "--skip-git-repo-check", ...flags, prompt);
    const { diff: id } = await editor.event("diff-opened", { proposed: "proposed\n" });
    editor.type({ do: "answerDiff", id, answer: { kind: "accepted", text: "reviewed\n" } });
    await session;
    const results = await Promise.all(calls.map((_, index) => model.received(prompt, index + 1)));
    const [read, called, reviewed] = results.map((text) => text.replaceAll("\\", ""));
    expect(read).toContain('"text":"two"');
    expect(called).toContain('"text":"two"');
    expect(reviewed).toMatch(/FILE_SAVED\s+reviewed/);
  },
);
