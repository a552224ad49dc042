import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { connectHost, type RemoteHost } from "@idewire/core";
import { Peer } from "@idewire/core/rpc";
import { createStdioTransport } from "@idewire/node-server/stdio";

export type { DiffAnswer } from "@idewire/core/internal";
export { editorHostContract, posixPath } from "@idewire/core/testing";

/** The host's side of the host protocol, at a socket. */
export interface HostSocket {
  /** The first editor that connects. */
  readonly editor: Promise<RemoteHost>;
  close(): void;
}

export async function listenForEditor(path: string): Promise<HostSocket> {
  const server = createServer().listen(path);
  await once(server, "listening");
  let peer: Peer | undefined;
  const connected = async () => {
    const [socket] = (await once(server, "connection")) as [Socket];
    peer = new Peer(createStdioTransport(socket, socket));
    return connectHost(peer);
  };
  return {
    editor: connected(),
    close() {
      peer?.close();
      server.close();
    },
  };
}
