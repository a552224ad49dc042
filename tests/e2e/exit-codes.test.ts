import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listenMcp } from "@idewire/node-server";
import { expect, onTestFinished, test } from "vitest";
import { exitsOf, pathOf } from "../../packages/cli/src/help/manual.ts";
import { createProgram } from "../../packages/cli/src/main.ts";
import { processIo } from "../../packages/cli/src/process/io.ts";
import { createEverything } from "../conformance/src/create-everything.ts";
import { AgentContext } from "../src/agent-context.ts";
import type { CliRun } from "../src/in-process-cli.ts";
import { type JobShell, openJobShell } from "../src/job-shell.ts";
import { builtBin } from "../src/line-program.ts";
import { offerTools } from "../src/offer-tools.ts";
import { recordTwoAgents } from "../src/recorded-agents.ts";
import { joinAs, propose } from "../src/terminal-context.ts";

type Signal = "SIGHUP" | "SIGINT" | "SIGTERM";

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "host/hello",
  params: { protocol: 1, name: "sh", state: { folders: [{ path: "/" }] } },
};

/** Starts a command, and sends the signal once it runs. */
async function endBySignal(run: CliRun, isAtWork: () => boolean, signal: Signal): Promise<number> {
  await expect.poll(isAtWork).toBe(true);
  run.signal(signal);
  return run.exited;
}

const startServe = (context: AgentContext) => context.start("serve", "--script");
const shows = (run: CliRun, text: string) => () => run.output.includes(text);

function startHost(context: AgentContext): CliRun {
  const run = context.start("host", "--stdio");
  const folders = [{ path: context.folder }];
  run.type({ ...HELLO, params: { ...HELLO.params, state: { folders } } });
  return run;
}

/** Starts a call that waits for the person. */
async function startCall(context: AgentContext) {
  const { host } = await context.serve();
  const args = { old_file_path: join(context.folder, "a"), new_file_contents: "", tab_name: "t" };
  const run = context.start("call", "openDiff", JSON.stringify(args));
  return { run, isAtWork: () => host.shownDiffs.length > 0 };
}

const signals: readonly (readonly [number, Signal])[] = [
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [143, "SIGTERM"],
];

type Producer = (context: AgentContext) => Promise<number>;
/** A trace with one answered request. */
const ANSWERED = [
  { idewire: "trace/1" },
  ...[
    { dir: "agent>ide", raw: '{"jsonrpc":"2.0","id":7,"method":"tools/list"}' },
    { dir: "ide>agent", raw: '{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"echo"}]}}' },
  ].map((frame, at) => ({ n: at + 1, t: at, ev: "frame", ch: "c1", ...frame })),
]
  .map((each) => `${JSON.stringify(each)}\n`)
  .join("");

const codeOf =
  (...args: readonly string[]): Producer =>
  async (context) =>
    (await context.run(...args)).code;

/** The exit code of a comparison of two traces with one frame each. */
function codeOfTraces(...frames: readonly string[]): Producer {
  return async (context) => {
    const files = frames.map((raw, at) => {
      const frame = { n: 1, t: 0, ev: "frame", ch: "c1", dir: "agent>ide", raw };
      const lines = [{ idewire: "trace/1" }, frame].map((line) => JSON.stringify(line));
      return context.fixture.file(`${at}.jsonl`, `${lines.join("\n")}\n`);
    });
    return (await context.run("trace", "compare", ...files)).code;
  };
}

/** The exit code of a replay of a recording after a part of it was changed. */
function codeOfReplay(recorded: string, changed: string): Producer {
  return async (context) => {
    const text = readFileSync(await recordTwoAgents(context), "utf8");
    const file = context.fixture.file("trace.jsonl", text.replaceAll(recorded, changed));
    return (await context.run("trace", "replay", file)).code;
  };
}

/** Starts a replay that waits for the person. */
async function startReplay(context: AgentContext) {
  const recorded = readFileSync(await recordTwoAgents(context), "utf8").split("\n");
  const lines = recorded.filter((text) => !text.includes("close_tab"));
  const file = context.fixture.file("open.jsonl", lines.join("\n"));
  const { host, port } = await context.serve();
  const run = context.start("trace", "replay", file, "--port", String(port), "--all");
  return { run, isAtWork: () => host.shownDiffs.length > 0 };
}

