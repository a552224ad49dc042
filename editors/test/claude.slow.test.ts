import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { claude, claudeTestName, openClaudeHome } from "../../tests/src/published-claude.ts";
import { write } from "../../tests/src/reference-clients/serve-context.ts";
import { kind } from "./kind.ts";
import { EditorTerminal } from "./terminal.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The editor with a file, and the published Claude Code beside it. */
async function open(program: string) {
  const { workspace, env, model } = await openClaudeHome();
  onTestFinished(() => model[Symbol.asyncDispose]());
  const path = write(workspace, "a.txt", "one\ntwo\nthree\nfour\n");
  const editor = kind.start(workspace, { files: ["a.txt"] });
  await editor.untilListening();
  const words = [program, "--ide", "--permission-mode", "default"];
  const agent = new EditorTerminal(workspace, words, { env });
  await editor.until("agents", 1);
  /** Has the model ask for an edit of the file. */
  const ask = async (from: string, to: string) => {
    const change = { file_path: path, old_string: from, new_string: to };
    agent.type(
      model.promptFor([
        { name: "Read", input: { file_path: path } },
        { name: "Edit", input: change },
      ]),
    );
    // The prompt would treat text and a key sent at once as one paste.
    await pause(1_000);
    agent.keys("Enter");
    await editor.shows(kind.review);
  };
  return { path, editor, agent, ask };
}

test.skipIf(claude === undefined)(
  claudeTestName("a whole session of the published Claude Code"),
  async () => {
    const { path, editor, agent, ask } = await open(claude ?? "");
    const text = () => readFileSync(path, "utf8");
    // Typing must wait for the prompt.
    await agent.shows("In a.txt");
    editor.selectTwoLines();
    await agent.shows("2 lines selected");
    editor.endSelection();
    editor.down();
    await agent.shows("In a.txt");

    await ask("one", "ONE");
    editor.accept();
    await expect.poll(text).toBe("ONE\ntwo\nthree\nfour\n");
    await expect.poll(() => editor.read("text").split("\n")[0]).toBe("ONE");
    await editor.until("windows", 1);

    await agent.shows("Done.");
    await ask("two", "TWO");
    editor.appendToProposal("five");
    editor.accept();
    await expect.poll(text).toBe("ONE\nTWO\nthree\nfour\nfive\n");
    await editor.until("windows", 1);

    await pause(3_000);
    await ask("three", "THREE");
    editor.reject();
    await editor.until("windows", 1);
    await pause(3_000);
    expect(text()).toContain("three");

    editor.sendTwoLines();
    await agent.shows("@a.txt#L2-3");
    agent.close();
    await editor.until("agents", 0);
  },
  180_000,
);
