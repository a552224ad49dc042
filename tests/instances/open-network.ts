import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A network between an instance and its store, which can be cut. */
export interface Network {
  /** Its near end. */
  readonly path: string;
  /** Breaks it: no data passes any more. */
  cut(): void;
  mend(): void;
}

/** Opens a network to a socket. */
export async function openNetwork(to: string): Promise<Network> {
  const path = `${to}.near`;
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(to);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    if (isCut) near.destroy();
    near.pipe(far).pipe(near);
  });
  server.listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return {
    path,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
  };
}
