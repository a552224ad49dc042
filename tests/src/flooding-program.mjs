// An MCP server on stdin and stdout that answers a method (`tools/call` by default) with one text, repeated as fast as
// it is read, endlessly or a number of times: `flooding-program.mjs <flood as JSON>`. From that call on it may stop
// reading its input, and the file `mark` exists.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { answers } from "./flooding-answers.mjs";

const options = JSON.parse(process.argv[2]);
const { text, fill = 0, end = "", times = Infinity, reads } = options;

function flood(output) {
  const piece = text + "x".repeat(fill) + end;
  const many = fill > 0 ? piece : piece.repeat(Math.ceil(20_000 / piece.length));
  let left = times;
  const more = () => {
    while (left > 0) {
      left -= 1;
      if (!output.write(many)) return;
    }
    process.exit();
  };
  output.on("drain", more);
  more();
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === (options.method ?? "tools/call")) {
    if (!reads) process.stdin.pause();
    writeFileSync(options.mark, "");
    flood(process.stdout);
  } else if (id !== undefined && method !== undefined) {
    const answer = { jsonrpc: "2.0", id, result: answers[method] ?? {} };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
});
