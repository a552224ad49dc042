import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { silentPort } from "../silent-port.ts";
import { verifies } from "../verifies.ts";
import type { ClaudeEnv } from "./claude-discovery.ts";
import type { ClaudeClientOptions } from "./claude-options.ts";
import { openFixture, openServer, startClaude } from "./context.ts";
import type { Fixture } from "./fixture.ts";
import { TIMEOUT_MS } from "./transcript.ts";

/** A pid that cannot exist: above the highest of Linux. */
const deadPid = 2 ** 22 + 1;

function lockFor(fixture: Fixture, more: object = {}): object {
  return {
    pid: process.pid,
    workspaceFolders: [fixture.workspace],
    ideName: "Raw editor",
    transport: "ws",
    authToken: "secret",
    ...more,
  };
}

/** Starts a client with the given options; returns whether it connected. */
async function connects(
  fixture: Fixture,
  options: Partial<ClaudeClientOptions> & { readonly more?: Partial<ClaudeEnv> } = {},
): Promise<boolean> {
  const { more, ...rest } = options;
  const env = { ...fixture.env, ...more };
  const client = await startClaude(fixture, { env, pollForMs: 60, ...rest });
  await client.until(
    "an end of the search",
    () => !["searching", "connecting", "new"].includes(client.state),
  );
  return client.state === "ready";
}

verifies(
  ["cli:discovery:home-folder", "cli:when-it-connects:flag-ide", "cli:discovery:transport-ws"],
  "a lock in the home is found",
  async () => {
    const fixture = openFixture();
    await openServer(fixture);
    expect(await connects(fixture)).toBe(true);
  },
);

verifies(
  ["cli:discovery:config-dir", "cli:discovery:both-folders"],
  "CLAUDE_CONFIG_DIR adds a folder without hiding another",
  async () => {
    const fixture = openFixture();
    const config = join(fixture.root, "config");
    const server = await openServer(fixture, { lock: false });
    const more = { CLAUDE_CONFIG_DIR: config };
    fixture.lockIn(join(config, "ide"), server.port, lockFor(fixture));
    expect(await connects(fixture)).toBe(false);
    expect(await connects(fixture, { more })).toBe(true);
    const other = openFixture();
    await openServer(other);
    expect(await connects(other, { more: { CLAUDE_CONFIG_DIR: join(other.root, "none") } })).toBe(
      true,
    );
  },
);

verifies(
  ["cli:discovery:lock-suffix", "cli:discovery:name-not-a-port"],
  "only <port>.lock is a lock",
  async () => {
    const fixture = openFixture();
    const server = await openServer(fixture, { lock: false });
    mkdirSync(fixture.lockFolder, { recursive: true });
    writeFileSync(
      join(fixture.lockFolder, `${server.port}.json`),
      JSON.stringify(lockFor(fixture)),
    );
    const named = fixture.lock("abc", lockFor(fixture));
    expect(await connects(fixture)).toBe(false);
    expect(existsSync(named)).toBe(true);
  },
);

verifies(
  ["cli:discovery:port-from-name", "cli:discovery:other-fields-ignored"],
  "port, host and useWebSocket in the file are ignored",
  async () => {
    const fixture = openFixture();
    await openServer(fixture, { lock: { port: 1, host: "192.0.2.1", useWebSocket: false } });
    expect(await connects(fixture)).toBe(true);
  },
);

verifies("cli:discovery:newest-first", "/ide lists the newest lock first", async () => {
  const fixture = openFixture();
  fixture.lock(50001, lockFor(fixture), 20);
  fixture.lock(50002, lockFor(fixture), 10);
  fixture.lock(50003, lockFor(fixture), 30);
  const client = await startClaude(fixture, { ide: false });
  expect((await client.listIdes()).map((lock) => lock.port)).toEqual([50002, 50001, 50003]);
});

