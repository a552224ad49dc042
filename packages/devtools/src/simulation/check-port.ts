import { type Platform, toNativePath, toPosixPath } from "@idewire/core";
import { claudeDiscovery, type ServerFile } from "@idewire/core/internal";
import { type Clock, CloseCode } from "@idewire/core/rpc";
import type { CheckPort, ConnectAttempt, ConnectOutcome, DiscoveryFacts } from "../checks/port.ts";
import type { FrameInterceptor } from "../trace/faults/fault-injector.ts";
import { EventLog } from "../trace/recording/event-log.ts";
import { createSimulatedWire } from "./simulated-wire.ts";
import { SIMULATED_PORT, type Simulation } from "./simulation.ts";

/** How the checks connect to a simulated editor. */
export interface SimulatedPortOptions {
  readonly simulation: Simulation;
  /** The clock of the simulation. */
  readonly clock: Clock;
  readonly now: () => number;
  readonly platform?: Platform;
  /** Injects faults on each connection: the checks then show their effects. */
  readonly createInterceptor?: (() => FrameInterceptor) | undefined;
}

/**
 * Connects the checks to an editor in this program. Its upgrade and its lock file follow the rules of
 * real ones, since there is neither a socket nor a disk.
 */
export function createSimulatedPort(options: SimulatedPortOptions): CheckPort {
  const { simulation, clock, now, platform = "posix", createInterceptor } = options;
  let count = 0;
  return {
    platform,
    discovery: playLockFile(simulation, platform),
    async fileExists(path) {
      const file = toPosixPath(path, platform);
      if (!file.ok) return false;
      return simulation.editor.read(file.value).then(
        () => true,
        () => false,
      );
    },
    connect(attempt): Promise<ConnectOutcome> {
      const status = refusalOf(attempt);
      if (status !== undefined) return Promise.resolve({ kind: "refused", status });
      count += 1;
      // The checks have their own log.
      const wire = createSimulatedWire({
        ...{ ch: `c${count}`, log: new EventLog({ now }), clock, latencyMs: 1 },
        ...(createInterceptor && { assess: createInterceptor() }),
      });
      if (attempt.token === undefined) simulation.admit(wire.ide);
      else wire.ide.close(CloseCode.PolicyViolation, "Invalid or missing authentication token");
      return Promise.resolve({
        kind: "open",
        transport: wire.agent,
        ping: () => Promise.resolve(),
        cut: () => wire.agent.close(CloseCode.Abnormal),
      });
    },
  };
}

/** As a real editor writes it, but without a process and without file modes. */
function playLockFile({ editor }: Simulation, platform: Platform): DiscoveryFacts {
  const folders = editor.workspace().folders.map(({ path }) => toNativePath(path, platform));
  const content: ServerFile = {
    workspaceFolders: folders,
    ideName: editor.name,
    transport: "ws",
  };
  return {
    path: claudeDiscovery.fileName({ port: SIMULATED_PORT, process: { pid: 0 } }, ""),
    port: SIMULATED_PORT,
    content,
    tokenLength: 86,
    mode: undefined,
    directoryMode: undefined,
    pidAlive: undefined,
    realPaths: Object.fromEntries(folders.map((folder) => [folder, folder])),
  };
}

/** The HTTP status with which a real editor refuses the upgrade; undefined when it accepts. */
function refusalOf({ path = "/", protocol = "mcp", origin, host }: ConnectAttempt) {
  if (origin !== undefined || host !== undefined) return 403;
  if (path !== "/" && path !== "/mcp") return 404;
  return protocol === "mcp" ? undefined : 400;
}
