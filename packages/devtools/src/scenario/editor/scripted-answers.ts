import type { Dialect } from "@idewire/core";
import type { BoundTool } from "@idewire/core/internal";
import { type Clock, RpcError, ToolFailure } from "@idewire/core/rpc";
import type { CallToolResult } from "@idewire/core/server";
import type { ScenarioActions } from "../file/model.ts";

type AnswerRule = ScenarioActions["answerTool"];

/** Delays tools or makes them fail, by rules; the newest rule for a tool applies. */
export class ScriptedAnswers {
  readonly #clock: Clock;
  /** The newest first, with how often each may still be used. */
  readonly #rules: { readonly rule: AnswerRule; left: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(rule: AnswerRule): void {
    this.#rules.unshift({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
  }

  /** The same dialect, with tools that answer by the rules. */
  wrap(dialect: Dialect): Dialect {
    return {
      ...dialect,
      createTools: (host, platform) =>
        dialect.createTools(host, platform).map((tool) => this.#wrapTool(tool)),
    };
  }

  #wrapTool(tool: BoundTool): BoundTool {
    return {
      ...tool,
      run: (args, call) => {
        const found = this.#rules.find(({ rule, left }) => left > 0 && rule.tool === tool.name);
        if (found === undefined) return tool.run(args, call);
        found.left -= 1;
        return this.#answer(found.rule, call.signal, () => tool.run(args, call));
      },
    };
  }

  async #answer(
    { error, failure, afterMs }: AnswerRule,
    signal: AbortSignal,
    run: () => CallToolResult | Promise<CallToolResult>,
  ): Promise<CallToolResult> {
    if (afterMs !== undefined) await this.#wait(afterMs, signal);
    if (error !== undefined) throw new RpcError(error.code, error.message);
    if (failure !== undefined) throw new ToolFailure(failure);
    return run();
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.setTimeout(resolve, ms);
      const stop = () => {
        this.#clock.clearTimeout(timer);
        resolve();
      };
      signal.addEventListener("abort", stop, { once: true });
    });
  }
}
