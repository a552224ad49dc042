import { isObject } from "@idewire/core/internal";
import { type PositionEncoding, positionEncodings } from "./position-encoding.ts";

/** The capabilities of a server that affect diagnostics. */
export interface ServerCapabilities {
  readonly encoding: PositionEncoding;
  /** It wants to be notified of text changes. */
  readonly receives: {
    readonly openClose: boolean;
    readonly change: boolean;
    readonly save: boolean;
  };
  /** It is asked for diagnostics. */
  readonly pull: PullCapability | undefined;
}

export interface PullCapability {
  readonly identifier: string | undefined;
  readonly workspace: boolean;
}

/** Reads the answer to `initialize`. */
export function readCapabilities(result: unknown): ServerCapabilities {
  const capabilities = member(result, "capabilities");
  const encoding = positionEncodings.find(
    (name) => name === member(capabilities, "positionEncoding"),
  );
  return {
    encoding: encoding ?? "utf-16",
    receives: readSync(member(capabilities, "textDocumentSync")),
    pull: readPull(member(capabilities, "diagnosticProvider")),
  };
}

export function readPull(options: unknown): PullCapability | undefined {
  if (!isObject(options)) return undefined;
  const { identifier, workspaceDiagnostics } = options;
  return {
    identifier: typeof identifier === "string" ? identifier : undefined,
    workspace: workspaceDiagnostics === true,
  };
}

/** A number or an object; a server without either reads the disk. */
function readSync(sync: unknown): ServerCapabilities["receives"] {
  if (typeof sync === "number") return { openClose: true, change: sync > 0, save: true };
  const { openClose, change, save } = isObject(sync) ? sync : {};
  return {
    openClose: openClose === true,
    change: typeof change === "number" && change > 0,
    save: save === true || isObject(save),
  };
}

/** A member of a value that may not be an object. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
