import { closeSync, openSync, writeSync } from "node:fs";
import { setImmediate } from "node:timers";
import { IdewireError } from "@idewire/core/rpc";
import {
  createRedactor,
  EventRecorder,
  formatTraceEvent,
  formatTraceHeader,
} from "@idewire/devtools/internal";
import type { EventLog, TraceHeader } from "@idewire/devtools/trace";
import { codeOf } from "@idewire/node-server/internal";

/** A trace file being written. */
export interface TraceFile {
  close(): void;
}

/** The log to record, and the file. */
export interface TraceFileOptions {
  /** Native; it must not exist yet. */
  readonly path: string;
  readonly log: EventLog;
  /** The editor, or the MCP servers. */
  readonly names: Pick<TraceHeader, "ide" | "server">;
  readonly home?: string | undefined;
  /** Called when writing fails, after which nothing more is written. */
  readonly onproblem: (words: string) => void;
}

/**
 * Writes the events of a log to a file, line by line, without tokens, homes and names. Each line is written at
 * once, so that a crash leaves a readable trace.
 * @throws IdewireError `file-system` when the file cannot be created, or exists already
 */
export function openTraceFile(options: TraceFileOptions): TraceFile {
  const { path, log, names, home, onproblem } = options;
  const redactor = createRedactor(home === undefined ? {} : { homes: [home] });
  let file: number | undefined = create(path);
  const end = (): void => {
    undo();
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const write = (text: string): void => {
    if (file === undefined) return;
    try {
      writeSync(file, text);
    } catch (error) {
      end();
      onproblem(`the recording ends here: ${path} cannot be written (${codeOf(error)})`);
    }
  };
  const recorder = new EventRecorder({
    redactor,
    take: (event) => write(formatTraceEvent(event)),
    defer: setImmediate,
  });
  const undo = log.on("append", (event) => recorder.add(event));
  const created = new Date().toISOString();
  write(formatTraceHeader({ created, ...names, redacted: redactor.kinds }));
  const close = (): void => {
    recorder.finish();
    end();
  };
  return { close };
}

function create(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (cause) {
    const code = codeOf(cause);
    const why =
      code === "EEXIST" ? "exists already; choose another name" : `cannot be created (${code})`;
    throw new IdewireError("file-system", `The recording ${path} ${why}`, { cause });
  }
}
