import type { Readable } from "node:stream";

/** Calls back for each line of a stream of text, also for a last one without a line break. */
export function readLines(stream: Readable, online: (text: string) => void): void {
  stream.setEncoding("utf8");
  let rest = "";
  stream.on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const each of lines) online(each);
  });
  stream.on("end", () => rest !== "" && online(rest));
}
