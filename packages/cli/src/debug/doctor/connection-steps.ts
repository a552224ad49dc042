import type { IncomingHttpHeaders } from "node:http";
import { IdewireError } from "@idewire/core/rpc";
import {
  type EditorAtPort,
  type EditorDialOutcome,
  openLink,
  tryDial,
} from "@idewire/node-server/internal";
import { readVersion } from "../../process/version.ts";
import {
  type DoctorContext,
  failed,
  ok,
  type StepDefinition,
  type StepFinding,
  skipped,
  type,
  warning,
} from "./step.ts";

const TIMEOUT_MS = 5_000;

/** Something listens at the address in the lock file. */
export const portStep: StepDefinition = {
  id: "port",
  title: "port",
  needs: "process",
  run: (context) =>
    withEditor(context.editor, async (editor) => {
      const outcome = await dialAndClose(editor, context);
      const where = `port ${editor.port} of ${editor.host}`;
      if (outcome.kind !== "silent") return ok(where);
      if (outcome.code === "timeout") return explainHung(editor, where);
      return failed(
        `nothing listens on ${where} (${outcome.code})`,
        `Start the editor again: ${editor.lockFile} exists, but its server is not running.`,
        "In a container or WSL: name the editor's machine, CLAUDE_CODE_IDE_HOST_OVERRIDE. Over SSH: ssh -R.",
      );
    }),
};

/** The system accepts connections even for a suspended process. */
function explainHung({ name, pid }: EditorAtPort, where: string): StepFinding {
  return failed(
    `${name}${pid === undefined ? "" : `, process ${pid},`} answers TCP, not MCP, on ${where}: its window may be waiting for an answer`,
    "Look at the editor's window: it may be waiting for a key or an answer.",
    "If Ctrl-Z has suspended it, type fg in its terminal.",
    ...(pid === undefined
      ? []
      : [type("If it hangs, terminate it, and start it again", `kill ${pid}`)]),
  );
}

/** The endpoint is an editor's WebSocket, without a proxy in between. */
export const upgradeStep: StepDefinition = {
  id: "upgrade",
  title: "WebSocket",
  needs: "port",
  run: (context) =>
    withEditor(context.editor, async (editor) => {
      const outcome = await dialAndClose(editor, context);
      const proxy = "headers" in outcome ? describeProxy(outcome) : undefined;
      if (proxy !== undefined) return failProxy(editor, proxy);
      switch (outcome.kind) {
        case "open":
          return ok("upgraded, with the sub-protocol mcp");
        case "http":
          return [401, 403].includes(outcome.status)
            ? failToken(editor, `HTTP ${outcome.status}`)
            : failUnauthenticated(editor, `HTTP ${outcome.status}`);
        default:
          return failUnauthenticated(
            editor,
            outcome.kind === "silent" ? outcome.code : outcome.message,
          );
      }
    }),
};

/** The editor accepts the token, and speaks MCP. */
export const handshakeStep: StepDefinition = {
  id: "handshake",
  title: "handshake",
  needs: "upgrade",
  run: (context) =>
    withEditor(context.editor, async (editor) => {
      try {
        return await handshake(editor, context);
      } catch (error) {
        const { message } = error as Error;
        const isToken = error instanceof IdewireError && error.code === "unauthorized";
        if (isToken) return failToken(editor, message);
        const isSilent = error instanceof IdewireError && error.code === "timeout";
        if (isSilent) return explainHung(editor, `port ${editor.port} of ${editor.host}`);
        return failed(
          message,
          "The editor's plugin and the agent are not compatible: update both.",
        );
      }
    }),
};

async function handshake(
  editor: EditorAtPort,
  { search, own }: DoctorContext,
): Promise<StepFinding> {
  const { client, tools } = await openLink(editor, {
    name: "idewire-doctor",
    version: readVersion(),
    pid: process.pid,
    cwd: search.cwd,
    own,
    handshakeTimeoutMs: TIMEOUT_MS,
    onnotification: () => {},
  });
  const { serverInfo, protocolVersion } = client.server;
  await client.close();
  const who = `${serverInfo.name} ${serverInfo.version}, MCP ${protocolVersion}`;
  const names = tools.map(({ name }) => name);
  if (names.includes("openDiff")) return ok(`${who}, ${tools.length} tools`);
  return warning(
    `${who}; it cannot show diffs (it has no openDiff)`,
    "Claude Code calls openDiff anyway. If that fails, it asks for a yes or no, and shows the diff neither in the editor nor in the terminal.",
    "Set diffTool to terminal (/config in Claude Code): then the terminal shows each diff.",
  );
}

async function withEditor(
  editor: EditorAtPort | undefined,
  run: (editor: EditorAtPort) => Promise<StepFinding>,
): Promise<StepFinding> {
  return editor === undefined ? skipped("there is no editor to ask") : run(editor);
}

/** Connects to the editor of a lock file. */
export async function dialAndClose(
  editor: EditorAtPort,
  { own }: DoctorContext,
): Promise<EditorDialOutcome> {
  const options = { timeoutMs: TIMEOUT_MS, own };
  const outcome = await tryDial(editor, options);
  if (outcome.kind === "open") {
    outcome.transport.close();
    await outcome.closed;
  }
  return outcome;
}

const PROXY_HEADERS = ["via", "proxy-agent", "proxy-authenticate", "proxy-connection", "x-cache"];
const PROXY_STATUS: ReadonlySet<number> = new Set([407, 502, 504]);

/** Headers by which a proxy's answer is recognised. */
function describeProxy(outcome: EditorDialOutcome & { readonly headers?: IncomingHttpHeaders }) {
  const { headers = {} } = outcome;
  const name = PROXY_HEADERS.find((header) => headers[header] !== undefined);
  if (name !== undefined) return `${name}: ${String(headers[name])}`;
  if (outcome.kind !== "http" || !PROXY_STATUS.has(outcome.status)) return undefined;
  return `HTTP ${outcome.status}`;
}

function failProxy({ host, port }: EditorAtPort, seen: string): StepFinding {
  return failed(
    `a proxy answers instead of the editor (${seen})`,
    `Make port ${port} of ${host} reachable directly: remove the proxy or the port forwarding.`,
    "CLAUDE_CODE_IDE_HOST_OVERRIDE, when set, must name the editor's own machine.",
  );
}

function failUnauthenticated({ port, lockFile }: EditorAtPort, seen: string): StepFinding {
  return failed(
    `another program uses port ${port}: the answer is not an editor's (${seen})`,
    `Restart the editor, so that it listens on another port and replaces ${lockFile}.`,
    type("Find the program", `lsof -iTCP:${port} -sTCP:LISTEN`),
  );
}

function failToken({ port, lockFile, token }: EditorAtPort, seen: string): StepFinding {
  const what = token === undefined ? "the lock file has no token" : "the token is wrong";
  return failed(
    `${what}: ${seen}`,
    `${lockFile} was not written by the program that listens on port ${port} now: start that editor again.`,
    "Running agents still use the first token: type /ide in them, or start them again.",
  );
}
