import {
  claudeCode,
  type Dialect,
  type DiffOutcome,
  type DiffRequest,
  defaultSharePolicy,
  type EditorHost,
  isInside,
  jetBrains,
  neovim,
  type Platform,
  type PosixPath,
  parsePosixPath,
  relativeTo,
  type SharePolicy,
  seed002,
  toNativePath,
} from "@idewire/core";
import type { Clock, Transport } from "@idewire/core/rpc";
import type { Scenario, ScenarioDialect } from "../file/model.ts";
import type { PathWords } from "../pattern/pattern.ts";
import { DiffRules } from "./diff-rules.ts";
import { ScriptedAnswers } from "./scripted-answers.ts";
import { ScriptedEditor } from "./scripted-editor.ts";
import { SeenLog } from "./seen.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

const dialects: Readonly<Record<ScenarioDialect, Dialect>> = {
  "claude-code": claudeCode,
  "seed-002": seed002,
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

/** The editor and the person of a scenario, and the log of what agents do. */
export class ScriptedIde implements PathWords {
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
    this.#folder = folder;
    this.#platform = platform;
    this.files = files;
    this.clock = clock;
    this.log = new SeenLog(now);
    this.scripted = new ScriptedEditor({
      name: header.editor ?? DEFAULT_NAME,
      ...{ folder, platform, files, without: header.without ?? [] },
    });
    this.host = this.scripted.host;
    const note = (request: DiffRequest, outcome: DiffOutcome["kind"] | "shown") => {
      const filePath = this.#nameOf(request);
      this.log.add({ kind: "diff", outcome, filePath, title: request.title });
    };
    const { events } = this.scripted.editor.diffs;
    events.on("diffOpened", ({ request }) => note(request, "shown"));
    events.on("diffClosed", ({ request }, { kind }) => note(request, kind));
    this.diffRules = new DiffRules(this.scripted.editor, clock, (request) => this.#nameOf(request));
    this.answers = new ScriptedAnswers(clock);
    this.dialect = this.answers.wrap(dialects[header.dialect ?? "claude-code"]);
    this.share = { ...defaultSharePolicy, level: header.share ?? defaultSharePolicy.level };
  }

  /** The editor's name. */
  get editor(): string {
    return this.host.info.name;
  }

  /** Records what passes over the transport of one agent. */
  watch(transport: Transport): Transport {
    return this.log.watch(transport, this.editor);
  }

  /** The path of a file of the workspace; the name must have been checked. */
  fileAt(filePath: string): PosixPath {
    const path = parsePosixPath(`${this.#folder}/${filePath}`);
    if (path.ok) return path.value;
    throw new Error(path.issue);
  }

  path(filePath: string): string {
    return toNativePath(this.fileAt(filePath), this.#platform);
  }

  uri(filePath: string): string {
    return `file://${this.path(filePath)}`;
  }

  #nameOf({ path }: DiffRequest): string {
    const isOurs = isInside(this.#folder, path, this.#platform);
    return isOurs ? relativeTo(this.#folder, path) : toNativePath(path, this.#platform);
  }
}
