import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { builtBin, LineProgram } from "../src/line-program.ts";
import { claude, claudeTestName, openClaudeHome } from "../src/published-claude.ts";
import { until } from "../src/reference-clients/transcript.ts";

async function open() {
  const { workspace, env: agentEnv, model } = await openClaudeHome();
  const { folder, env } = workspace;
  onTestFinished(() => model[Symbol.asyncDispose]());
  const serve = async () => {
    const args = [builtBin, "serve", ".", "--script"];
    const editor = new LineProgram(process.execPath, args, { env: { ...env }, cwd: folder });
    await editor.shows('"listening"');
    editor.type({ do: "diff", answer: "accept" });
    return editor;
  };
  /** `script` provides the terminal. */
  const start = async (editor: LineProgram, ...flags: readonly string[]) => {
    const before = initializations(editor);
    const line = [claude, ...flags, "--ide", "--permission-mode", "default"].join(" ");
    const agent = new LineProgram(
      "script",
      ["-qec", `stty cols 150 rows 50; ${line}`, "/dev/null"],
      {
        env: agentEnv,
        cwd: folder,
      },
    );
    await until("Claude Code", () => initializations(editor) > before);
    return agent;
  };
  const edit = async (agent: LineProgram, editor: LineProgram, name: string) => {
    const file = join(folder, name);
    writeFileSync(file, '{"a": 1}\n');
    const before = editor.output.split('"diff-closed"').length;
    const change = { file_path: file, old_string: "1", new_string: "1,," };
    const calls = [
      { name: "Read", input: { file_path: file } },
      { name: "Edit", input: change },
    ];
    await typeInto(agent, model.promptFor(calls));
    await until(`the diff of ${name}`, () => editor.output.split('"diff-closed"').length > before);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
  };
  return { serve, start, edit };
}

const initializations = ({ output }: LineProgram) => output.split('"initialized"').length;
const diagnosticsCalls = ({ output }: LineProgram) =>
  output.split('"tool":"getDiagnostics"').length - 1;

/** The prompt treats a line and the key after it as one paste unless they arrive separately. */
async function typeInto(agent: LineProgram, text: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  agent.write(text);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  agent.write("\r");
}

test.skipIf(claude === undefined)(
  claudeTestName(
    "after a restart of idewire Claude Code asks for no diagnostics, and --continue --ide brings them back",
  ),
  async () => {
    const { serve, start, edit } = await open();
    const first = await serve();
    const agent = await start(first);
    await edit(agent, first, "a.json");
    expect(diagnosticsCalls(first)).toBeGreaterThan(0);

    first.kill("SIGKILL");
    await first.exited;
    const second = await serve();
    await until("the agent has reconnected", () => initializations(second) > 1);
    await edit(agent, second, "b.json");
    expect(diagnosticsCalls(second)).toBe(0);
    expect(second.errors).toContain("claude --ide --permission-mode default --continue");

    agent.kill("SIGTERM");
    await agent.exited;
    const again = await start(second, "--continue");
    await edit(again, second, "c.json");
    expect(diagnosticsCalls(second)).toBeGreaterThan(0);
    again.kill("SIGTERM");
    await again.exited;
  },
  180_000,
);
