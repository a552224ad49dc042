import { connection } from "./connection.ts";
import { diagnostics } from "./diagnostics.ts";
import { doctor } from "./doctor.ts";
import { format } from "./format.ts";
import { report } from "./report.ts";
import { review } from "./review.ts";
import { open, send } from "./sending.ts";
import { cli, command, first, settings } from "./settings.ts";
import { last, sharing } from "./sharing.ts";
import { tools } from "./tools.ts";

/** Every text that the person sees. Each part of the plugin has a file of its own here. */
export const en = {
  connection,
  diagnostics,
  doctor,
  format,
  report,
  review,
  send,
  open,
  settings,
  first,
  command,
  cli,
  sharing,
  last,
  tools,
} as const;
