import type { CliOutput } from "../process/io.ts";

/**
 * Decides for each line whether to write it to an output that may be read slowly or not at all: lines that would
 * wait behind too many others are dropped and counted.
 * @param report called with their number before the next line, or when the output is read again
 */
export function createLineDropper(
  output: CliOutput,
  maxWaitingBytes: number,
  report: (lines: number) => void,
): (lines?: number) => boolean {
  let lost = 0;
  const reportLost = () => {
    const lines = lost;
    lost = 0;
    if (lines > 0) report(lines);
  };
  return (lines = 1) => {
    if (output.writableLength > maxWaitingBytes) {
      if (lost === 0) output.once("drain", reportLost);
      lost += lines;
      return false;
    }
    reportLost();
    return true;
  };
}
