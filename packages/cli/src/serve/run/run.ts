import { constants } from "node:os";
import { shellQuote } from "@idewire/core/internal";
import { complain, complainOf, createPrinter } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import { type AgentProcess, startAgent } from "../../process/agent-process.ts";
import { ExitCode } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { isOnPath } from "../../process/is-on-path.ts";
import { serve } from "../serve.ts";
import type { ServeOptions } from "../serve-options.ts";
import { createAgentFrontend } from "./agent-frontend.ts";
import {
  agentArguments,
  agentEnvironment,
  type RunnableAgent,
  type TargetEditor,
} from "./agents.ts";
import { denyRules, fittingRules, withDenyRules } from "./deny-rules.ts";
import { OpencodeReviews, prepareOpencode } from "./opencode-reviews.ts";
import { RunLog } from "./run-log.ts";
import { findServed } from "./served-editor.ts";

/** The options of `idewire run`. */
export interface RunOptions {
  /** The agent; one outside the table has only its command. */
  readonly agent: RunnableAgent;
  /** Its arguments, as typed. */
  readonly given: readonly string[];
  /** How the folder is served, unless it is served already. */
  readonly serve: ServeOptions;
  /** The process or the port of the requested editor. */
  readonly editor?: number;
  /** The options for serving the folder, as typed. */
  readonly serveFlags: readonly string[];
}

/** Runs an agent in this terminal, connected to the editor of a folder; resolves to its exit code. */
export async function run(options: RunOptions, io: CliIo): Promise<number> {
  const { agent, serve: requested, editor: named, serveFlags } = options;
  if (!isOnPath(agent.command, requested.folder, io.env)) {
    const advice = agent.install === "" ? "" : `\nInstall it: ${agent.install}`;
    complain(io, `${shellQuote(agent.command)} is not on the PATH.${advice}`);
    return ExitCode.NotFound;
  }
  try {
    const served = await findServed(requested.folder, withoutTerminal(io.env), named);
    if (served === undefined) return await serveAndRun(options, io);
    const { print } = createPrinter(io);
    print(
      line`${served.name} (process ${served.pid ?? "?"}) is the editor of ${served.folders[0] ?? ""}`,
    );
    for (const flag of serveFlags) {
      complain(io, `${flag} has no effect: the folder is served already`);
    }
    const excluded = { folders: served.folders, globs: served.exclude };
    return await new AgentRun(options, excluded, io).run(served);
  } catch (error) {
    complainOf(io, error);
    return ExitCode.Failed;
  }
}

/** The terminal of another editor sets that editor's variables. */
function withoutTerminal(env: CliIo["env"]): CliIo["env"] {
  return { ...env, CLAUDE_CODE_SSE_PORT: undefined, CLAUDE_CODE_IDE_SKIP_VALID_CHECK: undefined };
}

async function serveAndRun(options: RunOptions, io: CliIo): Promise<number> {
  const { folder, listen } = options.serve;
  const log = new RunLog(io.env);
  const excluded = { folders: [folder], globs: listen.exclude ?? [] };
  const agent = new AgentRun(options, excluded, io);
  const frontend = createAgentFrontend({
    io,
    log: { stderr: log.output },
    runAgent: (editor) => agent.run(editor),
  });
  const quiet: CliIo = {
    ...io,
    stderr: log.output,
    onSignal: (listener) => io.onSignal((signal) => agent.takes(signal) || listener(signal)),
  };
  const code = await serve(options.serve, frontend, quiet);
  listWarnings(log, io);
  return code;
}

function listWarnings(log: RunLog, io: CliIo): void {
  const { listed, count } = log.lines;
  if (count === 0) return;
  const more = count > listed.length ? `\n… and ${count - listed.length} more lines` : "";
  complain(io, `while the agent ran (also in ${log.path}):\n${listed.join("\n")}${more}`);
}

interface Excluded {
  /** Native. */
  readonly folders: readonly string[];
  readonly globs: readonly string[];
}

/** An agent in this terminal. */
class AgentRun {
  readonly #options: RunOptions;
  readonly #excluded: Excluded;
  readonly #io: CliIo;
  #process: AgentProcess | undefined;
  #hasRun = false;

  constructor(options: RunOptions, excluded: Excluded, io: CliIo) {
    this.#options = options;
    this.#excluded = excluded;
    this.#io = io;
  }

  async run(editor: TargetEditor): Promise<number> {
    const { agent, given, serve: requested } = this.#options;
    const args = await this.#arguments();
    const { env: own } = this.#io;
    const opencode = agent.reviews === undefined ? undefined : await prepareOpencode(given, own);
    this.#advise();
    const env = agentEnvironment(agent, opencode?.env ?? own, editor);
    this.#process = startAgent(
      [agent.command, ...(opencode?.args ?? []), ...args],
      { cwd: requested.folder, env, ownsTerminal: true },
      this.#io,
    );
    const { pid } = this.#process;
    const place = { editor, folder: requested.folder, pid };
    const reviews = opencode && new OpencodeReviews({ ...place, start: opencode });
    // Until this process ends: the Ctrl-C that ended the agent may arrive here after the agent's end.
    this.#io.onSignal((signal) => this.#passOn(signal));
    const end = await this.#process.ended;
    reviews?.close();
    this.#process = undefined;
    this.#hasRun = true;
    if ("fault" in end) {
      complain(this.#io, end.fault);
      return ExitCode.Failed;
    }
    return end.code ?? 128 + (end.signal === undefined ? 0 : constants.signals[end.signal]);
  }

  /** Whether a signal is for the agent, which decides when to exit; after its end Ctrl-C still is. */
  takes(signal: NodeJS.Signals): boolean {
    if (this.#process !== undefined) return true;
    return this.#hasRun && signal === "SIGINT";
  }

  #passOn(signal: NodeJS.Signals): void {
    // The terminal has also sent its Ctrl-C to the agent.
    const { stdin, job } = this.#io;
    const isTyped = signal === "SIGINT" && stdin.isTTY === true && job?.isForeground() !== false;
    if (!isTyped) this.#process?.kill(signal);
  }

  #arguments(): Promise<readonly string[]> {
    const { agent, given, serve: requested } = this.#options;
    const args = agentArguments(agent, given);
    if (agent.denies === undefined) return Promise.resolve(args);
    return withDenyRules(args, fittingRules(this.#rules), requested.folder);
  }

  get #rules(): readonly string[] {
    const { folders, globs } = this.#excluded;
    return denyRules(folders, globs);
  }

  #advise(): void {
    const { print } = createPrinter(this.#io);
    const { title, hint, denies } = this.#options.agent;
    if (this.#excluded.globs.length > 0) {
      print(
        denies === undefined
          ? line`  ${title} has no rules that exclude files: it can read them`
          : line`  ${title} is denied reading and editing the excluded files; its shell commands can still read them`,
      );
    }
    const left = this.#rules.length - fittingRules(this.#rules).length;
    if (denies !== undefined && left > 0) {
      print(
        line`  ${left} rules for excluded files are too many for its arguments: it can read those`,
      );
    }
    if (hint !== undefined) print(line`  In ${title}, ${hint}: then it connects`);
  }
}
