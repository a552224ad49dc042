import { connection } from "./connection.ts";
import { diagnostics } from "./diagnostics.ts";
import { format } from "./format.ts";
import { report } from "./report.ts";
import { review } from "./review.ts";
import { sending } from "./sending.ts";
import { settings } from "./settings.ts";
import { sharing } from "./sharing.ts";
import { tools } from "./tools.ts";

/** Every text that the person sees. Each part of the plugin has a file of its own here. */
export const en = {
  ...connection,
  ...sharing,
  ...sending,
  ...settings,
  ...diagnostics,
  ...format,
  ...report,
  ...review,
  ...tools,
} as const;
