import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { silentPort } from "../silent-port.ts";
import { verifies } from "../verifies.ts";
import type { ClaudeEnv } from "./claude-discovery.ts";
import type { ClaudeTwinOptions } from "./claude-options.ts";
import { openServer, openStage, startClaude } from "./scene.ts";
import type { Stage } from "./stage.ts";
import { PATIENCE_MS } from "./transcript.ts";

/** A pid that cannot live: above the highest that Linux hands out. */
const deadPid = 2 ** 22 + 1;

function lockFor(stage: Stage, more: object = {}): object {
  return {
    pid: process.pid,
    workspaceFolders: [stage.workspace],
    ideName: "Raw editor",
    transport: "ws",
    authToken: "secret",
    ...more,
  };
}

/** Plays a start with the given options; says whether it connected. */
async function connects(
  stage: Stage,
  options: Partial<ClaudeTwinOptions> & { readonly more?: Partial<ClaudeEnv> } = {},
): Promise<boolean> {
  const { more, ...rest } = options;
  const env = { ...stage.env, ...more };
  const twin = await startClaude(stage, { env, pollForMs: 60, ...rest });
  await twin.until(
    "an end of the search",
    () => !["searching", "connecting", "new"].includes(twin.state),
  );
  return twin.state === "ready";
}

verifies(
  ["cli:2:home-folder", "cli:2:flag-ide", "cli:2:transport-ws"],
  "a lock in the home is found",
  async () => {
    const stage = openStage();
    await openServer(stage);
    expect(await connects(stage)).toBe(true);
  },
);

verifies(
  ["cli:2:config-dir", "cli:2:both-folders"],
  "CLAUDE_CONFIG_DIR adds a folder and hides none",
  async () => {
    const stage = openStage();
    const config = join(stage.root, "config");
    const server = await openServer(stage, { lock: false });
    const more = { CLAUDE_CONFIG_DIR: config };
    stage.lockIn(join(config, "ide"), server.port, lockFor(stage));
    expect(await connects(stage)).toBe(false);
    expect(await connects(stage, { more })).toBe(true);
    const other = openStage();
    await openServer(other);
    expect(await connects(other, { more: { CLAUDE_CONFIG_DIR: join(other.root, "none") } })).toBe(
      true,
    );
  },
);

verifies(["cli:2:lock-suffix", "cli:2:name-not-a-port"], "only <port>.lock is a lock", async () => {
  const stage = openStage();
  const server = await openServer(stage, { lock: false });
  mkdirSync(stage.lockFolder, { recursive: true });
  writeFileSync(join(stage.lockFolder, `${server.port}.json`), JSON.stringify(lockFor(stage)));
  const named = stage.lock("abc", lockFor(stage));
  expect(await connects(stage)).toBe(false);
  expect(existsSync(named)).toBe(true);
});

verifies(
  ["cli:2:port-from-name", "cli:2:other-fields-ignored"],
  "port, host and useWebSocket in the file say nothing",
  async () => {
    const stage = openStage();
    await openServer(stage, { lock: { port: 1, host: "192.0.2.1", useWebSocket: false } });
    expect(await connects(stage)).toBe(true);
  },
);

verifies("cli:2:newest-first", "/ide lists the newest lock first", async () => {
  const stage = openStage();
  stage.lock(50001, lockFor(stage), 20);
  stage.lock(50002, lockFor(stage), 10);
  stage.lock(50003, lockFor(stage), 30);
  const twin = await startClaude(stage, { ide: false });
  expect((await twin.listIdes()).map((lock) => lock.port)).toEqual([50002, 50001, 50003]);
});

verifies(
  "cli:2:transport-else-sse",
  "another transport, or none, is SSE and a fault of the server",
  async () => {
    for (const transport of ["sse", "WS", undefined]) {
      const stage = openStage();
      const server = await openServer(stage, { lock: { transport } });
      const twin = await startClaude(stage);
      await twin.until("SSE", () => twin.state.startsWith("sse"));
      expect(twin.state).toBe(`sse http://127.0.0.1:${server.port}/sse`);
      expect(twin.transcript.rules()).toEqual(["lock-transport"]);
      expect(server.upgrades).toEqual([]);
    }
  },
);

verifies("cli:2:not-json", "a file that is not JSON is a list of folders, over SSE", async () => {
  const stage = openStage();
  const server = await openServer(stage, { lock: false });
  stage.lock(server.port, `${stage.workspace}\n/elsewhere\n`);
  const twin = await startClaude(stage);
  await twin.until("SSE", () => twin.state.startsWith("sse"));
});

verifies("cli:2:half-written", "an empty or cut file with a silent port is deleted", async () => {
  const stage = openStage();
  const empty = stage.lock(1, "");
  const cut = stage.lock(2, '{"pid":1,"workspaceFol');
  expect(await connects(stage)).toBe(false);
  expect([existsSync(empty), existsSync(cut)]).toEqual([false, false]);
});

