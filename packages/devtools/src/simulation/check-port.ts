import {
  type Clock,
  CloseCode,
  formatClaudeLockFile,
  lockFileName,
  type Platform,
  portOfLockFile,
  toNativePath,
  toPosixPath,
} from "@idewire/core";
import type { CheckPort, ConnectAttempt, ConnectOutcome, DiscoveryFacts } from "../checks/port.ts";
import type { FrameInterceptor } from "../trace/faults/fault-injector.ts";
import { EventLog } from "../trace/recording/event-log.ts";
import { createSimulatedWire } from "./simulated-wire.ts";
import { SIMULATED_PORT, type Simulation } from "./simulation.ts";

/** How the checks get to a simulated editor. */
export interface SimulatedPortOptions {
  readonly simulation: Simulation;
  /** That of the simulation. */
  readonly clock: Clock;
  readonly now: () => number;
  readonly platform?: Platform;
  /** Who says what goes wrong on each connection: the checks tell what that breaks. */
  readonly createInterceptor?: (() => FrameInterceptor) | undefined;
}

/**
 * The way of the checks to an editor in this program. Its door and its lock file are played by the
 * rules of real ones, since there is neither a socket nor a disk.
 */
export function createSimulatedPort(options: SimulatedPortOptions): CheckPort {
  const { simulation, clock, now, platform = "posix", createInterceptor } = options;
  let count = 0;
  return {
    platform,
    discovery: playLockFile(simulation, platform),
    fileExists(path) {
      const file = toPosixPath(path, platform);
      const read = file.ok ? simulation.editor.read(file.value) : Promise.reject(file.issue);
      return read.then(
        () => true,
        () => false,
      );
    },
    connect(attempt): Promise<ConnectOutcome> {
      const status = refusalOf(attempt);
      if (status !== undefined) return Promise.resolve({ kind: "refused", status });
      count += 1;
      // The checks keep a log of their own.
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

/** As a real editor writes it, but for its process, and for modes, which nobody could look at. */
function playLockFile({ editor }: Simulation, platform: Platform): DiscoveryFacts {
  const folders = editor.workspace().folders.map(({ path }) => toNativePath(path, platform));
  const lock = { workspaceFolders: folders, ideName: editor.info.name, transport: "ws" };
  return {
    path: lockFileName(SIMULATED_PORT),
    port: portOfLockFile(lockFileName(SIMULATED_PORT)),
    content: JSON.parse(formatClaudeLockFile(lock)),
    tokenLength: 86,
    mode: undefined,
    directoryMode: undefined,
    pidAlive: undefined,
    realPaths: Object.fromEntries(folders.map((folder) => [folder, folder])),
  };
}

/** As the door of a real editor answers before any upgrade. */
function refusalOf({ path = "/", protocol = "mcp", origin, host }: ConnectAttempt) {
  if (origin !== undefined || host !== undefined) return 403;
  if (path !== "/" && path !== "/mcp") return 404;
  return protocol === "mcp" ? undefined : 400;
}