verifies(
  "cli:discovery:transport-else-sse",
  "another transport, or none, is SSE and a fault of the server",
  async () => {
    for (const transport of ["sse", "WS", undefined]) {
      const fixture = openFixture();
      const server = await openServer(fixture, { lock: { transport } });
      const client = await startClaude(fixture);
      await client.until("SSE", () => client.state.startsWith("sse"));
      expect(client.state).toBe(`sse http://127.0.0.1:${server.port}/sse`);
      expect(client.transcript.rules()).toEqual(["lock-transport"]);
      expect(server.upgrades).toEqual([]);
    }
  },
);

verifies(
  "cli:discovery:not-json",
  "a file that is not JSON is a list of folders, over SSE",
  async () => {
    const fixture = openFixture();
    const server = await openServer(fixture, { lock: false });
    fixture.lock(server.port, `${fixture.workspace}\n/elsewhere\n`);
    const client = await startClaude(fixture);
    await client.until("SSE", () => client.state.startsWith("sse"));
    expect(server.upgrades).toEqual([]);
  },
);

verifies(
  "cli:discovery:half-written",
  "an empty or cut file with a silent port is deleted",
  async () => {
    const fixture = openFixture();
    const empty = fixture.lock(1, "");
    const cut = fixture.lock(2, '{"pid":1,"workspaceFol');
    expect(await connects(fixture)).toBe(false);
    expect([existsSync(empty), existsSync(cut)]).toEqual([false, false]);
  },
);

verifies("cli:discovery:pid-dead", "the lock of a dead pid is deleted at the start", async () => {
  const fixture = openFixture();
  const server = await openServer(fixture, { lock: { pid: deadPid } });
  const client = await startClaude(fixture);
  expect(client.deletedLocks).toEqual([server.lockPath]);
  expect(existsSync(server.lockPath ?? "")).toBe(false);
});

verifies(
  ["cli:discovery:pid-missing-answers", "cli:discovery:pid-missing-silent"],
  "without a pid the port decides",
  async () => {
    const fixture = openFixture();
    const server = await openServer(fixture, { lock: { pid: undefined } });
    const silent = fixture.lock(1, lockFor(fixture, { pid: undefined }));
    expect(await connects(fixture)).toBe(true);
    expect([existsSync(server.lockPath ?? ""), existsSync(silent)]).toEqual([true, false]);
  },
);

verifies(
  ["cli:discovery:token-missing", "cli:discovery:name-missing", "cli:discovery:running-in-windows"],
  "token, name and Windows are optional",
  async () => {
    const fixture = openFixture();
    const server = await openServer(fixture, {
      lock: { authToken: undefined, ideName: undefined, runningInWindows: true },
    });
    const client = await startClaude(fixture);
    await client.untilReady();
    expect(server.upgrades[0]?.headers).not.toHaveProperty("x-claude-code-ide-authorization");
    expect(client.lock?.ideName).toBe("IDE");
  },
);

verifies(
  ["cli:discovery:folders-empty", "cli:discovery:folders-string"],
  "no list of folders, no match",
  async () => {
    for (const value of [[], undefined, "here"]) {
      const fixture = openFixture();
      const workspaceFolders = value === "here" ? fixture.workspace : value;
      await openServer(fixture, { lock: { workspaceFolders } });
      expect(await connects(fixture)).toBe(false);
    }
  },
);

verifies(
  ["cli:discovery:cwd-inside", "cli:discovery:prefix-of-name"],
  "the folder and all folders below it match",
  async () => {
    const fixture = openFixture();
    const deep = join(fixture.workspace, "deep", "er");
    mkdirSync(deep, { recursive: true });
    mkdirSync(`${fixture.workspace}s`);
    await openServer(fixture, { lock: { workspaceFolders: [`${fixture.workspace}/deep/../`] } });
    expect(await connects(fixture)).toBe(true);
    expect(await connects(fixture, { cwd: deep })).toBe(true);
    expect(await connects(fixture, { cwd: `${fixture.workspace}s` })).toBe(false);
  },
);

