import { editorEnds, mcpEnds } from "@idewire/devtools/internal";
import type { Palette } from "../../output/palette.ts";
import { complain, createPrinter, type Printer } from "../../output/print.ts";
import { line, type Printable } from "../../output/printable.ts";
import { openTraceFile, type PageServer } from "../../page-server/index.ts";
import { type InspectPageOptions, openInspectPage } from "../../page-server/inspect-page.ts";
import type { CliIo } from "../../process/io.ts";
import { runUntilStopped } from "../../process/run-until-stopped.ts";
import type { Stop } from "../../process/stop.ts";
import { openInBrowser } from "../../serve/browser/open-in-browser.ts";
import {
  chooseTarget,
  type EditorInspection,
  type Inspection,
  InspectLog,
  openInspection,
  type TargetOptions,
} from "./index.ts";
import { createLogger } from "./logger.ts";
import type { NamedRun } from "./server/open-servers.ts";
import {
  type ShownInspection,
  serverMessage,
  startupMessage,
  toFacts,
  toServerFacts,
} from "./startup-message.ts";

/** The options of `idewire inspect`. */
export interface RunInspectOptions {
  readonly subject: EditorSubject | ServerSubject;
  readonly json: boolean;
  /** The native path of the trace to write. */
  readonly record?: string;
  /** `open` opens it in the browser. */
  readonly page?: { readonly port?: number; readonly open: boolean };
}

/** The editor of a folder. */
export interface EditorSubject {
  readonly search: TargetOptions & { readonly cwd: string };
  readonly mode: EditorInspection["mode"];
  readonly listenPort: number | undefined;
}

/** MCP servers. */
export interface ServerSubject {
  readonly servers: readonly NamedRun[];
}

/** Inspects until it is stopped; resolves to the exit code. */
export function runInspect(options: RunInspectOptions, io: CliIo): Promise<number> {
  return runUntilStopped(io, async (stop) => {
    const opened: Begin["opened"] = [];
    try {
      const { subject } = options;
      const find = "servers" in subject ? findServers : findEditor;
      const found = await find(subject as EditorSubject & ServerSubject, { io, stop });
      stop.signal.throwIfAborted();
      await begin({ options, found, io, printer: createPrinter(io), stop, opened });
      return await stop.requested;
    } finally {
      for (const close of opened.reverse()) await close();
      io.stdin.destroy();
    }
  });
}

interface Begin {
  readonly options: RunInspectOptions;
  readonly found: FoundSubject;
  readonly io: CliIo;
  readonly printer: Printer;
  readonly stop: Stop;
  /** The resources to close, in reverse order. */
  readonly opened: (() => Promise<void> | void)[];
}

/** The subject of an inspection before its start. */
interface FoundSubject {
  /** For the head of a recording. */
  readonly name: string;
  /** Native: where agents are started. */
  readonly folder: string;
  open(log: InspectLog): Promise<Opened>;
}

interface Opened {
  readonly inspection: Inspection;
  /** As the first line for programs. */
  facts(shown: ShownInspection): object;
  message(shown: ShownInspection, palette: Palette): readonly Printable[];
}

interface Place {
  readonly io: CliIo;
  readonly stop: Stop;
}

async function findEditor(subject: EditorSubject, { io }: Place): Promise<FoundSubject> {
  const { search, mode, listenPort } = subject;
  const chosen = await chooseTarget(search);
  const { target } = chosen;
  return {
    name: target.name,
    folder: search.cwd,
    async open(log) {
      const inspection = await openInspection({ target, search, mode, log, listenPort });
      const started = { ...chosen, inspection, folder: search.cwd };
      return {
        inspection,
        facts: (shown) => toFacts({ ...started, ...shown }),
        message: (shown, palette) => startupMessage({ ...started, ...shown }, io, palette),
      };
    },
  };
}

async function findServers({ servers: runs }: ServerSubject, place: Place): Promise<FoundSubject> {
  // The client and OAuth are loaded only for MCP servers.
  const { openServers } = await import("./server/open-servers.ts");
  const { io } = place;
  return {
    name: runs.map(({ name }) => name).join(", "),
    folder: io.cwd,
    async open(log) {
      const inspection = openServers(runs, { ...place, log });
      const { servers } = inspection;
      return {
        inspection,
        facts: (shown) => toServerFacts(servers.facts, shown),
        message: (shown, palette) => serverMessage(servers.facts, shown, { io, palette }),
      };
    },
  };
}

/** How many events are printed of those before the connection is established. */
const MAX_EARLY = 1_000;

/** The recording and the printed lines start first, so that they miss nothing. */
async function begin({ options, found, io, printer, stop, opened }: Begin): Promise<void> {
  const { json, record, page: wanted } = options;
  const log = new InspectLog();
  const warn = (words: string): void => complain(io, `warning: ${words}`);
  const isOfServers = "servers" in options.subject;
  const logger = createLogger(printer, io, {
    json,
    isBrief: Boolean(wanted ?? record),
    ends: isOfServers ? mcpEnds : editorEnds,
  });
  if (record !== undefined) {
    const home = io.env["HOME"];
    const names = isOfServers ? { server: found.name } : { ide: found.name };
    const trace = openTraceFile({ path: record, log: log.log, names, home, onproblem: warn });
    opened.push(() => trace.close());
    opened.push(() => log.finish());
  }
  const early: Parameters<typeof logger>[0][] = [];
  let emit = (event: (typeof early)[number]): void => {
    // An editor may send any number of frames before it answers; the log has its own limit.
    if (early.length < MAX_EARLY) early.push(event);
  };
  opened.push(log.log.on("append", (event) => emit(event)));
  const started = await found.open(log);
  const { inspection } = started;
  opened.push(() => inspection.close());
  stop.signal.throwIfAborted();
  const page =
    wanted && (await openPage({ inspection, folder: found.folder, env: io.env }, wanted, opened));
  const shown = { record, link: page?.createLink() };
  if (json) printer.json(started.facts(shown));
  else for (const words of started.message(shown, printer.palette)) printer.print(words);
  for (const event of early) logger(event);
  emit = logger;
  if (page !== undefined && !json) offerLinks(page, io, printer);
  if (page !== undefined && wanted?.open === true) {
    openInBrowser({ env: io.env, createLink: () => page.createLink(), warn });
  }
}

async function openPage(
  shown: Pick<InspectPageOptions, "inspection" | "folder" | "env">,
  { port }: { readonly port?: number },
  opened: Begin["opened"],
): Promise<PageServer> {
  const page = await openInspectPage({ ...shown, ...(port !== undefined && { port }) });
  opened.push(() => page.close());
  return page;
}

/** Each link is valid once: Enter creates another. */
function offerLinks(page: PageServer, { stdin }: CliIo, { print, palette }: Printer): void {
  if (stdin.isTTY !== true) return;
  stdin.on("data", () => print(line`  page        ${palette.bold(page.createLink())}`));
}
