import { existsSync, readFileSync } from "node:fs";

const STATUS = "/proc/self/status";

/**
 * The most memory that this process has had, in bytes. On Linux not `maxRSS`, which counts the memory of the process
 * that has started it as well: a child shares that until it runs its own program.
 */
export function peakBytes(): number {
  const status = existsSync(STATUS) ? readFileSync(STATUS, "utf8") : "";
  const kibibytes = /^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return 1_024 * Number(kibibytes);
}
