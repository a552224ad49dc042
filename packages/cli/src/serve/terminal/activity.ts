import type { IdeSession } from "@idewire/core";
import { agentTitle, Method } from "@idewire/core/internal";
import type { Call } from "@idewire/core/rpc";
import type { IdeListener } from "@idewire/node-server";
import { describeHabit, isOurs, isReviewer } from "@idewire/node-server/internal";
import type { Palette } from "../../output/palette.ts";
import { line, type Printable, shorten } from "../../output/printable.ts";
import type { RateLimiter } from "../../output/rate-limiter.ts";

/** Methods that agents call at every prompt, or that the terminal shows otherwise. */
const QUIET_TOOLS: ReadonlySet<string> = new Set(["openDiff", "close_tab", "closeAllDiffTabs"]);
const KNOWN_METHODS: ReadonlySet<string> = new Set(Object.values(Method));

/** Prints briefly which agents connect and disconnect, and their requests. */
export class Activity {
  readonly #limiter: RateLimiter;
  readonly #palette: Palette;

  constructor(palette: Palette, limiter: RateLimiter) {
    this.#palette = palette;
    this.#limiter = limiter;
  }

  /** @param sessions all that are connected */
  came(session: IdeSession, sessions: Iterable<IdeSession>): void {
    if (isOurs(session.agent) || isReviewer(session.agent)) return;
    const version = shorten(session.agent?.version ?? "", 40);
    this.#print(line`${this.#palette.good("→")} ${nameOf(session)} ${version} is connected`);
    const habit = describeHabit(session.agent, sessions);
    if (habit !== "") this.#print(line`  ${this.#palette.warning(habit)}`);
  }

  left(session: IdeSession): void {
    // An agent without a name was never announced.
    if (session.agent !== undefined && !isOurs(session.agent) && !isReviewer(session.agent))
      this.#print(line`← ${nameOf(session)} has disconnected`);
  }

  asked(session: IdeSession, call: Call): void {
    const what = isOurs(session.agent) ? undefined : describeCall(call);
    if (what !== undefined) this.#print(this.#palette.dim(line`  ${nameOf(session)} ${what}`));
  }

  #print(text: Printable): void {
    this.#limiter.print(text);
  }
}

/** `Claude Code (s1)` */
export function nameOf({ agent, id }: Pick<IdeSession, "agent" | "id">): string {
  return `${shorten(agentTitle(agent), 40)} (${id})`;
}

/** The name of the agent of a session, which may have disconnected. */
export function agentOf({ sessions }: Pick<IdeListener, "sessions">, id: string): string {
  const session = [...sessions].find((each) => each.id === id);
  return session === undefined ? "an agent" : nameOf(session);
}

function describeCall({ id, method, params = {} }: Call): string | undefined {
  if (id === undefined) return undefined;
  if (method !== Method.ToolsCall) {
    return KNOWN_METHODS.has(method) ? undefined : `asks for ${shorten(method, 60)}`;
  }
  const tool = String(params["name"]);
  if (QUIET_TOOLS.has(tool)) return undefined;
  if (tool !== "getDiagnostics") return `calls ${shorten(tool, 60)}`;
  const { uri } = (params["arguments"] ?? {}) as { readonly uri?: unknown };
  const file = typeof uri === "string" ? ` of ${shorten(uri.replace(/^file:\/\//, ""), 100)}` : "";
  return `reads the diagnostics${file}`;
}
