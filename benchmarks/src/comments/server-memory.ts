import { existsSync, readFileSync, writeFileSync } from "node:fs";

interface Memory {
  readonly megabytes: number;
  /** Since {@link startPeak}. */
  readonly peak: number;
}

/** The peak memory of another process; available only on Linux. */
export function memoryOf(pid: number): Memory {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return { megabytes: 0, peak: 0 };
  const text = readFileSync(status, "utf8");
  const of = (key: string) =>
    (Number(new RegExp(`${key}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) * 1024) / 1e6;
  return { megabytes: of("VmRSS"), peak: of("VmHWM") };
}

/** Resets the peak memory of a process. */
export function startPeak(pid: number): void {
  const file = `/proc/${pid}/clear_refs`;
  if (existsSync(file)) writeFileSync(file, "5");
}

/** The CPU time of a process, in milliseconds; more reliable than wall time on a busy machine. */
export function cpuOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  // After the name, which may contain any character.
  const fields = readFileSync(file, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Clock ticks per second on Linux, on all architectures of Node. */
const tickMs = 10;
