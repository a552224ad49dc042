import { connection } from "./connection.ts";
import { review } from "./review.ts";

/** Every text that the person sees. Each part of the plugin has a file of its own here. */
export const en = { ...connection, ...review } as const;
