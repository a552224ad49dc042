// A client in a separate process, which prints the growth of its memory during a call: `memory-worker.mjs
// <url>`.
import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import { peakBytes } from "./peak-memory.ts";

const transport = createHttpTransport(process.argv[2] ?? "", { listen: false });
const client = await McpClient.connect(transport, { name: "me", version: "1", era: "legacy" });
const before = process.memoryUsage.rss();
// Some streams never end, and contain nothing that is too large.
const signal = AbortSignal.timeout(1_500);
const outcome = await client.callTool("a", {}, { signal }).then(String, String);
const grownMb = (peakBytes() - before) / 2 ** 20;
process.stdout.write(JSON.stringify({ outcome, grownMb }));
process.exit();