verifies(
  "cli:discovery:folder-below-cwd",
  "a folder below the cwd is offered by /ide only",
  async () => {
    const fixture = openFixture();
    await openServer(fixture);
    const client = await startClaude(fixture, { cwd: fixture.root, pollForMs: 30 });
    await client.until("not found", () => client.state === "not-found");
    const [offered] = await client.listIdes();
    if (!offered) throw new Error("/ide lists nothing");
    await client.connectTo(offered);
    expect(client.state).toBe("ready");
  },
);

verifies(
  ["cli:discovery:real-cwd", "cli:discovery:symlink-in-lock", "cli:discovery:symlink-cwd"],
  "the real path of the cwd is compared, as text",
  async () => {
    const fixture = openFixture();
    const link = join(fixture.root, "link");
    symlinkSync(fixture.workspace, link);
    const linked = await openServer(fixture, { lock: { workspaceFolders: [link] } });
    expect(await connects(fixture, { cwd: link })).toBe(false);
    await linked.close();
    const other = openFixture();
    const otherLink = join(other.root, "link");
    symlinkSync(other.workspace, otherLink);
    await openServer(other);
    expect(await connects(other, { cwd: otherLink })).toBe(true);
  },
);

verifies(
  ["cli:discovery:two-matches", "cli:discovery:two-matches-dead-port"],
  "two live matches count as none, even with a dead port",
  async () => {
    const fixture = openFixture();
    await openServer(fixture);
    const second = await openServer(fixture);
    expect(await connects(fixture)).toBe(false);
    await second.close();
    expect(await connects(fixture)).toBe(false);
  },
);

verifies("cli:when-it-connects:no-flag", "without a flag no editor is searched for", async () => {
  const fixture = openFixture();
  await openServer(fixture);
  const client = await startClaude(fixture, { ide: false });
  expect([client.state, client.polls]).toEqual(["off", 0]);
});

verifies(
  ["cli:when-it-connects:sse-port", "cli:when-it-connects:sse-port-wins"],
  "the port of the environment takes precedence, whatever its folders",
  async () => {
    const fixture = openFixture();
    await openServer(fixture);
    const server = await openServer(fixture, { lock: { workspaceFolders: ["/elsewhere"] } });
    const more = { CLAUDE_CODE_SSE_PORT: String(server.port) };
    expect(await connects(fixture, { ide: false, more })).toBe(true);
    expect(server.upgrades).toHaveLength(1);
  },
);

verifies(
  "cli:when-it-connects:sse-port-without-lock",
  "with a port without a lock the ordinary match is used",
  async () => {
    const fixture = openFixture();
    await openServer(fixture);
    expect(await connects(fixture, { ide: false, more: { CLAUDE_CODE_SSE_PORT: "1" } })).toBe(true);
  },
);

verifies(
  [
    "cli:when-it-connects:auto-connect-true",
    "cli:when-it-connects:auto-connect-false",
    "cli:when-it-connects:auto-connect-setting",
  ],
  "the variable takes precedence over flag and setting",
  async () => {
    const fixture = openFixture();
    await openServer(fixture);
    const on = { CLAUDE_CODE_AUTO_CONNECT_IDE: "true" };
    const off = { CLAUDE_CODE_AUTO_CONNECT_IDE: "false" };
    expect(await connects(fixture, { ide: false, more: on })).toBe(true);
    expect(await connects(fixture, { ide: true, more: off })).toBe(false);
    expect(await connects(fixture, { ide: false, settings: { autoConnectIde: true } })).toBe(true);
  },
);

