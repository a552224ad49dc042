import { realpathSync } from "node:fs";
import { assessLock } from "./check-lock.ts";
import { ClaudeConnection, jetbrainsName } from "./claude-connection.ts";
import { DiagnosticTracker } from "./claude-diagnostics.ts";
import type { LockFile } from "./claude-discovery.ts";
import {
  chooseLock,
  connectsByItself,
  containsCwd,
  listLocks,
  offeredLocks,
  sweepLocks,
} from "./claude-discovery.ts";
import type { EditSetting, PermissionMode } from "./claude-edit.ts";
import { PendingEdit } from "./claude-edit.ts";
import { ClaudeInbox } from "./claude-inbox.ts";
import type { ClaudeLink, OutgoingCall, Reply } from "./claude-link.ts";
import { contextBadge, contextForModel } from "./claude-notifications.ts";
import type { ClaudeClientOptions, PromptResult } from "./claude-options.ts";
import type { ClaudeProfile } from "./claude-profile.ts";
import { claudeProfile } from "./claude-profile.ts";
import { Transcript, until } from "./transcript.ts";
import { sleep, toObject } from "./wire.ts";

/** Models the published client 2.1.330 as measured, and reports violations of the server. */
export class ClaudeClient {
  readonly transcript = new Transcript();
  readonly deletedLocks: string[] = [];
  readonly cwd: string;
  readonly inbox: ClaudeInbox;
  connection: ClaudeConnection | undefined;
  lock: LockFile | undefined;
  /** The number of searches for an editor. */
  polls = 0;
  /** Shift+Tab changes it. */
  permissionMode: PermissionMode;
  readonly #options: ClaudeClientOptions;
  readonly #profile: ClaudeProfile;
  readonly #pid: number;
  readonly #tracker: DiagnosticTracker;
  readonly #edits: PendingEdit[] = [];
  #ended = false;
  #search = "off";

