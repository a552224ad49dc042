import { existsSync, readFileSync } from "node:fs";

const STATUS = "/proc/self/status";

/**
 * The peak memory of this process, in bytes. On Linux not `maxRSS`, which includes the memory of the parent: a child
 * shares it until it executes its own program.
 */
export function peakBytes(): number {
  const status = existsSync(STATUS) ? readFileSync(STATUS, "utf8") : "";
  const kibibytes = /^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return 1_024 * Number(kibibytes);
}
