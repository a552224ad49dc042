import { fileURLToPath } from "node:url";
import type { Contestant, Settings } from "./row.ts";

/** This checkout; the benchmarks run from their dist. */
export const root: string = fileURLToPath(new URL("../..", import.meta.url));

/** The root of the checkout with a contestant's code. */
export function rootOf(name: Contestant, { against = root }: Settings): string {
  return name === "before" ? against : root;
}
