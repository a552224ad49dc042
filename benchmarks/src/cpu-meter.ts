import { once } from "node:events";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Reports the CPU time of this process at a port that is written to `file`, since its stdin and stdout are
 * being measured.
 */
export async function offerCpuTime(file: string): Promise<void> {
  const server = createServer((socket) => {
    socket.unref();
    socket.on("error", () => socket.destroy());
    socket.on("data", () => {
      const { user, system } = process.cpuUsage();
      socket.write(`${user + system}\n`);
    });
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  writeFileSync(`${file}.draft`, String((server.address() as AddressInfo).port));
  renameSync(`${file}.draft`, file);
}

/** The CPU time of another process, read from {@link offerCpuTime}. */
export class CpuMeter {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async open(file: string): Promise<CpuMeter> {
    const socket = connect(await portIn(file), "127.0.0.1");
    await once(socket, "connect");
    return new CpuMeter(socket);
  }

  async read(): Promise<number> {
    this.#socket.write("?");
    const [answer] = await once(this.#socket, "data");
    return Number(answer);
  }

  close(): void {
    this.#socket.destroy();
  }
}

async function portIn(file: string): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    try {
      return Number(readFileSync(file, "utf8"));
    } catch {
      await sleep(20);
    }
  }
  throw new Error("The measured server did not start");
}
