import { EventEmitter } from "events";
import { channel } from "../bridge/channel.ts";
import { nodeProcess } from "./process.ts";
import { absent } from "./small.ts";

/** A process on the Node side; start, failure to start, and exit are events. */
class ChildProcess extends EventEmitter {
  async run(command: string, args: readonly string[], options: object): Promise<void> {
    try {
      const given = { env: nodeProcess.env, ...options };
      const pid = await channel.call("spawn", "start", command, args, given);
      this.emit("spawn");
      this.emit("exit", await channel.call("spawn", "exit", pid), null);
    } catch (error) {
      this.emit("error", error);
    }
  }

  /** A window never waits for its processes. */
  unref(): void {}
}

export const childProcess = Object.assign(absent("child_process"), {
  spawn(command: string, args: readonly string[], options: object): ChildProcess {
    const child = new ChildProcess();
    void child.run(command, args, options);
    return child;
  },
});
