import {
  claudeCode,
  claudeCodeSpec,
  type Dialect,
  type DiffRequest,
  defaultSharePolicy,
  type EditorHost,
  isInside,
  jetBrains,
  neovim,
  type Platform,
  type PosixPath,
  parsePosixPath,
  type SharePolicy,
  toNativePath,
} from "@idewire/core";
import { relativeTo } from "@idewire/core/internal";
import type { Clock, Transport } from "@idewire/core/rpc";
import type { InMemoryEditor } from "@idewire/core/testing";
import type { ActionEvent } from "../../trace/format/trace-event.ts";
import { EventLog } from "../../trace/recording/event-log.ts";
import type { Scenario, ScenarioDialect } from "../file/model.ts";
import { DiffRules } from "./diff-rules.ts";
import type { ScenarioIde } from "./scenario-ide.ts";
import { ScriptedAnswers } from "./scripted-answers.ts";
import { ScriptedEditor } from "./scripted-editor.ts";
import { SeenLog, watchDiffs } from "./seen.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

const dialects: Readonly<Record<ScenarioDialect, Dialect>> = {
  "claude-code": claudeCode,
  "claude-code-spec": claudeCodeSpec,
  jetbrains: jetBrains,
  neovim,
};

const DEFAULT_NAME = "Simulated Editor";

/** The surroundings of a {@link ScriptedIde}. */
export interface ScriptedIdeOptions {
  /** The real path of the workspace. */
  readonly folder: PosixPath;
  readonly platform: Platform;
  readonly files: WorkspaceFiles;
  readonly clock: Clock;
  readonly now: () => number;
}

/** How much text of the trace is retained for a report, in UTF-16 units. */
const MAX_UNITS = 1 << 24;

/** The editor and the person of a scenario, and the log of what agents do. */
export class ScriptedIde implements ScenarioIde {
  readonly host: EditorHost;
  readonly scripted: ScriptedEditor;
  readonly diffRules: DiffRules;
  readonly answers: ScriptedAnswers;
  readonly files: WorkspaceFiles;
  readonly log: SeenLog;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly share: SharePolicy;
  readonly #folder: PosixPath;
  readonly #platform: Platform;

  constructor({ header }: Scenario, options: ScriptedIdeOptions) {
    const { folder, platform, files, clock, now } = options;
    const name = header.editor ?? DEFAULT_NAME;
    this.#folder = folder;
    this.#platform = platform;
    this.files = files;
    this.clock = clock;
    this.log = new SeenLog(new EventLog({ now, maxUnits: MAX_UNITS }), name);
    this.scripted = new ScriptedEditor({
      ...{ name, folder, platform, files, without: header.without ?? [] },
    });
    this.host = this.scripted.host;
    const nameOf = (request: DiffRequest) => this.#nameOf(request);
    watchDiffs(this.editor, this.log, nameOf);
    this.diffRules = new DiffRules(this.editor, clock, nameOf);
    this.answers = new ScriptedAnswers(clock);
    this.dialect = this.answers.wrap(dialects[header.dialect ?? "claude-code"]);
    this.share = { ...defaultSharePolicy, level: header.share ?? defaultSharePolicy.level };
  }

  get name(): string {
    return this.host.name;
  }

  get editor(): InMemoryEditor {
    return this.scripted.editor;
  }

  /** Records the traffic of one agent's transport. */
  watch(transport: Transport): Transport {
    return this.log.watch(transport);
  }

  pathOf(path: string): PosixPath {
    const parsed = parsePosixPath(`${this.#folder}/${path}`);
    if (parsed.ok) return parsed.value;
    throw new Error(parsed.issue);
  }

  path(path: string): string {
    return toNativePath(this.pathOf(path), this.#platform);
  }

  record(who: ActionEvent["who"], text: string): void {
    this.log.trace.append({ ev: "action", who, text });
  }

  #nameOf({ path }: DiffRequest): string {
    const isOurs = isInside(this.#folder, path, this.#platform);
    return isOurs ? relativeTo(this.#folder, path) : toNativePath(path, this.#platform);
  }
}
