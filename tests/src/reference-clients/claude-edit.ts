import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { DiagnosticTracker } from "./claude-diagnostics.ts";
import type { DiffVerdict } from "./claude-diff-answer.ts";
import { assessDiffAnswer } from "./claude-diff-answer.ts";
import type { ClaudeLink, OutgoingCall } from "./claude-link.ts";
import type { Transcript } from "./transcript.ts";

export type PermissionMode = "default" | "acceptEdits" | "auto";

/** The values of `--permission-mode` (docs/clients/claude-code.md, Diffs), and the modes that they start. */
export function permissionModeOf(argument: string, version: string): PermissionMode | undefined {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const isManual = major * 1e6 + minor * 1e3 + patch >= 2_001_200;
  if (argument === "default" || (argument === "manual" && isManual)) return "default";
  return argument === "acceptEdits" || argument === "auto" ? argument : undefined;
}

export type Decision = "accept" | "reject";

export interface EditResult {
  readonly decision: "accepted" | "rejected";
  readonly by: "ide" | "terminal" | "mode";
  /** The text that the client wrote to the file; undefined if rejected. */
  readonly written: string | undefined;
  /** The model learns that the person changed the proposal. */
  readonly modifiedByUser: boolean;
  /** A rejected edit ends the turn: the model is not asked again. */
  readonly turnEnds: boolean;
  readonly newDiagnostics: string | undefined;
}

export interface EditSetting {
  readonly mode: PermissionMode;
  readonly diffTool: "auto" | "terminal";
  readonly terminalCloseTabs: 1 | 2;
  readonly transcript: Transcript;
  readonly diagnostics: DiagnosticTracker;
  /** The link if connected. */
  readonly link: () => ClaudeLink | undefined;
  /** A call by the client itself, whose failure is a fault of the server. */
  readonly callOwn: (tool: string, args: object) => void;
}

/** Where the person can decide: in both places, only in the terminal, or no longer. */
export type Asking = "ide-and-terminal" | "terminal-only" | "done";

/** An Edit or Write of the model, from the question to the file. */
export class PendingEdit {
  readonly filePath: string;
  readonly proposed: string;
  readonly tabName: string;
  readonly result: Promise<EditResult>;
  /** The link and the id of openDiff. */
  readonly openDiff: { readonly link: ClaudeLink; readonly id: number } | undefined;
  readonly #setting: EditSetting;
  readonly #terminal: Promise<Decision>;
  #decide: (decision: Decision) => void = () => {};
  #asking: Asking;

  constructor(filePath: string, proposed: string, setting: EditSetting) {
    this.filePath = filePath;
    this.proposed = proposed;
    this.#setting = setting;
    const digits = randomBytes(3).toString("hex");
    this.tabName = `✻ [Claude Code] ${basename(filePath)} (${digits}) ⧉`;
    this.#terminal = new Promise((resolve) => {
      this.#decide = resolve;
    });
    const link = this.#asksIde() ? setting.link() : undefined;
    const call = link?.callTool("openDiff", {
      old_file_path: filePath,
      new_file_path: filePath,
      new_file_contents: proposed,
      tab_name: this.tabName,
    });
    this.openDiff = link && call ? { link, id: call.id } : undefined;
    this.#asking = call ? "ide-and-terminal" : "terminal-only";
    this.result = this.#run(call);
  }

  get asking(): Asking {
    return this.#asking;
  }

  /** The terminal prompt says "Opened changes in <IDE>" for as long as it asks. */
  get reportsOpenedInIde(): boolean {
    return this.openDiff !== undefined && this.#asking !== "done";
  }

  /** Whether openDiff is unanswered. */
  get unsettled(): boolean {
    const { openDiff } = this;
    return openDiff?.link.unanswered.includes(openDiff.id) ?? false;
  }

  answerInTerminal(decision: Decision): void {
    this.#decide(decision);
  }

  #asksIde(): boolean {
    return this.#setting.mode === "default" && this.#setting.diffTool === "auto";
  }

  async #run(call: OutgoingCall | undefined): Promise<EditResult> {
    const old = await readFile(this.filePath, "utf8").catch(() => "");
    if (this.#setting.mode !== "default") return this.#finish("mode", this.proposed);
    if (call) {
      const first = await Promise.race([
        call.reply.then((reply) => assessDiffAnswer(reply, { old, proposed: this.proposed })),
        this.#terminal,
      ]);
      if (typeof first === "object") {
        const result = await this.#onVerdict(first);
        if (result) return result;
      } else {
        this.openDiff?.link.abandon(call.id);
        this.#closeTab(this.#setting.terminalCloseTabs);
        return this.#byTerminal(first);
      }
    }
    this.#asking = "terminal-only";
    return this.#byTerminal(await this.#terminal);
  }

  async #onVerdict(verdict: DiffVerdict): Promise<EditResult | undefined> {
    if (verdict.fault !== undefined) {
      this.#setting.transcript.violate(verdict.fault, `the answer for ${this.tabName}`);
    }
    this.#closeTab(verdict.kind === "undecided" ? 1 : 2);
    if (verdict.kind === "undecided") return undefined;
    return this.#finish("ide", verdict.kind === "accepted" ? verdict.text : undefined);
  }

  #byTerminal(decision: Decision): Promise<EditResult> {
    return this.#finish("terminal", decision === "accept" ? this.proposed : undefined);
  }

  #closeTab(times: number): void {
    for (let count = 0; count < times; count++) {
      this.#setting.callOwn("close_tab", { tab_name: this.tabName });
    }
  }

  async #finish(by: EditResult["by"], text: string | undefined): Promise<EditResult> {
    this.#asking = "done";
    if (text === undefined) {
      return {
        decision: "rejected",
        by,
        written: undefined,
        modifiedByUser: false,
        turnEnds: true,
        newDiagnostics: undefined,
      };
    }
    const { diagnostics } = this.#setting;
    await diagnostics.takeBaseline(this.filePath);
    await writeFile(this.filePath, text);
    return {
      decision: "accepted",
      by,
      written: text,
      modifiedByUser: text !== this.proposed,
      turnEnds: false,
      newDiagnostics: await diagnostics.newDiagnostics(),
    };
  }
}
