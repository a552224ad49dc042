import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CpuMeter } from "../cpu-meter.ts";
import { loadImplementation } from "../implementation.ts";
import type { Workload } from "../subject.ts";
import { calls, TEXT } from "./calls.ts";

/** Calls of one client over the stdin and stdout of a child process, whose CPU time counts too. */
export const stdio: Workload = async (name, { inFlight = 1 }) => {
  const implementation = await loadImplementation(name);
  const folder = mkdtempSync(join(tmpdir(), "idewire-bench-"));
  const meterFile = join(folder, "port");
  const server = fileURLToPath(new URL("./stdio-server.js", import.meta.url));
  const client = await implementation.connectStdio(process.execPath, [server, name, meterFile]);
  const meter = await CpuMeter.open(meterFile);
  const each = inFlight === 1 ? 32 : 8;
  const subject = calls(client, { inFlight, each, call: () => client.echo(TEXT) });
  return {
    ...subject,
    cpuMicrosElsewhere: () => meter.read(),
    async close() {
      await subject.close();
      meter.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
