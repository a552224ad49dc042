// A child of a worker: our server over HTTP, for both eras, so that the CPU time of the worker is only the
// client's. It exits with its parent.
import { loadImplementation } from "./implementation.ts";

process.once("disconnect", () => process.exit(0));
const implementation = await loadImplementation("idewire");
const listening = await implementation.listenHttp?.({ toolCount: 2, modern: true });
process.send?.({ url: listening?.url, headers: listening?.headers });
