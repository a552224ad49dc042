import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { CloseCode } from "@idewire/core/rpc";
import type { Direction } from "@idewire/devtools/trace";
import { type EditorAtPort, formatClose } from "@idewire/node-server/internal";
import type { InspectLog } from "./inspect-log.ts";
import {
  describeUpgrade,
  formatUpgrade,
  MAX_HEAD_BYTES,
  readAnswer,
  type UpgradeAnswer,
} from "./upgrade.ts";
import { type WireItem, WireReader } from "./wire-reader.ts";

/** How long one end may take to close after the other has closed. */
const END_TIMEOUT_MS = 5_000;
/** The same at the end of the inspection, where it is shorter. */
export const FAREWELL_MS = 500;
/** The limit of bytes read before the upgrade is answered, in case an agent sends that early; none is known to. */
const MAX_EARLY_BYTES = 1 << 20;
const SWITCHING_PROTOCOLS = 101;
const FAREWELL = { code: CloseCode.GoingAway, reason: "idewire inspect has stopped" };

/** The two connected ends of an inspected connection. */
export interface TunnelEnds {
  readonly agent: Socket;
  readonly ide: Socket;
  readonly request: IncomingMessage;
  /** The bytes that the agent sent with its request. */
  readonly head: Buffer;
  readonly target: EditorAtPort;
  readonly ch: string;
  readonly log: InspectLog;
}

/** The end that closed a connection, and how. */
interface TunnelEnd {
  readonly who: "agent" | "editor" | "inspection";
  readonly code: number;
  readonly reason: string;
}

/**
 * Connects an agent and its editor, byte by byte, and logs the traffic. Only the host and the token of the
 * upgrade are changed, and a slow reader slows the other end down, as without the proxy.
 */
export class Tunnel {
  /** Settles when both ends have disconnected. */
  readonly closed: Promise<void>;
  readonly #ends: TunnelEnds;
  readonly #readers: { agent: WireReader | undefined; ide: WireReader | undefined };
  /** The beginning of the editor's answer, until its head is complete. */
  #answer: Buffer | undefined = Buffer.alloc(0);
  /** Bytes of the agent before the answer: their compression is not known yet. */
  #early: Buffer[] | undefined = [];
  #earlyBytes = 0;
  #end: TunnelEnd | undefined;
  #isOpen = false;
  #settle: () => void = () => {};
  #endsAt: number = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(ends: TunnelEnds) {
    this.#ends = ends;
    this.#readers = { agent: undefined, ide: undefined };
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const { agent, ide, request, head, target, ch, log } = ends;
    log.hide(target.token);
    const dir = "agent>ide";
    log.append({ ev: "control", ch, dir, op: "upgrade", text: describeUpgrade(request) });
    const { host, port, token } = target;
    ide.write(formatUpgrade(request, { host, port, ...(token !== undefined && { token }) }));
    if (head.length > 0) {
      ide.write(head);
      this.#receiveAgent(head);
    }
    agent.on("data", (bytes: Buffer) => this.#receiveAgent(bytes));
    ide.on("data", (bytes: Buffer) => this.#receiveIde(bytes));
    agent.pipe(ide);
    ide.pipe(agent);
    this.#watch(agent, ide, "agent");
    this.#watch(ide, agent, "editor");
  }

  /** Closes both ends, with a close frame if one can be inserted. */
  close(): void {
    this.#farewell(this.#ends.agent, this.#readers.ide, formatClose(FAREWELL));
    this.#farewell(this.#ends.ide, this.#readers.agent, formatClose(FAREWELL, randomBytes(4)));
    this.#end ??= { who: "inspection", ...FAREWELL };
    this.#hurry(FAREWELL_MS);
  }

  /** @param sender the bytes sent to this end so far */
  #farewell(to: Socket, sender: WireReader | undefined, frame: Buffer): void {
    const { agent, ide } = this.#ends;
    agent.unpipe(ide);
    ide.unpipe(agent);
    // Later bytes are read and dropped.
    to.resume();
    if (sender?.isBetweenFrames === true && this.#end === undefined) to.end(frame);
    else to.end();
  }

  #watch(socket: Socket, other: Socket, who: TunnelEnd["who"]): void {
    // A reset is passed on; without a listener, the error would end the process.
    socket.on("error", () => other.resetAndDestroy());
    socket.on("end", () => {
      this.#end ??= { who, code: CloseCode.Abnormal, reason: "" };
      this.#hurry(END_TIMEOUT_MS);
    });
    socket.on("close", () => {
      this.#end ??= { who, code: CloseCode.Abnormal, reason: "" };
      if (!other.destroyed && !other.writableEnded) other.resetAndDestroy();
      if (other.destroyed) this.#finish();
      else this.#hurry(END_TIMEOUT_MS);
    });
  }