/** The exit code of a command with a running editor. */
const codeWithEditor =
  (...args: readonly string[]): Producer =>
  async (context) => {
    await context.serve();
    return (await context.run(...args)).code;
  };

/** Starts a command that shows the frames of an editor and its agents. */
async function startObserver(context: AgentContext, name: string): Promise<CliRun> {
  await context.serve();
  const run = context.start(name);
  await run.shows("on port");
  return run;
}

const observer = (name: string): Record<number, Producer> => ({
  0: async (context) => {
    const run = await startObserver(context, name);
    run.stdout.emit("error", new Error("write EPIPE"));
    return run.exited;
  },
  1: codeOf(name),
});

/** Plays a scenario of one step with an agent that lists the editor's folders, or without an agent. */
function startSimulate(
  context: AgentContext,
  expected: string,
  { withAgent = true, connectWithinMs = 20_000 } = {},
): CliRun {
  const header = { idewire: "scenario/1", name: "one step", connectWithinMs, withinMs: 300 };
  const lines = [header, { expect: expected }];
  const file = context.fixture.file(
    "day.jsonl",
    lines.map((line) => JSON.stringify(line)).join("\n"),
  );
  const agent = ["--", process.execPath, builtBin, "call", "getWorkspaceFolders"];
  return context.start("simulate", file, ...(withAgent ? agent : []));
}

/** The exit code of `run` with an agent that exits at once. */
const codeOfRun =
  (folder: string): Producer =>
  (context) => {
    writeFileSync(join(context.programs, "claude"), "#!/bin/sh\n", { mode: 0o755 });
    return codeOf("run", "claude", folder, "--no-web")(context);
  };

/** The exit code of a review in a terminal, ended by the person's input or by another program. */
const codeOfReview =
  (end: (shell: JobShell, pid: number) => void): Producer =>
  async (context) => {
    const file = context.fixture.file("plan.md", "one\n");
    const { lockFile } = await startServe(context).event("listening");
    const agent = await joinAs(String(lockFile), "claude-code");
    onTestFinished(() => agent.socket.terminate());
    propose(agent, file, "two\n").catch(() => undefined);
    const shell = openJobShell({ HOME: context.fixture.home, TERM: "xterm" }, context.folder);
    const review = `exec ${process.execPath} ${builtBin} review 1`;
    await expect.poll(async () => (await context.run("diffs")).output).toContain("plan.md");
    shell.type(`sh -c 'echo pid-$$-; ${review}'; echo code-$?`, "Enter");
    await shell.shows(/two[\s\S]*idewire>/);
    end(shell, Number(/pid-(\d+)-/.exec(shell.screen())?.[1]));
    await shell.shows(/code-\d+/);
    return Number(/code-(\d+)/.exec(shell.screen())?.[1]);
  };

