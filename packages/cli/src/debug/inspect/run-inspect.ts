import { complain, createPrinter, type Printer } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import { openTraceFile, type PageServer } from "../../page-server/index.ts";
import { type InspectPageOptions, openInspectPage } from "../../page-server/inspect-page.ts";
import type { CliIo } from "../../process/io.ts";
import { runUntilStopped } from "../../process/run-until-stopped.ts";
import type { Stop } from "../../process/stop.ts";
import { openInBrowser } from "../../serve/browser/open-in-browser.ts";
import {
  type ChosenTarget,
  chooseTarget,
  type Inspection,
  InspectLog,
  openInspection,
  type TargetOptions,
} from "./index.ts";
import { createLogger } from "./logger.ts";
import { startupMessage, toFacts } from "./startup-message.ts";

/** The options of `idewire inspect`. */
export interface RunInspectOptions {
  readonly search: TargetOptions & { readonly cwd: string };
  readonly mode: Inspection["mode"];
  readonly listenPort: number | undefined;
  readonly json: boolean;
  /** The native path of the trace to write. */
  readonly record?: string;
  /** `open` opens it in the browser. */
  readonly page?: { readonly port?: number; readonly open: boolean };
}

/** Inspects until it is stopped; resolves to the exit code. */
export function runInspect(options: RunInspectOptions, io: CliIo): Promise<number> {
  return runUntilStopped(io, async (stop) => {
    const opened: Begin["opened"] = [];
    try {
      const chosen = await chooseTarget(options.search);
      stop.signal.throwIfAborted();
      await begin({ options, chosen, io, printer: createPrinter(io), stop, opened });
      return await stop.requested;
    } finally {
      for (const close of opened.reverse()) await close();
      io.stdin.destroy();
    }
  });
}

interface Begin {
  readonly options: RunInspectOptions;
  readonly chosen: ChosenTarget;
  readonly io: CliIo;
  readonly printer: Printer;
  readonly stop: Stop;
  /** The resources to close, in reverse order. */
  readonly opened: (() => Promise<void> | void)[];
}

/** How many events are printed of those before the connection is established. */
const MAX_EARLY = 1_000;

/** The recording and the printed lines start first, so that they miss nothing. */
async function begin({ options, chosen, io, printer, stop, opened }: Begin): Promise<void> {
  const { search, mode, listenPort, json, record, page: wanted } = options;
  const { target } = chosen;
  const log = new InspectLog();
  const warn = (words: string): void => complain(io, `warning: ${words}`);
  const logger = createLogger(printer, io, { json, isBrief: Boolean(wanted ?? record) });
  if (record !== undefined) {
    const home = io.env["HOME"];
    const { name: ide } = target;
    const trace = openTraceFile({ path: record, log: log.log, ide, home, onproblem: warn });
    opened.push(() => trace.close());
    opened.push(() => log.finish());
  }
  const early: Parameters<typeof logger>[0][] = [];
  let emit = (event: (typeof early)[number]): void => {
    // An editor may send without end before it answers: the log itself bounds what it keeps.
    if (early.length < MAX_EARLY) early.push(event);
  };
  opened.push(log.log.on("append", (event) => emit(event)));
  const inspection = await openInspection({ target, search, mode, log, listenPort });
  opened.push(() => inspection.close());
  stop.signal.throwIfAborted();
  const page =
    wanted && (await openPage({ inspection, folder: search.cwd, env: io.env }, wanted, opened));
  const link = page?.createLink();
  const shown = { ...chosen, inspection, folder: search.cwd, record, link };
  if (json) printer.json(toFacts(shown));
  else for (const words of startupMessage(shown, io, printer.palette)) printer.print(words);
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
