import { existsSync, readFileSync, writeFileSync } from "node:fs";

interface Memory {
  readonly megabytes: number;
  /** Since {@link startPeak}. */
  readonly peak: number;
}

/** Of another process, which only Linux tells; elsewhere none. */
export function memoryOf(pid: number): Memory {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return { megabytes: 0, peak: 0 };
  const text = readFileSync(status, "utf8");
  const of = (key: string) =>
    (Number(new RegExp(`${key}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) * 1024) / 1e6;
  return { megabytes: of("VmRSS"), peak: of("VmHWM") };
}

/** Forgets the most that a process has had. */
export function startPeak(pid: number): void {
  const file = `/proc/${pid}/clear_refs`;
  if (existsSync(file)) writeFileSync(file, "5");
}

/** What a process has used of all processors, in milliseconds; the clock of a busy machine tells less. */
export function cpuOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  // After the name, which may have anything in it.
  const fields = readFileSync(file, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Of Linux, on all machines that Node runs on. */
const tickMs = 10;
