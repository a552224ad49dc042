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