verifies(
  ["cli:when-it-connects:code-terminal", "cli:when-it-connects:code-terminal-sse-port"],
  "in an editor's terminal the lock's pid must be an ancestor",
  async () => {
    const fixture = openFixture();
    const server = await openServer(fixture, { lock: { pid: process.ppid } });
    const more = { FORCE_CODE_TERMINAL: "1" };
    expect(await connects(fixture, { ide: false, more })).toBe(true);
    const other = openFixture();
    await openServer(other, { lock: { pid: process.pid } });
    expect(await connects(other, { ide: true, more })).toBe(false);
    await server.close();
    const third = await openServer(openFixture(), { lock: false });
    other.lock(third.port, lockFor(other), -5);
    const port = { ...more, CLAUDE_CODE_SSE_PORT: String(third.port) };
    expect(await connects(other, { ide: false, more: port })).toBe(true);
  },
);

verifies(
  ["cli:when-it-connects:skip-valid-check", "cli:when-it-connects:host-override"],
  "variables make every lock match, and set the host",
  async () => {
    const fixture = openFixture();
    const server = await openServer(fixture, { lock: { workspaceFolders: [] } });
    const more = {
      CLAUDE_CODE_IDE_SKIP_VALID_CHECK: "true",
      CLAUDE_CODE_IDE_HOST_OVERRIDE: "localhost",
    };
    expect(await connects(fixture, { more: { CLAUDE_CODE_IDE_SKIP_VALID_CHECK: "true" } })).toBe(
      true,
    );
    const client = await startClaude(fixture, { env: { ...fixture.env, ...more } });
    await client.until("a try", () => client.transcript.entries.length > 0);
    expect(client.transcript.entries[0]).toMatchObject({ detail: `ws://localhost:${server.port}` });
  },
);

verifies(
  ["cli:when-it-connects:enable-ide-integration", "cli:when-it-connects:http-proxy"],
  "an undocumented variable and a proxy change nothing",
  async () => {
    const fixture = openFixture();
    await openServer(fixture);
    const undocumentedEnv = { ENABLE_IDE_INTEGRATION: "true" };
    expect(await connects(fixture, { ide: false, more: undocumentedEnv })).toBe(false);
    expect(await connects(fixture, { more: { HTTP_PROXY: "http://127.0.0.1:1" } })).toBe(true);
  },
);

verifies("cli:when-it-connects:print-mode", "print mode never connects", async () => {
  const fixture = openFixture();
  const server = await openServer(fixture);
  const more = {
    CLAUDE_CODE_SSE_PORT: String(server.port),
    CLAUDE_CODE_AUTO_CONNECT_IDE: "true",
  };
  expect(await connects(fixture, { print: true, more })).toBe(false);
  expect(server.upgrades).toEqual([]);
});

verifies(
  ["cli:discovery:looks-30s", "cli:discovery:server-after-client", "cli:discovery:server-too-late"],
  "it searches for a limited time, then only on /ide",
  async () => {
    const fixture = openFixture();
    const early = await startClaude(fixture, { pollMs: 10, pollForMs: TIMEOUT_MS });
    const late = await startClaude(fixture, { pollMs: 10, pollForMs: 500 });
    await late.until("given up", () => late.state === "not-found");
    const { polls } = late;
    expect(polls).toBeGreaterThan(1);
    await openServer(fixture);
    await early.untilReady();
    expect([late.polls, late.state]).toEqual([polls, "not-found"]);
    const [offered] = await late.listIdes();
    if (!offered) throw new Error("/ide lists nothing");
    await late.connectTo(offered);
    expect(late.state).toBe("ready");
  },
);

verifies(
  "cli:discovery:lock-modes",
  "a lock that others may read, or before its port answers, is a fault",
  async () => {
    const fixture = openFixture();
    const server = await openServer(fixture);
    chmodSync(server.lockPath ?? "", 0o644);
    const client = await startClaude(fixture);
    await client.untilReady();
    expect(client.transcript.rules()).toEqual(["lock-mode"]);
    const other = openFixture();
    const silent = await silentPort();
    other.lock(silent, lockFor(other));
    const deaf = await startClaude(other);
    await deaf.until("failed", () => deaf.state === "failed");
    expect(deaf.transcript.rules()).toEqual(["lock-before-listen"]);
  },
);