verifies("cli:2:pid-dead", "the lock of a dead pid is deleted at the start", async () => {
  const stage = openStage();
  const server = await openServer(stage, { lock: { pid: deadPid } });
  const twin = await startClaude(stage);
  expect(twin.deletedLocks).toEqual([server.lockPath]);
  expect(existsSync(server.lockPath ?? "")).toBe(false);
});

verifies(
  ["cli:2:pid-missing-answers", "cli:2:pid-missing-silent"],
  "without a pid the port decides",
  async () => {
    const stage = openStage();
    const server = await openServer(stage, { lock: { pid: undefined } });
    const silent = stage.lock(1, lockFor(stage, { pid: undefined }));
    expect(await connects(stage)).toBe(true);
    expect([existsSync(server.lockPath ?? ""), existsSync(silent)]).toEqual([true, false]);
  },
);

verifies(
  ["cli:2:token-missing", "cli:2:name-missing", "cli:2:running-in-windows"],
  "token, name and Windows are optional",
  async () => {
    const stage = openStage();
    const server = await openServer(stage, {
      lock: { authToken: undefined, ideName: undefined, runningInWindows: true },
    });
    const twin = await startClaude(stage);
    await twin.untilReady();
    expect(server.upgrades[0]?.headers).not.toHaveProperty("x-claude-code-ide-authorization");
    expect(twin.lock?.ideName).toBe("IDE");
  },
);

verifies(
  ["cli:2:folders-empty", "cli:2:folders-string"],
  "no list of folders, no match",
  async () => {
    for (const value of [[], undefined, "here"]) {
      const stage = openStage();
      const workspaceFolders = value === "here" ? stage.workspace : value;
      await openServer(stage, { lock: { workspaceFolders } });
      expect(await connects(stage)).toBe(false);
    }
  },
);

verifies(
  ["cli:2:cwd-inside", "cli:2:prefix-of-name"],
  "the folder and what lies below it match",
  async () => {
    const stage = openStage();
    const deep = join(stage.workspace, "deep", "er");
    mkdirSync(deep, { recursive: true });
    mkdirSync(`${stage.workspace}s`);
    await openServer(stage, { lock: { workspaceFolders: [`${stage.workspace}/deep/../`] } });
    expect(await connects(stage)).toBe(true);
    expect(await connects(stage, { cwd: deep })).toBe(true);
    expect(await connects(stage, { cwd: `${stage.workspace}s` })).toBe(false);
  },
);

verifies("cli:2:folder-below-cwd", "a folder below the cwd waits for /ide", async () => {
  const stage = openStage();
  await openServer(stage);
  const twin = await startClaude(stage, { cwd: stage.root, pollForMs: 30 });
  await twin.until("not found", () => twin.state === "not-found");
  const [offered] = await twin.listIdes();
  if (!offered) throw new Error("/ide lists nothing");
  await twin.connectTo(offered);
  expect(twin.state).toBe("ready");
});

verifies(
  ["cli:1:real-cwd", "cli:2:symlink-in-lock", "cli:2:symlink-cwd"],
  "the real path of the cwd counts, as text",
  async () => {
    const stage = openStage();
    const link = join(stage.root, "link");
    symlinkSync(stage.workspace, link);
    const linked = await openServer(stage, { lock: { workspaceFolders: [link] } });
    expect(await connects(stage, { cwd: link })).toBe(false);
    await linked.close();
    const other = openStage();
    const otherLink = join(other.root, "link");
    symlinkSync(other.workspace, otherLink);
    await openServer(other);
    expect(await connects(other, { cwd: otherLink })).toBe(true);
  },
);

verifies(
  ["cli:2:two-matches", "cli:2:two-matches-dead-port"],
  "two live matches are none, even with a dead port",
  async () => {
    const stage = openStage();
    await openServer(stage);
    const second = await openServer(stage);
    expect(await connects(stage)).toBe(false);
    await second.close();
    expect(await connects(stage)).toBe(false);
  },
);

verifies("cli:2:no-flag", "without a flag nothing is looked for", async () => {
  const stage = openStage();
  await openServer(stage);
  const twin = await startClaude(stage, { ide: false });
  expect([twin.state, twin.polls]).toEqual(["off", 0]);
});

verifies(
  ["cli:2:sse-port", "cli:2:sse-port-wins"],
  "the port of the environment wins, whatever its folders",
  async () => {
    const stage = openStage();
    await openServer(stage);
    const server = await openServer(stage, { lock: { workspaceFolders: ["/elsewhere"] } });
    const more = { CLAUDE_CODE_SSE_PORT: String(server.port) };
    expect(await connects(stage, { ide: false, more })).toBe(true);
    expect(server.upgrades).toHaveLength(1);
  },
);

verifies(
  "cli:2:sse-port-without-lock",
  "a port without a lock leaves the ordinary match",
  async () => {
    const stage = openStage();
    await openServer(stage);
    expect(await connects(stage, { ide: false, more: { CLAUDE_CODE_SSE_PORT: "1" } })).toBe(true);
  },
);

