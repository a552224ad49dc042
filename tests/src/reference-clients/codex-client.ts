import { lstatSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { isObject, type JsonObject, parseJson } from "./wire.ts";

export interface CodexClientOptions {
  /** "with the TUI's `TMPDIR`" (other-agents, 6). */
  readonly env: { readonly TMPDIR: string };
  readonly cwd: string;
  /** 6,000: "Overall deadline 6 s" (6). */
  readonly deadlineMs?: number;
}

/** The members of an answer that the agent reads. */
export interface CodexContext {
  readonly activeFile?: CodexFile & {
    readonly selection: CodexRange;
    readonly activeSelectionContent: string;
    readonly selections: readonly CodexRange[];
  };
  readonly openTabs: readonly CodexFile[];
}

interface CodexFile {
  readonly label: string;
  readonly path: string;
  readonly fsPath: string;
}

interface CodexRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** The message for the person (6). */
export const OPEN_IDE_HINT =
  "Open this project in VS Code or Cursor with the Codex extension active.";

/** "selection cut at 200 000 chars" (6). */
const MAX_SELECTED = 200_000;
/** "Replies up to 256 MiB are read" (6). */
const MAX_REPLY = 256 * 1024 * 1024;

let lastRequest = 0;

/**
 * Plays the TUI of Codex CLI 0.171.0 as a client of an editor: "The IDE's context is asked for by the TUI's own
 * process, once at `/ide on` and once per prompt" (other-agents, 6).
 */
export class CodexClient {
  readonly #options: CodexClientOptions;

  constructor(options: CodexClientOptions) {
    this.#options = options;
  }

  /** "fixed path `tmpdir/codex-ipc/ipc-<uid>.sock`" (1). */
  get socketPath(): string {
    return join(this.#options.env.TMPDIR, "codex-ipc", `ipc-${process.getuid?.() ?? 0}.sock`);
  }

  /** The context that the model receives before the next prompt; fails with the message for the person. */
  async prompt(): Promise<string> {
    const { activeFile, openTabs } = await this.context();
    const parts: string[] = [];
    if (activeFile !== undefined) {
      parts.push(`## Active file: ${activeFile.path}`);
      const text = Array.from(activeFile.activeSelectionContent).slice(0, MAX_SELECTED).join("");
      if (text !== "") parts.push(`## Active selection of the file:\n${text}`);
    }
    if (openTabs.length > 0) {
      const tabs = openTabs.map(({ label, path }) => `- ${label}: ${path}`);
      parts.push(`## Open tabs:\n${tabs.join("\n")}`);
    }
    return parts.length === 0 ? "" : `# Context from my IDE setup:\n${parts.join("\n\n")}`;
  }

  /** "Then the client connects once, and once for each prompt": a connection each. */
  async context(): Promise<CodexContext> {
    const { cwd } = this.#options;
    const answer = await this.request("ide-context", { workspaceRoot: cwd });
    if (answer["resultType"] === "error") throw new Error(String(answer["error"]));
    if (answer["resultType"] !== "success") throw new Error("no resultType");
    return readContext((answer["result"] as JsonObject)["ideContext"]);
  }

  /** One request over a connection of its own; resolves to the response. */
  async request(method: string, params: JsonObject): Promise<JsonObject> {
    this.#validate();
    lastRequest += 1;
    const requestId = `00000000-0000-4000-8000-${String(lastRequest).padStart(12, "0")}`;
    const frame = { type: "request", requestId, sourceClientId: "codex-tui", version: 0 };
    return this.#exchange({ ...frame, method, params }, requestId);
  }

  /** "checks directory owner, `mode & 022 == 0`, socket owner" (6). */
  #validate(): void {
    const uid = process.getuid?.();
    const folder = lstatSync(dirname(this.socketPath), { throwIfNoEntry: false });
    if (folder === undefined) throw new Error(OPEN_IDE_HINT);
    if (!folder.isDirectory() || folder.uid !== uid) {
      throw new Error("IDE context socket directory is not owned by the current user");
    }
    if ((folder.mode & 0o022) !== 0) {
      throw new Error("IDE context socket directory is writable by other users");
    }
    const socket = lstatSync(this.socketPath, { throwIfNoEntry: false });
    if (socket === undefined) throw new Error(OPEN_IDE_HINT);
    if (!socket.isSocket() || socket.uid !== uid) {
      throw new Error("IDE context socket is not owned by the current user");
    }
  }

  #exchange(message: JsonObject, requestId: string): Promise<JsonObject> {
    const { deadlineMs = 6_000 } = this.#options;
    return new Promise<JsonObject>((resolve, reject) => {
      const socket = connect(this.socketPath);
      const timer = setTimeout(() => fail("timed out waiting for IDE context"), deadlineMs);
      const fail = (why: string) => {
        clearTimeout(timer);
        socket.destroy();
        reject(new Error(why));
      };
      socket.once("error", () => fail(OPEN_IDE_HINT));
      socket.once("end", () => fail("failed to fill whole IDE context frame"));
      readFrames(socket, (frame) => {
        const why = judge(frame, requestId, socket);
        if (why === "answer") {
          clearTimeout(timer);
          socket.destroy();
          resolve(frame);
        } else if (why !== undefined) fail(why);
      });
      writeFrame(socket, message);
    });
  }
}

/** "Other frame types to tolerate"; "`canHandle` is asked of it, too, and it says false" (6). */
function judge(frame: JsonObject, requestId: string, socket: Socket): string | undefined {
  switch (frame["type"]) {
    case "response":
      return frame["requestId"] === requestId ? "answer" : undefined;
    case "broadcast":
    case "client-discovery-response":
      return undefined;
    case "client-discovery-request": {
      const response = { canHandle: false };
      const { requestId: asked } = frame;
      writeFrame(socket, { type: "client-discovery-response", requestId: asked, response });
      return undefined;
    }
    default:
      return `unexpected IDE context message type: ${String(frame["type"])}`;
  }
}

/** Every member that the agent's decoder requires. */
function readContext(value: unknown): CodexContext {
  if (!isObject(value)) throw new Error("ide-context response did not include result.ideContext");
  const { activeFile, openTabs = [] } = value as unknown as CodexContext;
  for (const file of [...openTabs, ...(activeFile === undefined ? [] : [activeFile])]) {
    for (const member of [file.label, file.path, file.fsPath]) {
      if (typeof member !== "string") throw new Error(`a file without a name: ${String(member)}`);
    }
  }
  if (activeFile !== undefined) readRange(activeFile.selection);
  return { ...(activeFile !== undefined && { activeFile }), openTabs };
}

function readRange({ start, end }: CodexRange): void {
  for (const number of [start.line, start.character, end.line, end.character]) {
    if (!Number.isInteger(number) || number < 0) throw new Error(`not a position: ${number}`);
  }
}

/** "4-byte LE length + JSON" (0). */
export function writeFrame(socket: Socket, message: JsonObject): void {
  const body = Buffer.from(JSON.stringify(message));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  socket.write(Buffer.concat([length, body]));
}

export function readFrames(socket: Socket, onframe: (frame: JsonObject) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 4) {
      const length = bytes.readUInt32LE();
      if (length > MAX_REPLY) throw new Error("IDE context response exceeded maximum size");
      if (bytes.length < 4 + length) return;
      const value = parseJson(bytes.toString("utf8", 4, 4 + length))?.value;
      bytes = bytes.subarray(4 + length);
      if (!isObject(value)) throw new Error("invalid JSON payload");
      onframe(value);
    }
  });
}
