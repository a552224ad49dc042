// A child of a worker: a server on its own stdin and stdout, which exits with them.
import { offerCpuTime } from "./cpu-meter.ts";
import { type ImplementationName, loadImplementation } from "./implementation.ts";

const [name = "", meterFile = ""] = process.argv.slice(2);
await offerCpuTime(meterFile);
const implementation = await loadImplementation(name as ImplementationName);
await implementation.serveStdio({ toolCount: 2 });
