// A child of a worker: a server at its own stdin and stdout, which ends with them.
import { offerCpuTime } from "./cpu-meter.ts";
import { type ImplementationName, loadImplementation } from "./implementation.ts";

const [name = "", meterFile = ""] = process.argv.slice(2);
await offerCpuTime(meterFile);
const implementation = await loadImplementation(name as ImplementationName);
await implementation.serveStdio({ toolCount: 2 });