/** How to produce each exit code of each command. */
const producers: Record<string, Record<number, Producer>> = {
  serve: {
    0: async (context) => {
      const run = startServe(context);
      await run.event("listening");
      run.type({ do: "stop" });
      return run.exited;
    },
    1: codeOf("serve", "missing"),
  },
  host: {
    0: async (context) => {
      const run = startHost(context);
      await run.shows("host/listening");
      run.stdin.end();
      return run.exited;
    },
    1: async (context) => {
      const run = context.start("host", "--stdio");
      run.type({ ...HELLO, params: { ...HELLO.params, state: { folders: [] } } });
      return run.exited;
    },
  },
  run: {
    0: codeOfRun("."),
    1: codeOfRun("missing"),
    127: codeOf("run", "claude"),
  },
  diffs: {
    0: async (context) => {
      await startServe(context).event("listening");
      await expect.poll(() => codeOf("diffs")(context)).toBe(0);
      return 0;
    },
    1: codeOf("diffs"),
  },
  review: {
    0: codeOfReview((shell) => shell.type("reject", "Enter")),
    1: codeOfReview((shell) => shell.type("quit", "Enter")),
  },
  list: {
    0: codeWithEditor("list"),
    1: codeOf("list"),
  },
  doctor: {
    0: codeWithEditor("doctor"),
    1: codeOf("doctor"),
  },
  call: {
    0: codeWithEditor("call", "getWorkspaceFolders"),
    1: codeOf("call", "getWorkspaceFolders"),
    3: codeWithEditor("call", "openFile", '{"filePath":1}'),
  },
  tail: observer("tail"),
  inspect: observer("inspect"),
  simulate: {
    0: (context) => startSimulate(context, "connected").exited,
    1: (context) => startSimulate(context, "refused").exited,
    3: (context) =>
      startSimulate(context, "connected", { withAgent: false, connectWithinMs: 100 }).exited,
  },
  "vault-tools": {
    0: async (context) => {
      await offerTools(context.folder, context.fixture.env);
      const run = context.start("vault-tools");
      run.stdin.end();
      return run.exited;
    },
    1: codeOf("vault-tools"),
  },
  mcp: {
    0: async (context) => {
      await offerTools(context.folder, context.fixture.env);
      return codeOf("mcp", "tools", context.folder)(context);
    },
    1: codeOf("mcp", "tools", "."),
    3: async (context) => {
      const listener = await listenMcp(await createEverything(), { access: "anyone" });
      onTestFinished(() => listener.close());
      return codeOf("mcp", "call", "test_error_handling", listener.url)(context);
    },
  },
  bridge: {
    0: (context) => {
      const run = context.start("bridge");
      run.stdin.end();
      return run.exited;
    },
    // Its port and token cannot be stored.
    1: async (context) => {
      const state = context.fixture.file("state", "");
      return (await context.runWith({ XDG_STATE_HOME: state }, "bridge", "--http")).code;
    },
  },
  check: {
    0: codeWithEditor("check"),
    1: async (context) => {
      context.fixture.lock(1, {
        workspaceFolders: [context.folder],
        pid: process.pid,
        transport: "ws",
      });
      return (await context.run("check")).code;
    },
    3: codeOf("check"),
  },
  "trace mock": {
    0: async (context) => {
      const run = context.start("trace", "mock", context.fixture.file("day.jsonl", ANSWERED));
      run.stdin.end();
      return run.exited;
    },
    1: codeOf("trace", "mock", "missing.jsonl"),
  },
  "trace scenario": {
    0: async (context) => {
      const [header, event] = [{ idewire: "trace/1" }, { n: 1, t: 0, ev: "open", ch: "c1" }];
      const trace = `${JSON.stringify(header)}\n${JSON.stringify(event)}\n`;
      const file = context.fixture.file("trace.jsonl", trace);
      return (await context.run("trace", "scenario", file, "--folder", context.folder)).code;
    },
    1: codeOf("trace", "scenario", "missing.jsonl"),
  },
  "trace summary": {
    0: async (context) => {
      const file = context.fixture.file("trace.jsonl", '{"idewire":"trace/1"}\n');
      return (await context.run("trace", "summary", file)).code;
    },
    1: codeOf("trace", "summary", "missing.jsonl"),
  },
  "trace compare": {
    0: codeOfTraces("{}", "{}"),
    1: codeOfTraces('{"method":"a"}', '{"method":"b"}'),
    2: codeOf("trace", "compare", "missing.jsonl"),
  },
  comments: {
    0: codeOf("comments", "list"),
    1: codeOf("comments", "show", "missing.js"),
  },
  "trace replay": {
    0: codeOfReplay("Fake Editor", "Fake Editor"),
    1: codeOfReplay("Fake Editor", "Another"),
    2: codeOf("trace", "replay", "missing.jsonl"),
    3: async (context) => {
      return (await context.run("trace", "replay", await recordTwoAgents(new AgentContext()))).code;
    },
  },
  editor: {
    0: codeOf("editor", "neovim"),
    1: (context) => {
      const place = ".local/share/nvim/site/pack/idewire/start/idewire";
      mkdirSync(join(context.fixture.env.HOME, place), { recursive: true });
      return codeOf("editor", "neovim", "--install")(context);
    },
  },
  completion: { 0: codeOf("completion", "bash") },
  help: { 0: codeOf("help") },
};

