import {
  type ConnectHostOptions,
  connectHost,
  type RemoteHost,
} from "../ide/remote-host/connect-host.ts";
import { type ManualClock, manualClock } from "../rpc/manual-clock.ts";
import { createMemoryTransportPair } from "../rpc/memory-transport.ts";
import { Peer } from "../rpc/peer.ts";
import { RawEnd } from "./raw-end.ts";

/** An editor played by a test frame by frame, and the host at the other end. */
export interface EditorFixture<Host> {
  readonly wire: RawEnd;
  readonly host: Host;
  readonly clock: ManualClock;
  /** The descriptions of invalid messages. */
  readonly problems: readonly string[];
}

/** A minimal hello. */
export const editorHello = {
  protocol: 1,
  name: "sh",
  state: { folders: [{ path: "/notes" }] },
} as const;

/** An editor that has not sent anything yet. */
export function silentEditor(options: ConnectHostOptions = {}): EditorFixture<Promise<RemoteHost>> {
  const [left, right] = createMemoryTransportPair();
  const clock = manualClock();
  const problems: string[] = [];
  const host = connectHost(new Peer(left, { clock }), {
    clock,
    onproblem: (message) => void problems.push(message),
    ...options,
  });
  host.catch(() => {});
  return { wire: new RawEnd(right), host, clock, problems };
}

/** An editor that has sent its hello. */
export async function connectedEditor(
  members: readonly string[] = [],
  options: ConnectHostOptions = {},
): Promise<EditorFixture<RemoteHost>> {
  const fixture = silentEditor(options);
  fixture.wire.request(1, "host/hello", { ...editorHello, members });
  const host = await fixture.host;
  await fixture.wire.take();
  return { ...fixture, host };
}
