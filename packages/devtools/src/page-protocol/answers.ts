import { type Change, changeStates, exactly, isObject } from "@idewire/core/internal";
import * as v from "valibot";
import type { CheckResult } from "../checks/verdict.ts";
import type { FoundFile } from "../text-search/search-files.ts";
import type { TraceEvent } from "../trace/format/trace-event.ts";
import { commentEvents, commentResults } from "./comment-schemas.ts";
import type {
  EditorInspectionFacts,
  InspectedServerFacts,
  ServerInspectionFacts,
} from "./inspect-methods.ts";
import type {
  AgentSessionFacts,
  AgentStart,
  ConnectedAgent,
  DoctorStep,
  PageChangeTexts,
  PageEvent,
  PageEvents,
  PageMethod,
  PageMethods,
} from "./methods.ts";

const none = v.object({});
const text = v.string();
const texts = v.array(text);
const number = v.number();
const boolean = v.boolean();

const record = v.custom<Readonly<Record<string, unknown>>>(isObject, "Expected an object");

const editorInspection = exactly<EditorInspectionFacts>()(
  v.object({
    mode: v.picklist(["proxy", "agent"]),
    editor: v.object({
      name: text,
      host: text,
      port: number,
      pid: v.optional(number),
      lockFile: text,
      folders: texts,
    }),
    proxy: v.exactOptional(v.object({ port: number, lockFile: text })),
  }),
);

const inspectedServer = exactly<InspectedServerFacts>()(
  v.object({
    name: text,
    shell: text,
    target: v.exactOptional(
      v.union([v.object({ url: text }), v.object({ command: text, args: texts })]),
    ),
    state: v.picklist(["connecting", "open", "closed"]),
    problem: v.exactOptional(text),
    login: v.exactOptional(text),
    ch: v.exactOptional(text),
    info: v.exactOptional(
      v.object({
        name: text,
        version: text,
        protocol: text,
        era: v.picklist(["legacy", "modern"]),
        instructions: v.exactOptional(text),
        capabilities: record,
      }),
    ),
    questions: v.array(
      v.object({
        id: number,
        method: v.picklist(["sampling/createMessage", "elicitation/create"]),
        params: record,
      }),
    ),
    roots: texts,
    subscriptions: texts,
  }),
);

const inspection = v.union([
  editorInspection,
  exactly<ServerInspectionFacts>()(
    v.object({ mode: v.literal("server"), servers: v.array(inspectedServer) }),
  ),
]);

const agentEntries = { name: text, title: text, version: text, pid: v.exactOptional(number) };

const agent = exactly<ConnectedAgent>()(v.object(agentEntries));

const session = exactly<AgentSessionFacts>()(
  v.object({
    ...agentEntries,
    session: text,
    sessionTitle: v.exactOptional(text),
    state: v.picklist(["starting", "ready"]),
    mode: v.picklist(["unknown", "asks", "writes", "no-diffs"]),
    diffs: texts,
  }),
);

const change = exactly<Change>()(
  v.object({
    ...{ id: text, path: text, agent: text, session: v.exactOptional(text) },
    ...{ state: v.picklist(changeStates), added: number, removed: number },
    ...{ openedMs: number, endedMs: v.exactOptional(number) },
    ...{ turn: v.exactOptional(text), isCertain: v.exactOptional(boolean) },
    ...{ isReadable: boolean, version: number },
  }),
);

const changeTexts = exactly<PageChangeTexts>()(
  v.object({
    version: number,
    ...{ before: v.exactOptional(text), after: v.exactOptional(text) },
    undecided: v.exactOptional(v.object({ before: text, written: text })),
  }),
);

const start = exactly<AgentStart>()(
  v.object({
    folder: text,
    agents: v.array(v.object({ name: text, command: text, hint: v.exactOptional(text) })),
    lockFile: v.exactOptional(text),
  }),
);

const step = exactly<DoctorStep>()(
  v.object({
    id: text,
    title: text,
    outcome: v.picklist(["ok", "warning", "failed", "skipped"]),
    detail: text,
    advice: v.exactOptional(v.array(v.object({ words: text, command: v.exactOptional(text) }))),
  }),
);

// Only checked to be objects: there are many, and the server has the same version.
const events = v.array(v.custom<TraceEvent>(isObject, "Expected an event"));

/** How the result of each method is checked. */
export const pageResults: {
  readonly [M in PageMethod]: v.GenericSchema<unknown, PageMethods[M]["result"]>;
} = {
  "live/join": v.object({
    key: text,
    folder: text,
    start: v.exactOptional(start),
    again: v.exactOptional(text),
    began: v.exactOptional(number),
    inspection: v.exactOptional(inspection),
    comments: v.exactOptional(v.literal(true)),
  }),
  "live/link": v.object({ url: text }),
  "live/check-targets": v.object({
    targets: v.array(
      v.object({ id: text, name: text, port: number, folders: texts, own: boolean }),
    ),
  }),
  "live/check": v.object({ ok: boolean, ms: number }),
  "live/check-stop": none,
  "live/files": none,
  "search/run": v.object({
    files: number,
    cut: v.exactOptional(v.picklist(["lines", "time", "units", "stopped"])),
  }),
  "search/stop": none,
  "live/doctor": v.object({
    agents: v.array(agent),
    rules: texts,
    command: text,
  }),
  "changes/read": changeTexts,
  "changes/decide": v.object({ version: number, refused: number, unsaved: boolean }),
  "changes/comment": v.object({
    message: text,
    file: v.exactOptional(text),
    problem: v.exactOptional(text),
  }),
  "changes/undo-turn": v.object({ undone: texts, problems: texts }),
  ...commentResults,
  "inspect/send": v.object({ sent: boolean }),
  "inspect/request": v.object({ failure: v.exactOptional(text) }),
  "inspect/cancel": none,
  "inspect/answer": none,
  "inspect/settings": none,
  "inspect/connect": none,
  "inspect/app": v.object({ path: text, ch: text, policy: text, refused: texts }),
  "inspect/app-frame": none,
  "inspect/app-close": none,
};

/** How the parameters of each event are checked. */
export const pageEvents: {
  readonly [E in PageEvent]: v.GenericSchema<unknown, PageEvents[E]>;
} = {
  "live/events": v.object({ events, inspection: v.exactOptional(inspection) }),
  "inspect/facts": v.object({ inspection }),
  "inspect/sent": v.object({ key: text, ch: text, id: number }),
  "live/joined": v.object({ rowsBefore: v.number() }),
  "live/files": v.object({ files: texts, cut: boolean }),
  "live/agents": v.object({ agents: v.array(session) }),
  "live/changes": v.object({ changes: v.array(change) }),
  "live/notice": v.object({ words: text }),
  "live/stale": v.object({ path: text }),
  "live/check-result": v.object({
    run: number,
    result: v.custom<CheckResult>(isObject, "Expected a result"),
    events,
  }),
  // Checked to be objects only, as events are.
  "search/found": v.object({
    run: number,
    found: v.array(v.custom<FoundFile>(isObject, "Expected a file")),
  }),
  "live/doctor-step": v.object({ run: number, step, count: number }),
  ...commentEvents,
};
