import { comments } from "./comments.ts";
import { connection } from "./connection.ts";
import { diagnostics } from "./diagnostics.ts";
import { doctor } from "./doctor.ts";
import { edits } from "./edits.ts";
import { report } from "./report.ts";
import { review } from "./review.ts";
import { open, send } from "./sending.ts";
import { cli, command, first, settings } from "./settings.ts";
import { last, sharing } from "./sharing.ts";
import { tools } from "./tools.ts";

/** Every text that the person sees, one file per part of the plugin. */
export const texts = {
  comments,
  connection,
  diagnostics,
  doctor,
  edits,
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
