import { chmodSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import type { WebSocket } from "ws";
import { type Fault, renameTo } from "./faulty-server.ts";
import { killAll } from "./spoil-frames.ts";

const lock = (change: object): Fault => ({ lock: (right) => ({ ...right, ...change }) });

/** In the lock file. */
export const lockFaults: Readonly<Record<string, Fault>> = {
  "IDE-LOCK-001": { place: renameTo("editor.lock") },
  "IDE-LOCK-002": lock({ transport: "sse" }),
  "IDE-LOCK-003": lock({ workspaceFolders: ["work"] }),
  "IDE-LOCK-004": {
    lock(right, { root, workspace }) {
      symlinkSync(workspace, `${root}/link`);
      return { ...right, workspaceFolders: [`${root}/link`] };
    },
  },
  "IDE-LOCK-005": lock({ pid: 2 ** 30 }),
  "IDE-LOCK-006": { ...lock({ authToken: undefined }), open: ["missing-token"] },
  "IDE-LOCK-007": { ...lock({ authToken: "short" }), open: ["wrong-token"] },
  "IDE-LOCK-008": {
    place(path) {
      chmodSync(path, 0o644);
      return path;
    },
  },
  "IDE-LOCK-009": {
    place(path) {
      chmodSync(dirname(path), 0o755);
      return path;
    },
  },
  "IDE-LOCK-010": lock({ ideName: undefined }),
};

/** When a client connects. */
export const connFaults: Readonly<Record<string, Fault>> = {
  "IDE-CONN-001": { paths: ["/mcp"] },
  "IDE-CONN-002": { open: ["wrong-token"] },
  "IDE-CONN-003": { open: ["missing-token"] },
  "IDE-CONN-004": { open: ["protocol"] },
  "IDE-CONN-005": { open: ["origin"] },
  "IDE-CONN-006": { open: ["host"] },
  "IDE-CONN-007": {
    receive(frame, { memory, socket, pass }) {
      if (frame.includes("ide_connected")) memory.set("first", socket);
      pass(frame);
    },
    onopen({ memory, socket }) {
      const first = memory.get("first") as WebSocket | undefined;
      if (first?.readyState === 1) socket.close();
    },
  },
  "IDE-CONN-008": { paths: ["/"] },
  "IDE-CONN-009": {
    onclose(end, code) {
      if (code === 1006) killAll(end);
    },
  },
  "IDE-CONN-010": {
    onopen({ socket, sockets }) {
      for (const other of sockets) if (other !== socket) other.close();
    },
  },
};
