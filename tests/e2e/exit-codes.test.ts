import { join } from "node:path";
import { expect, test } from "vitest";
import { exitStatus } from "../../packages/node-server/src/cli/exit-status.ts";
import { AgentScene } from "../src/agent-scene.ts";
import type { CliRun } from "../src/in-process-cli.ts";
import { builtBin } from "../src/line-program.ts";
import { offerTools } from "../src/offer-tools.ts";

type Signal = "SIGHUP" | "SIGINT" | "SIGTERM";

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "host/hello",
  params: { protocol: 1, name: "sh", state: { folders: [{ path: "/" }] } },
};

/** Starts a command, and sends the signal once it is at work. */
async function endBySignal(run: CliRun, isAtWork: () => boolean, signal: Signal): Promise<number> {
  await expect.poll(isAtWork).toBe(true);
  run.signal(signal);
  return run.exited;
}

const startServe = (scene: AgentScene) => scene.start("serve", "--script");
const shows = (run: CliRun, text: string) => () => run.output.includes(text);

function startHost(scene: AgentScene): CliRun {
  const run = scene.start("host", "--stdio");
  const folders = [{ path: scene.folder }];
  run.say({ ...HELLO, params: { ...HELLO.params, state: { folders } } });
  return run;
}

/** A call that waits for the person. */
async function startCall(scene: AgentScene) {
  const { host } = await scene.serve();
  const args = { old_file_path: join(scene.folder, "a"), new_file_contents: "", tab_name: "t" };
  const run = scene.start("call", "openDiff", JSON.stringify(args));
  return { run, isAtWork: () => host.shownDiffs.length > 0 };
}

const signals: readonly (readonly [number, Signal])[] = [
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [143, "SIGTERM"],
];

type Producer = (scene: AgentScene) => Promise<number>;
const codeOf =
  (...args: readonly string[]): Producer =>
  async (scene) =>
    (await scene.run(...args)).code;

/** Plays a scenario of one step, against an agent that lists the editor's folders, or against none. */
function startSimulate(
  scene: AgentScene,
  expected: string,
  { withAgent = true, connectWithinMs = 20_000 } = {},
): CliRun {
  const header = { idewire: "scenario/1", name: "one step", connectWithinMs, withinMs: 300 };
  const lines = [header, { expect: expected }];
  const file = scene.stage.file("day.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
  const agent = ["--", process.execPath, builtBin, "call", "getWorkspaceFolders"];
  return scene.start("simulate", file, ...(withAgent ? agent : []));
}

/** A way to each code of each command. */
const producers: Record<string, Record<number, Producer>> = {
  serve: {
    0: async (scene) => {
      const run = startServe(scene);
      await run.event("listening");
      run.say({ do: "stop" });
      return run.exited;
    },
    1: codeOf("serve", "missing"),
  },
  host: {
    0: async (scene) => {
      const run = startHost(scene);
      await run.shows("host/listening");
      run.stdin.end();
      return run.exited;
    },
    1: async (scene) => {
      const run = scene.start("host", "--stdio");
      run.say({ ...HELLO, params: { ...HELLO.params, state: { folders: [] } } });
      return run.exited;
    },
  },
  list: {
    0: async (scene) => {
      await scene.serve();
      return (await scene.run("list")).code;
    },
    1: codeOf("list"),
  },
  doctor: {
    0: async (scene) => {
      await scene.serve();
      return (await scene.run("doctor")).code;
    },
    1: codeOf("doctor"),
  },
  call: {
    0: async (scene) => {
      await scene.serve();
      return (await scene.run("call", "getWorkspaceFolders")).code;
    },
    1: codeOf("call", "getWorkspaceFolders"),
    3: async (scene) => {
      await scene.serve();
      return (await scene.run("call", "openFile", '{"filePath":1}')).code;
    },
  },
  tail: {
    0: async (scene) => {
      await scene.serve();
      const run = scene.start("tail");
      await run.shows("on port");
      run.stdout.emit("error", new Error("write EPIPE"));
      return run.exited;
    },
    1: codeOf("tail"),
  },
  inspect: {
    0: async (scene) => {
      await scene.serve();
      const run = scene.start("inspect");
      await run.shows("on port");
      run.stdout.emit("error", new Error("write EPIPE"));
      return run.exited;
    },
    1: codeOf("inspect"),
  },
  simulate: {
    0: (scene) => startSimulate(scene, "connected").exited,
    1: (scene) => startSimulate(scene, "refused").exited,
    3: (scene) =>
      startSimulate(scene, "connected", { withAgent: false, connectWithinMs: 100 }).exited,
  },
  mcp: {
    0: async (scene) => {
      await offerTools(scene.folder, scene.stage.env);
      const run = scene.start("mcp");
      run.stdin.end();
      return run.exited;
    },
    1: codeOf("mcp"),
  },
  check: {
    0: async (scene) => {
      await scene.serve();
      return (await scene.run("check")).code;
    },
    1: async (scene) => {
      scene.stage.lock(1, { workspaceFolders: [scene.folder], pid: process.pid, transport: "ws" });
      return (await scene.run("check")).code;
    },
    3: codeOf("check"),
  },
  completion: { 0: codeOf("completion", "bash") },
  help: { 0: codeOf("help") },
};

for (const [code, signal] of signals) {
  const add = (name: string, producer: Producer) => {
    producers[name] = { ...producers[name], [code]: producer };
  };
  add("serve", (scene) => {
    const run = startServe(scene);
    return endBySignal(run, shows(run, "listening"), signal);
  });
  add("host", (scene) => {
    const run = startHost(scene);
    return endBySignal(run, shows(run, "host/listening"), signal);
  });
  add("tail", async (scene) => {
    await scene.serve();
    const run = scene.start("tail");
    return endBySignal(run, shows(run, "on port"), signal);
  });
  add("inspect", async (scene) => {
    await scene.serve();
    const run = scene.start("inspect");
    return endBySignal(run, shows(run, "on port"), signal);
  });
  add("simulate", (scene) => {
    const run = startSimulate(scene, "connected", { withAgent: false });
    return endBySignal(run, () => run.errors !== "" || run.output !== "", signal);
  });
  add("mcp", async (scene) => {
    await offerTools(scene.folder, scene.stage.env);
    const run = scene.start("mcp");
    run.say({ jsonrpc: "2.0", id: 1, method: "ping" });
    return endBySignal(run, shows(run, '"id":1'), signal);
  });
  add("check", async (scene) => {
    await scene.serve();
    const run = scene.start("check");
    return endBySignal(run, shows(run, "discovery file"), signal);
  });
  add("call", async (scene) => {
    const { run, isAtWork } = await startCall(scene);
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
  const run = async (scene: AgentScene) => {
    const command = scene.start(name, ...args);
    command.stdin.end();
    return command.exited;
  };
  producers[name] = {
    0: async (scene) => {
      scene.stage.file("plan.md", "# Plan\n");
      const served = startServe(scene);
      await served.event("listening");
      if (name === "mention") await scene.start("tail").shows("on port");
      await expect.poll(() => run(scene)).toBe(0);
      return 0;
    },
    1: run,
  };
}

for (const [name, meanings] of Object.entries(exitStatus)) {
  const codes = meanings.map(([code]) => code);
  test(`${name} ends with each code that its help names: ${codes.join(", ")}`, async () => {
    const known: Record<number, Producer> = { ...producers[name], 2: codeOf(name, "--bogus") };
    expect(Object.keys(known).map(Number)).toEqual(codes);
    for (const code of codes)
      expect([code, await known[code]?.(new AgentScene())]).toEqual([code, code]);
  });
}