for (const [code, signal] of signals) {
  const add = (name: string, producer: Producer) => {
    producers[name] = { ...producers[name], [code]: producer };
  };
  add("serve", (context) => {
    const run = startServe(context);
    return endBySignal(run, shows(run, "listening"), signal);
  });
  add(
    "review",
    codeOfReview((_, pid) => process.kill(pid, signal)),
  );
  add("host", (context) => {
    const run = startHost(context);
    return endBySignal(run, shows(run, "host/listening"), signal);
  });
  add("trace replay", async (context) => {
    const { run, isAtWork } = await startReplay(context);
    return endBySignal(run, isAtWork, signal);
  });
  for (const name of ["tail", "inspect"]) {
    add(name, async (context) => {
      return endBySignal(await startObserver(context, name), () => true, signal);
    });
  }
  add("simulate", (context) => {
    const run = startSimulate(context, "connected", { withAgent: false });
    return endBySignal(run, () => run.errors !== "" || run.output !== "", signal);
  });
  add("mcp", async (context) => {
    await offerTools(context.folder, context.fixture.env);
    const run = context.start("mcp", "listen", context.folder);
    const wait = new Promise((resolve) => setTimeout(resolve, 500));
    await wait;
    return endBySignal(run, () => true, signal);
  });
  add("vault-tools", async (context) => {
    await offerTools(context.folder, context.fixture.env);
    const run = context.start("vault-tools");
    run.type({ jsonrpc: "2.0", id: 1, method: "ping" });
    return endBySignal(run, shows(run, '"id":1'), signal);
  });
  add("trace mock", (context) => {
    const run = context.start("trace", "mock", context.fixture.file("day.jsonl", ANSWERED));
    run.type({ jsonrpc: "2.0", id: 1, method: "ping" });
    return endBySignal(run, shows(run, '"id":1'), signal);
  });
  add("bridge", (context) => {
    const run = context.start("bridge");
    run.type({ jsonrpc: "2.0", id: 1, method: "ping" });
    return endBySignal(run, shows(run, '"id":1'), signal);
  });
  add("comments", (context) => {
    const run = context.start("comments", "serve");
    run.type({ jsonrpc: "2.0", id: 1, method: "ping" });
    return endBySignal(run, shows(run, '"id":1'), signal);
  });
  add("check", async (context) => {
    await context.serve();
    const run = context.start("check");
    return endBySignal(run, shows(run, "discovery file"), signal);
  });
  add("call", async (context) => {
    const { run, isAtWork } = await startCall(context);
    return endBySignal(run, isAtWork, signal);
  });
}

const places: Readonly<Record<string, readonly string[]>> = {
  open: ["plan.md"],
  select: ["plan.md:1"],
  mention: ["plan.md"],
  clear: [],
  diagnose: ["--clear"],
};

for (const [name, args] of Object.entries(places)) {
  const run = async (context: AgentContext) => {
    const command = context.start(name, ...args);
    command.stdin.end();
    return command.exited;
  };
  producers[name] = {
    0: async (context) => {
      context.fixture.file("plan.md", "# Plan\n");
      const served = startServe(context);
      await served.event("listening");
      if (name === "mention") await context.start("tail").shows("on port");
      await expect.poll(() => run(context)).toBe(0);
      return 0;
    },
    1: run,
  };
}

const program = await createProgram(processIo(), () => {});
const below = program.commands.flatMap((command) => [command, ...command.commands]);

for (const command of below) {
  const codes = exitsOf(command).map(([code]) => code);
  const above = command.parent === null ? [] : exitsOf(command.parent);
  if (codes.length === 0 || exitsOf(command) === above) continue;
  const [, ...words] = pathOf(command).split(" ");
  const name = words.join(" ");
  test(`${name} ends with each code that its help names: ${codes.join(", ")}`, async () => {
    const known: Record<number, Producer> = { ...producers[name], 2: codeOf(...words, "--bogus") };
    expect(Object.keys(known).map(Number)).toEqual(codes);
    for (const code of codes)
      expect([code, await known[code]?.(new AgentContext())]).toEqual([code, code]);
  });
}
