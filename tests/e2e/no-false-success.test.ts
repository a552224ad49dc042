import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { AgentContext } from "../src/agent-context.ts";
import { FaultyServer } from "../src/checks/faulty-server.ts";
import { quiet, sh, untilControlled } from "../src/control-context.ts";
import { examine } from "../src/doctor-report.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { openServedSession } from "../src/reference-clients/serve-context.ts";

describe("an action that reaches no agent is not reported as a success", () => {
  test("a selection or a mention of an excluded file, from a shell", async () => {
    const { workspace, client } = await openServedSession();
    await untilControlled(workspace);
    for (const name of [".env", "server.pem"]) {
      writeFileSync(join(workspace.folder, name), "KEY=secret\n");
      for (const verb of ["select", "mention"]) {
        expect(await sh(workspace, `idewire ${verb} ${name}:1`)).toEqual({
          code: 1,
          output: `idewire ${verb}: ${name} is excluded: nothing of it is shared with agents\n`,
        });
      }
    }
    writeFileSync(join(workspace.folder, "a.txt"), "one\n");
    expect(await sh(workspace, "idewire mention a.txt")).toEqual(quiet);
    await client.until("the mention", () => client.promptInput.includes("a.txt"));
    expect(client.promptInput).not.toMatch(/env|pem/);
  });

  test("a mention that a program sends", async () => {
    const fixture = openFixture();
    writeFileSync(join(fixture.workspace, "a.txt"), "one\n");
    const run = new CliRun(fixture, { args: ["serve", "--script"] });
    await run.event("listening");
    run.type({ do: "mention", path: "a.txt" });
    expect(await run.event("error")).toMatchObject({
      do: "mention",
      message: "no agent is connected, so none received it",
    });
  });
});

describe("without an editor a command names what to start", () => {
  for (const args of [["call", "getDiagnostics"], ["tail"], ["inspect"], ["check"]]) {
    test(args.join(" "), async () => {
      const context = new AgentContext();
      const { code, output, errors } = await context.run(...args);
      // A check has its own exit code for this.
      expect([code, output]).toEqual([args[0] === "check" ? 3 : 1, ""]);
      expect(errors).toContain(`idewire serve ${context.folder}, or the editor with its plugin`);
    });
  }
});

describe("the doctor", () => {
  test("distinguishes an editor that accepts TCP but not MCP from one that has ended", async () => {
    const server = await FaultyServer.open({ receive: () => {} });
    onTestFinished(() => server.close());
    const context = new AgentContext();
    context.lock(Number(/(\d+)\.lock$/.exec(server.lockFile)?.[1]), { authToken: "t".repeat(86) });
    const { fault, detail, advice } = await examine(context);
    expect(fault).toBe("handshake");
    expect(detail).toMatch(
      /^Editor, process \d+, answers TCP, not MCP, on port \d+ of 127\.0\.0\.1: /,
    );
    expect(detail).toContain("its window may be waiting for an answer");
    expect(advice).toContain("Look at the editor's window");
  });

  test.each([
    ["plan", "nothing is written, and no diff is shown, until you leave plan mode"],
    ["acceptEdits", "files are written without a review in the editor"],
    ["auto", "files are written without a review in the editor"],
    ["bypassPermissions", "files are written without a review in the editor"],
  ])("warns beforehand where settings start the agent in %s", async (mode, words) => {
    const context = new AgentContext();
    await context.serve();
    const settings = join(context.fixture.home, ".claude", "settings.json");
    writeFileSync(settings, JSON.stringify({ permissions: { defaultMode: mode } }));
    const { steps, ok } = await examine(context);
    const step = steps.find(({ id }) => id === "settings");
    expect([ok, step?.outcome]).toEqual([true, "warning"]);
    expect(step?.detail).toBe(`the permission mode is "${mode}": ${words}`);
    expect(step?.advice?.join()).toContain(settings);
  });

  test("reports that changes are approved unseen if an editor cannot show them", async () => {
    const context = new AgentContext();
    const server = await FaultyServer.open({
      emit(frame, { send }) {
        const message = JSON.parse(frame);
        const { tools } = message.result ?? {};
        if (tools) message.result.tools = tools.filter(({ name }: Tool) => name !== "openDiff");
        send(JSON.stringify(message));
      },
    });
    onTestFinished(() => server.close());
    context.lock(Number(/(\d+)\.lock$/.exec(server.lockFile)?.[1]), { authToken: "t".repeat(86) });
    const { steps, ok } = await examine(context);
    const step = steps.find(({ id }) => id === "handshake");
    expect([ok, step?.outcome]).toEqual([true, "warning"]);
    expect(step?.detail).toContain("it cannot show diffs");
    expect(step?.advice?.join(" ")).toMatch(/neither in the editor nor in the terminal.*diffTool/);
    expect(step?.advice?.join(" ")).not.toContain("in the agent's terminal only");
  });

  interface Tool {
    readonly name: string;
  }
});

describe("of two editors of nested folders", () => {
  test("the second reports at its start that agents connect to neither", async () => {
    const context = new AgentContext();
    const { port } = await context.serve(context.fixture.root);
    const run = new CliRun(context.fixture, { args: ["serve", "--script"] });
    const words = `Fake Editor on port ${port} is for ${context.fixture.root}: `;
    await expect.poll(() => run.errors).toContain(words);
    expect(run.errors).toContain("Claude Code does not connect on its own");
  });

  test("of two folders beside each other neither does", async () => {
    const context = new AgentContext();
    await context.serve(context.fixture.home);
    const run = new CliRun(context.fixture, { args: ["serve", "--script"] });
    await run.event("listening");
    run.type({ do: "clearSelection" });
    await run.event("done");
    run.type({ do: "stop" });
    await run.exited;
    expect(run.errors).toBe("");
  });
});