verifies(
  ["cli:2:auto-connect-true", "cli:2:auto-connect-false", "cli:2:auto-connect-setting"],
  "the variable beats flag and setting",
  async () => {
    const stage = openStage();
    await openServer(stage);
    const on = { CLAUDE_CODE_AUTO_CONNECT_IDE: "true" };
    const off = { CLAUDE_CODE_AUTO_CONNECT_IDE: "false" };
    expect(await connects(stage, { ide: false, more: on })).toBe(true);
    expect(await connects(stage, { ide: true, more: off })).toBe(false);
    expect(await connects(stage, { ide: false, settings: { autoConnectIde: true } })).toBe(true);
  },
);

verifies(
  ["cli:2:code-terminal", "cli:2:code-terminal-sse-port"],
  "in an editor's terminal the lock's pid must be an ancestor",
  async () => {
    const stage = openStage();
    const server = await openServer(stage, { lock: { pid: process.ppid } });
    const more = { FORCE_CODE_TERMINAL: "1" };
    expect(await connects(stage, { ide: false, more })).toBe(true);
    const other = openStage();
    await openServer(other, { lock: { pid: process.pid } });
    expect(await connects(other, { ide: true, more })).toBe(false);
    await server.close();
    const third = await openServer(openStage(), { lock: false });
    other.lock(third.port, lockFor(other), -5);
    const port = { ...more, CLAUDE_CODE_SSE_PORT: String(third.port) };
    expect(await connects(other, { ide: false, more: port })).toBe(true);
  },
);

verifies(
  ["cli:2:skip-valid-check", "cli:2:host-override"],
  "every lock can be made to match, and the host be set",
  async () => {
    const stage = openStage();
    const server = await openServer(stage, { lock: { workspaceFolders: [] } });
    const more = {
      CLAUDE_CODE_IDE_SKIP_VALID_CHECK: "true",
      CLAUDE_CODE_IDE_HOST_OVERRIDE: "localhost",
    };
    expect(await connects(stage, { more: { CLAUDE_CODE_IDE_SKIP_VALID_CHECK: "true" } })).toBe(
      true,
    );
    const twin = await startClaude(stage, { env: { ...stage.env, ...more } });
    await twin.until("a try", () => twin.transcript.entries.length > 0);
    expect(twin.transcript.entries[0]).toMatchObject({ detail: `ws://localhost:${server.port}` });
  },
);

verifies(
  ["cli:2:enable-ide-integration", "cli:2:http-proxy"],
  "a folklore variable and a proxy change nothing",
  async () => {
    const stage = openStage();
    await openServer(stage);
    const folklore = { ENABLE_IDE_INTEGRATION: "true" };
    expect(await connects(stage, { ide: false, more: folklore })).toBe(false);
    expect(await connects(stage, { more: { HTTP_PROXY: "http://127.0.0.1:1" } })).toBe(true);
  },
);

verifies("cli:2:print-mode", "print mode never connects", async () => {
  const stage = openStage();
  const server = await openServer(stage);
  const more = {
    CLAUDE_CODE_SSE_PORT: String(server.port),
    CLAUDE_CODE_AUTO_CONNECT_IDE: "true",
  };
  expect(await connects(stage, { print: true, more })).toBe(false);
  expect(server.upgrades).toEqual([]);
});

verifies(
  ["cli:1:looks-30s", "cli:2:server-after-client", "cli:2:server-too-late"],
  "it looks for a while, then only on /ide",
  async () => {
    const stage = openStage();
    const early = await startClaude(stage, { pollMs: 10, pollForMs: PATIENCE_MS });
    const late = await startClaude(stage, { pollMs: 10, pollForMs: 500 });
    await late.until("given up", () => late.state === "not-found");
    const { polls } = late;
    expect(polls).toBeGreaterThan(1);
    await openServer(stage);
    await early.untilReady();
    expect([late.polls, late.state]).toEqual([polls, "not-found"]);
    const [offered] = await late.listIdes();
    if (!offered) throw new Error("/ide lists nothing");
    await late.connectTo(offered);
    expect(late.state).toBe("ready");
  },
);

verifies(
  "cli:2:lock-modes",
  "a lock that others may read, or before its port answers, is a fault",
  async () => {
    const stage = openStage();
    const server = await openServer(stage);
    chmodSync(server.lockPath ?? "", 0o644);
    const twin = await startClaude(stage);
    await twin.untilReady();
    expect(twin.transcript.rules()).toEqual(["lock-mode"]);
    const other = openStage();
    const silent = await silentPort();
    other.lock(silent, lockFor(other));
    const deaf = await startClaude(other);
    await deaf.until("failed", () => deaf.state === "failed");
    expect(deaf.transcript.rules()).toEqual(["lock-before-listen"]);
  },
);
