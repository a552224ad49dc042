import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { IdewireError } from "@idewire/core/rpc";
import { formatTraceEvent, formatTraceHeader } from "@idewire/devtools/internal";
import type { ScenarioHeader } from "@idewire/devtools/scenario";
import type { TraceEvent } from "@idewire/devtools/trace";

/** Writes a trace to a file that only its user may read. */
export interface Record {
  readonly add: (event: TraceEvent) => void;
  /** @throws IdewireError `file-system` when it could not be written */
  close(): Promise<void>;
}

/** @param file native; without one nothing is written */
export function createRecord(
  file: string | undefined,
  { dialect = "claude-code", editor }: ScenarioHeader,
): Record {
  if (file === undefined) return { add: () => undefined, close: async () => undefined };
  const stream = createWriteStream(file, { mode: 0o600 });
  const written = finished(stream).catch((error: Error) => error);
  const created = new Date().toISOString();
  stream.write(
    formatTraceHeader({ created, dialect, ...(editor !== undefined && { ide: editor }) }),
  );
  return {
    add: (event) => void stream.write(formatTraceEvent(event)),
    async close() {
      stream.end();
      const error = await written;
      if (error === undefined) return;
      const { message } = error;
      throw new IdewireError("file-system", `Cannot write ${file}: ${message}`, { cause: error });
    },
  };
}