  private constructor(options: ClaudeClientOptions) {
    this.#options = options;
    this.permissionMode = options.permissionMode ?? "default";
    this.#profile = claudeProfile(options.version ?? "2.1.330");
    this.#pid = options.pid ?? process.pid;
    this.cwd = realpathSync(options.cwd);
    this.inbox = new ClaudeInbox(this.transcript, this.cwd);
    this.#tracker = new DiagnosticTracker(this.transcript, {
      call: (args) => this.#link()?.callTool("getDiagnostics", args),
      abandon: (id) => this.connection?.link?.abandon(id),
      lenient: options.lenient ?? false,
      covers: (path) => this.lock?.folders.some((folder) => containsCwd(folder, path)) ?? false,
    });
  }

  /** Starts the client: sweeps dead locks, then looks for an editor in the background. */
  static async start(options: ClaudeClientOptions): Promise<ClaudeClient> {
    const client = new ClaudeClient(options);
    client.deletedLocks.push(...(await sweepLocks(options.env)));
    const flags = {
      ide: options.ide ?? true,
      print: options.print ?? false,
      autoConnectIde: options.settings?.autoConnectIde ?? false,
    };
    if (connectsByItself(options.env, flags)) void client.#look();
    return client;
  }

  /** `off`, `searching`, `not-found`, or the state of the connection. */
  get state(): string {
    return this.connection?.state ?? this.#search;
  }

  get violations(): Transcript["violations"] {
    return this.transcript.violations;
  }

  /** The text typed by mentions so far. */
  get promptInput(): string {
    return this.inbox.promptInput;
  }

  /** The line under the prompt. */
  get badge(): string | undefined {
    return this.inbox.context && contextBadge(this.inbox.context);
  }

  get asksForBaselines(): boolean {
    return this.#tracker.asksForBaselines;
  }

  /** Edits with an unanswered openDiff. */
  get unsettled(): readonly PendingEdit[] {
    return this.#edits.filter((edit) => edit.unsettled);
  }

  /** Tools that the model may see: two names, if listed by the server. */
  get modelTools(): readonly string[] {
    const shown = ["getDiagnostics", "executeCode"];
    return (this.connection?.tools ?? [])
      .filter((name) => shown.includes(name))
      .map((name) => `mcp__ide__${name}`);
  }

  until<T>(what: string, check: () => T | undefined | false, timeoutMs?: number): Promise<T> {
    return until(what, check, timeoutMs, () => this.describe());
  }

  async untilReady(timeoutMs?: number): Promise<void> {
    await this.until("connected", () => this.connection?.ready, timeoutMs);
  }

  /** State, violations and the last entries, for messages of failed tests. */
  describe(): string {
    const { entries, violations } = this.transcript;
    const lines = entries.slice(-8).map((entry) => JSON.stringify(entry).slice(0, 300));
    return [` (state ${this.state})`, JSON.stringify(violations), ...lines].join("\n  ");
  }

  /** The command /ide: lists the available editors, including those below the cwd. */
  async listIdes(): Promise<readonly LockFile[]> {
    return offeredLocks(await listLocks(this.#options.env), this.cwd);
  }

  /** Chooses an editor from the list of /ide. */
  async connectTo(lock: LockFile): Promise<void> {
    await this.connection?.exit();
    await this.#connect(lock);
  }

  /** Sends a prompt of the person, and returns the context that the model would get. */
  async prompt(text = ""): Promise<PromptResult> {
    const { context, typed, attachments } = this.inbox.take();
    const closing = this.#link()?.callTool("closeAllDiffTabs", {});
    if (closing) await this.#assessOwn("closeAllDiffTabs", closing);
    const newDiagnostics = await this.#tracker.newDiagnostics();
    this.#tracker.forget();
    return {
      typed: typed + text,
      badge: context && contextBadge(context),
      role: this.#profile.contextRole,
      context: context && contextForModel(context, this.#profile.lineOffset),
      instructions: this.connection?.instructions ?? "",
      newDiagnostics,
      attachments,
    };
  }

  /** An edit by the model that the person must permit. */
  edit(filePath: string, proposed: string): PendingEdit {
    if (this.connection?.serverName === jetbrainsName) this.#tracker.switchOff();
    const setting: EditSetting = {
      mode: this.permissionMode,
      diffTool: this.#options.settings?.diffTool ?? "auto",
      terminalCloseTabs: this.#options.terminalCloseTabs ?? 2,
      transcript: this.transcript,
      diagnostics: this.#tracker,
      link: () => this.#link(),
      callOwn: (tool, args) => {
        const call = this.#link()?.callTool(tool, args);
        if (call) void this.#assessOwn(tool, call);
      },
    };
    const edit = new PendingEdit(filePath, proposed, setting);
    this.#edits.push(edit);
    return edit;
  }

  /** A call of an editor's tool by the model. */
  callAsModel(name: string, args: object): OutgoingCall {
    const call = this.#link()?.callTool(name, args, {
      "claudecode/toolUseId": `toolu_${this.transcript.calls(name).length + 1}`,
    });
    if (!call) throw new Error(`not connected${this.describe()}`);
    return call;
  }

  /** Presses Esc during the model's call. */
  pressEscape(call: OutgoingCall): void {
    const link = this.#link();
    link?.abandon(call.id);
    link?.notify("notifications/cancelled", { requestId: call.id, reason: "interrupted" });
  }

  async exit(): Promise<void> {
    this.#ended = true;
    await this.connection?.exit();
  }

  #link(): ClaudeLink | undefined {
    return this.connection?.ready ? this.connection.link : undefined;
  }

  async #look(): Promise<void> {
    const { pollMs = 1000, pollForMs = 30_000, env } = this.#options;
    const end = performance.now() + pollForMs;
    this.#search = "searching";
    while (!this.#ended && performance.now() <= end) {
      this.polls++;
      const lock = chooseLock(await listLocks(env), env, { cwd: this.cwd, pid: this.#pid });
      if (this.connection || this.#ended) return;
      if (lock) return this.#connect(lock);
      await sleep(pollMs);
    }
    this.#search = "not-found";
  }

  async #connect(lock: LockFile): Promise<void> {
    this.lock = lock;
    assessLock(lock, this.transcript);
    if (lock.transport !== "ws") {
      this.#search = `sse http://127.0.0.1:${lock.port}/sse`;
      return;
    }
    const host = this.#options.env.CLAUDE_CODE_IDE_HOST_OVERRIDE ?? "127.0.0.1";
    this.connection = new ClaudeConnection({
      url: `ws://${host}:${lock.port}`,
      token: lock.authToken,
      profile: this.#profile,
      pid: this.#pid,
      retryFactor: this.#options.retryFactor ?? 1,
      moreTries: this.#options.moreTries ?? 0,
      connectTimeoutMs: this.#options.connectTimeoutMs ?? 30_000,
      lenient: (this.#options.lenient ?? false) !== false,
      transcript: this.transcript,
      onNotification: (method, params, frame) => this.inbox.receive(method, params, frame),
      onRequest: (frame) => this.inbox.answer(frame),
      onLost: () => {
        this.inbox.context = undefined;
      },
    });
    await this.connection.open();
  }

  async #assessOwn(tool: string, call: OutgoingCall): Promise<Reply> {
    const reply = await call.reply;
    const failed =
      reply.kind === "error" ||
      (reply.kind === "result" && toObject(reply.result)["isError"] === true);
    if (failed) this.transcript.violate("own-call-failed", `${tool}: ${JSON.stringify(reply)}`);
    if (reply.kind === "result" && !Array.isArray(toObject(reply.result)["content"])) {
      this.transcript.violate("result-shape", `${tool}: ${JSON.stringify(reply.result)}`);
    }
    return reply;
  }
}
