// Checks files of 1 MiB that are full of errors in a separate process, and prints the cost:
// `costly-files-worker.mjs <entry of the folder host>`.
import { peakBytes } from "./peak-memory.ts";

const { jsonSource } = await import(process.argv[2] ?? "");
const whole = (part: string) => part.repeat(Math.ceil(2 ** 20 / part.length)).slice(0, 2 ** 20);
const parts = [
  ...["a ", "@", ",", ":", '"', '"\n', "\\", '"\\x" ', "//\n", "1 2 "],
  ...["tru ", "{a", "\u0001 ", "] ", "1.e "],
];
let most = 0;
for (const part of parts) {
  for (const start of ["", "[", '{"a":']) {
    const found = await jsonSource.check("/a.json", start + whole(part), { folder: "/" });
    most = Math.max(most, found.length);
  }
}
const { userCPUTime, systemCPUTime } = process.resourceUsage();
const seconds = (userCPUTime + systemCPUTime) / 1e6;
process.stdout.write(JSON.stringify({ most, seconds, megabytes: peakBytes() / 1e6 }));
