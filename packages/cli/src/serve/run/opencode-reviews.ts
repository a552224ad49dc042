import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createToken, isObject, parseJson } from "@idewire/core/internal";
import { connectIde, type IdeConnection } from "@idewire/node-server";
import { OPENCODE_REVIEWS } from "@idewire/node-server/internal";
import { readVersion } from "../../process/version.ts";
import type { TargetEditor } from "./agents.ts";
import { findProposal, type OpencodePermission, readPermission } from "./opencode-proposal.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The polling interval for opencode's permission requests. */
const LOOK_MS = 500;

/** An answer takes a few milliseconds. */
const ANSWER_MS = 3_000;

/** How to start opencode so that its edits can be reviewed in an editor. */
export interface OpencodeStart {
  readonly port: number;
  readonly args: readonly string[];
  readonly env: Env;
}

/**
 * Edits require permission, and opencode's own server on loopback, with a password, lists the requests
 * (docs/clients/opencode.md, Permissions). Undefined if the person uses another server or a sub-command.
 */
export async function prepareOpencode(
  given: readonly string[],
  env: Env,
): Promise<OpencodeStart | undefined> {
  const isOwn = given.some((word) => /^--(port|hostname)\b/.test(word));
  if (isOwn || (given[0] !== undefined && !given[0].startsWith("-"))) return undefined;
  const port = await findPort();
  const permission = askForEdits(env["OPENCODE_PERMISSION"]);
  return {
    port,
    args: ["--port", String(port)],
    env: {
      ...env,
      OPENCODE_SERVER_PASSWORD: createToken(),
      ...(permission !== undefined && { OPENCODE_PERMISSION: permission }),
    },
  };
}

/** The person's settings take precedence; undefined for anything but an object. */
function askForEdits(given = "{}"): string | undefined {
  try {
    const rules = parseJson(given);
    return isObject(rules) ? JSON.stringify({ edit: "ask", ...rules }) : undefined;
  } catch {
    return undefined;
  }
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

interface PostedJson {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface OpencodeReviewsOptions {
  readonly start: OpencodeStart;
  readonly editor: TargetEditor;
  /** Native. */
  readonly folder: string;
  /** The process of opencode. */
  readonly pid: number | undefined;
}

/** Shows opencode's permission requests as diffs in an editor, and answers them. The caller closes it. */
export class OpencodeReviews {
  readonly #options: OpencodeReviewsOptions;
  readonly #end = new AbortController();
  /** The requests that are handled, until they are no longer listed. */
  readonly #shown = new Map<string, AbortController>();
  #editor: Promise<IdeConnection> | undefined;

  constructor(options: OpencodeReviewsOptions) {
    this.#options = options;
    // Before opencode connects, so that its edits count as reviewed.
    this.#connect().catch(() => undefined);
    void this.#follow();
  }

  close(): void {
    this.#end.abort();
    for (const review of this.#shown.values()) review.abort();
    this.#editor?.then((editor) => editor.close()).catch(() => undefined);
  }

  /** Polls for pending requests: unlike an event stream this needs no state. */
  async #follow(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      // It has not started yet.
      await this.#look().catch(() => undefined);
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Shows new requests, and closes those that were answered in its terminal. */
  async #look(): Promise<void> {
    const pending: unknown = await (await this.#fetch("/permission")).json();
    const permissions = (Array.isArray(pending) ? (pending as readonly unknown[]) : []).flatMap(
      (each) => readPermission(each) ?? [],
    );
    for (const permission of permissions) void this.#show(permission);
    const ids = new Set(permissions.map(({ id }) => id));
    for (const [id, review] of this.#shown) if (!ids.has(id)) review.abort();
  }

  async #show(permission: OpencodePermission): Promise<void> {
    if (this.#shown.has(permission.id)) return;
    const review = new AbortController();
    this.#shown.set(permission.id, review);
    // It is answered in its terminal, which asks, too.
    await this.#review(permission, review.signal).catch(() => undefined);
    // A list that was requested before the answer still has it: it must not be shown again.
    await untilAborted(review.signal);
    this.#shown.delete(permission.id);
  }

  async #review(permission: OpencodePermission, signal: AbortSignal): Promise<void> {
    const newText = await this.#proposalOf(permission);
    // Only opencode's own terminal asks for it.
    if (newText === undefined) return;
    const editor = await this.#connect();
    const tabName = `opencode: ${permission.id}`;
    const answer = await editor.openDiff({ filePath: permission.path, newText, tabName }, signal);
    if (answer.kind === "rejected") {
      const { comments: message } = answer;
      await this.#reply(permission, { reply: "reject", ...(message !== undefined && { message }) });
      return;
    }
    if (!answer.edited) await this.#reply(permission, { reply: "once" });
    else await this.#reply(permission, { reply: "reject", message: describeEdited(answer.text) });
  }

  async #proposalOf(permission: OpencodePermission): Promise<string | undefined> {
    const message: unknown = await (
      await this.#fetch(`/session/${permission.session}/message/${permission.message}`)
    ).json();
    const current = await readFile(permission.path, "utf8").catch(() => undefined);
    return findProposal(permission, message, current);
  }

  async #reply({ id }: OpencodePermission, reply: object): Promise<void> {
    await this.#fetch(`/permission/${id}/reply`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(reply),
    });
  }

  async #fetch(path: string, init?: PostedJson): Promise<Response> {
    const { port, env } = this.#options.start;
    const password = Buffer.from(`opencode:${env["OPENCODE_SERVER_PASSWORD"] ?? ""}`);
    const headers = { ...init?.headers, authorization: `Basic ${password.toString("base64")}` };
    // Requests during its start are never answered (1.18.33).
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(ANSWER_MS)]);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers, signal });
    if (!response.ok) throw new Error(`opencode answered ${path} with ${response.status}`);
    return response;
  }

  /** For the editor these diffs come from a separate agent. */
  #connect(): Promise<IdeConnection> {
    const { start, editor, folder, pid } = this.#options;
    this.#editor ??= connectIde({
      ...{ name: OPENCODE_REVIEWS, version: readVersion(), cwd: folder },
      env: { ...start.env, CLAUDE_CODE_SSE_PORT: String(editor.port) },
      ...(pid !== undefined && { pid }),
    }).catch((error: unknown) => {
      // Retried at the next edit.
      this.#editor = undefined;
      throw error;
    });
    return this.#editor;
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

/** opencode writes only its own text: the person's text has to be proposed by the model again. */
function describeEdited(text: string): string {
  return `The person has edited your proposal. Write the file with exactly this text:\n${text}`;
}