  /** Terminates an end that hangs; a running limit is only ever shortened. */
  #hurry(ms: number): void {
    const endsAt = Date.now() + ms;
    if (endsAt >= this.#endsAt) return;
    this.#endsAt = endsAt;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#ends.agent.destroy();
      this.#ends.ide.destroy();
    }, ms);
  }

  #finish(): void {
    clearTimeout(this.#timer);
    this.#readers.agent?.close();
    this.#readers.ide?.close();
    const { ch, log } = this.#ends;
    if (this.#isOpen) {
      this.#isOpen = false;
      const { who = "agent", code = CloseCode.Abnormal, reason = "" } = this.#end ?? {};
      log.append({ ev: "close", ch, code, reason });
      const why = reason === "" ? "" : `: ${reason}`;
      log.print(`${ch}: the ${who} has closed the connection (${code}${why}).`);
    }
    this.#settle();
  }

  #receiveAgent(bytes: Buffer): void {
    if (this.#readers.agent !== undefined) this.#readers.agent.push(bytes);
    else if (this.#answer !== undefined) this.#keepEarly(bytes);
  }

  #keepEarly(bytes: Buffer): void {
    this.#earlyBytes += bytes.length;
    if (this.#earlyBytes > MAX_EARLY_BYTES) this.#early = undefined;
    else this.#early?.push(bytes);
  }

  #receiveIde(bytes: Buffer): void {
    if (this.#answer === undefined) {
      this.#readers.ide?.push(bytes);
      return;
    }
    const all = Buffer.concat([this.#answer, bytes]);
    const answer = readAnswer(all);
    if (answer === undefined) {
      this.#answer = all.length > MAX_HEAD_BYTES ? undefined : all;
      if (this.#answer === undefined) this.#refused("the answer is not HTTP");
      return;
    }
    this.#answer = undefined;
    if (answer.status === SWITCHING_PROTOCOLS) this.#open(answer, all.subarray(answer.length));
    else this.#refused(answer.text);
  }

  #open({ text, protocol, deflate }: UpgradeAnswer, rest: Buffer): void {
    const { ch, log, target } = this.#ends;
    this.#isOpen = true;
    log.append({ ev: "control", ch, dir: "ide>agent", op: "upgrade", text });
    log.append({ ev: "open", ch, ...(protocol !== undefined && { protocol }) });
    log.print(`${ch}: an agent is connected to ${target.name}.`);
    this.#readers.ide = this.#read("ide>agent", deflate?.ide);
    if (this.#early === undefined) {
      log.print(`${ch}: the agent did not wait for the answer; its messages are not shown.`);
    } else {
      this.#readers.agent = this.#read("agent>ide", deflate?.agent);
      for (const early of this.#early.splice(0)) this.#readers.agent.push(early);
    }
    this.#readers.ide.push(rest);
  }

  #refused(text: string): void {
    const { ch, log } = this.#ends;
    this.#early = undefined;
    log.append({ ev: "control", ch, dir: "ide>agent", op: "refused", text });
    log.print(`${ch}: the editor refuses the connection: ${text.split("\n")[0]}`);
  }

  #read(dir: Direction, keepsContext: boolean | undefined): WireReader {
    const inflates = keepsContext === undefined ? undefined : { keepsContext };
    const { memory } = this.#ends.log;
    return new WireReader({ inflates, memory, onitem: (item) => this.#take(item, dir) });
  }

  #take(item: WireItem, dir: Direction): void {
    const { ch, log } = this.#ends;
    const who = dir === "agent>ide" ? "agent" : "editor";
    if (item.kind === "close") this.#end ??= { who, code: item.code, reason: item.reason };
    else if (item.kind === "broken") {
      log.print(`${ch}: the ${who} sent ${item.why}. It was passed on; the rest is not shown.`);
    } else log.take(item, { ch, dir });
  }
}
