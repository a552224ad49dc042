import { type Client, type Implementation, loadImplementation } from "../implementation.ts";
import type { Subject, Workload } from "../subject.ts";

/** Results in a request of about 120 bytes. */
export const TEXT = "hello, benchmark";

/** Calls of one client, in memory: `inFlight` at a time. */
export const memory: Workload = async (name, { inFlight = 1 }) => {
  const implementation = await loadImplementation(name);
  const client = await implementation.joinInMemory({ toolCount: 2 });
  return calls(client, { inFlight, each: 64 / inFlight, call: () => client.echo(TEXT) });
};

/** The same over loopback ws. */
export const ws: Workload = async (name, { inFlight = 1 }) => {
  const implementation = await loadImplementation(name);
  return overWs(implementation, 2, (client) => ({
    inFlight,
    each: inFlight === 1 ? 32 : 8,
    call: () => client.echo(TEXT),
  }));
};

/** `tools/list` over ws, one at a time. */
export const list: Workload = async (name, { toolCount = 12 }) => {
  const implementation = await loadImplementation(name);
  const each = Math.ceil(60 / toolCount);
  return overWs(implementation, toolCount, (client) => ({
    inFlight: 1,
    each,
    call: () => client.listTools(),
  }));
};

/** `openDiff` of `size` bytes of prose, or of code with quotes, over ws, in both directions. */
export const openDiff: Workload = async (name, { size = 1_000_000, code = 0 }) => {
  const implementation = await loadImplementation(name);
  const line =
    code === 1
      ? '  if (name === undefined) throw new Error("none"); // it\'s "none"\n'
      : "A line of the file, as long as lines of prose are.\n";
  const text = line.repeat(Math.ceil(size / line.length));
  return overWs(implementation, 2, (client) => ({
    inFlight: 1,
    each: 1,
    call: () => client.openDiff(text),
  }));
};

interface Calls {
  readonly inFlight: number;
  /** The number of consecutive calls per concurrent caller. */
  readonly each: number;
  call(): Promise<unknown>;
}

async function overWs(
  implementation: Implementation,
  toolCount: number,
  toCalls: (client: Client) => Calls,
): Promise<Subject> {
  const listening = await implementation.listen({ toolCount });
  const client = await implementation.connect(listening);
  const subject = calls(client, toCalls(client));
  return {
    ...subject,
    async close() {
      await subject.close();
      await listening.close();
    },
  };
}

export function calls(client: Client, { inFlight, each, call }: Calls): Subject {
  const oneAfterTheOther = async () => {
    for (let index = 0; index < each; index += 1) await call();
  };
  return {
    async run() {
      await Promise.all(Array.from({ length: inFlight }, oneAfterTheOther));
      return inFlight * each;
    },
    close: () => client.close(),
  };
}
