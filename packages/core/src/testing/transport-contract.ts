import type { CloseReason, Transport } from "../rpc/transport.ts";
import {
  type Contract,
  type ContractRunner,
  createContract,
  pause,
  until,
} from "./contract-runner.ts";
import {
  carried,
  ordered,
  PLAIN_CLOSE,
  received,
  sent,
  type TransportMedium,
  type TransportPair,
} from "./transport-medium.ts";

/** Records the events of one end. */
class EndRecorder {
  readonly frames: string[] = [];
  readonly closes: CloseReason[] = [];
  drains = 0;
  /** The number of events after `onclose`. */
  late = 0;

  constructor(transport: Transport, onframe?: (frame: string) => void) {
    transport.onframe = (frame) => {
      if (this.closes.length > 0) this.late += 1;
      this.frames.push(frame);
      onframe?.(frame);
    };
    transport.ondrain = () => {
      if (this.closes.length > 0) this.late += 1;
      this.drains += 1;
    };
    transport.onclose = (reason) => this.closes.push(reason);
  }
}

interface TransportContract extends Contract<TransportPair> {
  readonly medium: TransportMedium;
}

/** The laws of {@link Transport} as tests, for any pair of connected transports. */
export function transportContract(runner: ContractRunner, medium: TransportMedium): void {
  const laws = createContract<TransportPair>(runner, {
    name: medium.name,
    make: medium.makePair,
    dispose(pair) {
      pair.left.close();
      pair.right.close();
      return pair.dispose?.();
    },
  });
  const contract = { ...laws, medium };
  deliveryLaws(contract);
  textLaws(contract);
  const { closedBy = "both", showsPressure = true } = medium;
  if (closedBy !== "neither") closingLaws(contract);
  if (closedBy === "both") endingLaws(contract);
  if (showsPressure) pressureLaws(contract);
}

function deliveryLaws({ law, expect, medium }: TransportContract): void {
  const { mostWaiting = Number.POSITIVE_INFINITY } = medium;
  const order = medium.overtaking === undefined ? "in order, " : "";
  law(`frames arrive ${order}each once, in both directions at once`, async ({ left, right }) => {
    const atLeft = new EndRecorder(left);
    const atRight = new EndRecorder(right);
    const sent = Array.from({ length: 500 }, (_, index) => `frame ${index}`);
    for (const [index, frame] of sent.entries()) {
      left.send(frame);
      right.send(frame);
      if (index % 100 === 99) await pause(0);
      if (index % mostWaiting === 0) await until(() => atRight.frames.length > index);
    }
    await until(() => atLeft.frames.length >= 500 && atRight.frames.length >= 500);
    await pause();
    expect(ordered(medium, "right", atLeft.frames)).toEqual(ordered(medium, "right", sent));
    expect(ordered(medium, "left", atRight.frames)).toEqual(ordered(medium, "left", sent));
  });

  law("nothing is delivered from within send", async ({ left, right }) => {
    let inside = false;
    let early = 0;
    const atRight = new EndRecorder(right, () => {
      if (inside) early += 1;
    });
    for (let index = 0; index < 10; index += 1) {
      inside = true;
      left.send("x");
      inside = false;
    }
    await until(() => atRight.frames.length === 10);
    expect(early).toBe(0);
  });

  law(
    "a frame that is sent from within onframe arrives after it returns",
    async ({ left, right }) => {
      let inside = false;
      let nested = 0;
      const answer = (transport: Transport) => (frame: string) => {
        if (inside) nested += 1;
        inside = true;
        if (Number(frame) < 100) transport.send(String(Number(frame) + 1));
        inside = false;
      };
      const atLeft = new EndRecorder(left, answer(left));
      const atRight = new EndRecorder(right, answer(right));
      left.send("1");
      await until(() => atLeft.frames.length + atRight.frames.length === 100);
      expect(nested).toBe(0);
      expect(atRight.frames.slice(0, 3)).toEqual(["1", "3", "5"]);
    },
  );
}

function textLaws({ law, expect, medium }: TransportContract): void {
  law("an empty frame is a frame", async ({ left, right }) => {
    const atRight = new EndRecorder(right);
    left.send("");
    left.send("after");
    await until(() => atRight.frames.length >= 2);
    expect(ordered(medium, "left", atRight.frames)).toEqual(["", "after"]);
  });

  law("a frame of 10 MB arrives whole", async ({ left, right }) => {
    const atRight = new EndRecorder(right);
    const huge = `${"0123456789abcde\n".repeat(655_360)}end`;
    left.send(huge);
    await until(() => atRight.frames.length > 0);
    expect(atRight.frames[0] === carried(medium, huge), "the text is the same").toBe(true);
  });

  law("all of Unicode passes unchanged", async ({ left, right }) => {
    const atRight = new EndRecorder(right);
    const texts = ["é", "e\u0301", "🦊", "\0", "\uFEFFmark", "\u2028\u2029", "\r\n", '"\\', "\x7f"];
    for (const text of texts) left.send(text);
    await until(() => atRight.frames.length >= texts.length);
    const expected = texts.map((text) => carried(medium, text));
    const arrived = ordered(medium, "left", atRight.frames);
    expect(arrived).toEqual(ordered(medium, "left", expected));
  });

  const result = medium.loneSurrogates === "kept" ? "kept" : "replaced by U+FFFD";
  law(`a lone surrogate is ${result}, and its neighbours are unchanged`, async (pair) => {
    const atRight = new EndRecorder(pair.right);
    pair.left.send("a\ud83db\udc00c");
    await until(() => atRight.frames.length > 0);
    const expected = medium.loneSurrogates === "kept" ? "a\ud83db\udc00c" : "a\ufffdb\ufffdc";
    expect(atRight.frames).toEqual([expected]);
  });
}

function closingLaws({ law, expect, medium }: TransportContract): void {
  law(
    "both ends are notified of a close once, with its code and reason",
    async ({ left, right }) => {
      const atLeft = new EndRecorder(left);
      const atRight = new EndRecorder(right);
      left.close(4001, "done ✓");
      await until(() => atLeft.closes.length > 0 && atRight.closes.length > 0);
      await pause();
      expect(atLeft.closes).toEqual([{ code: 4001, reason: "done ✓" }]);
      expect(received(medium, atRight.closes)).toEqual(
        sent(medium, { code: 4001, reason: "done ✓" }),
      );
    },
  );

  law("a close without a code has the code 1000", async ({ left, right }) => {
    const atRight = new EndRecorder(right);
    left.close();
    await until(() => atRight.closes.length > 0);
    expect(atRight.closes).toEqual([PLAIN_CLOSE]);
  });

  law("onclose is never called from within close or send", async ({ left, right }) => {
    const atLeft = new EndRecorder(left);
    const atRight = new EndRecorder(right);
    left.close();
    left.send("late");
    right.send("in between");
    right.close();
    expect([atLeft.closes, atRight.closes]).toEqual([[], []]);
    await until(() => atLeft.closes.length > 0 && atRight.closes.length > 0);
  });

  law("frames sent before a close arrive before it", async ({ left, right }) => {
    const framesAtClose: number[] = [];
    const atRight = new EndRecorder(right);
    right.onclose = () => framesAtClose.push(atRight.frames.length);
    for (let index = 0; index < 100; index += 1) left.send("x".repeat(10_000));
    left.close();
    await until(() => framesAtClose.length > 0);
    expect(framesAtClose).toEqual([100]);
  });

  law("a second close has no effect", async ({ left, right }) => {
    const atLeft = new EndRecorder(left);
    const atRight = new EndRecorder(right);
    const first: CloseReason = { code: 4001, reason: "first" };
    left.close(first.code, first.reason);
    left.close(4002, "second");
    await until(() => atLeft.closes.length > 0 && atRight.closes.length > 0);
    left.close(4003, "third");
    await pause();
    expect(atLeft.closes).toEqual([first]);
    expect(received(medium, atRight.closes)).toEqual(sent(medium, first));
  });
}

function endingLaws({ law, expect, medium }: TransportContract): void {
  law("frames sent after a close are dropped without an exception", async ({ left, right }) => {
    const atLeft = new EndRecorder(left);
    const atRight = new EndRecorder(right);
    left.send("before");
    left.close();
    left.send("after");
    await until(() => atLeft.closes.length > 0 && atRight.closes.length > 0);
    left.send("much later");
    right.send("from the other end");
    await pause();
    expect(atRight.frames).toEqual(["before"]);
    expect(atLeft.frames).toEqual([]);
  });

  law("a close from within onframe closes both ends once", async ({ left, right }) => {
    const atLeft = new EndRecorder(left);
    const enough: CloseReason = { code: 4004, reason: "enough" };
    const atRight = new EndRecorder(right, () => right.close(enough.code, enough.reason));
    for (let index = 0; index < 10; index += 1) left.send("x");
    await until(() => atLeft.closes.length > 0 && atRight.closes.length > 0);
    await pause();
    expect(received(medium, atLeft.closes)).toEqual(sent(medium, enough));
    expect(atRight.closes).toEqual([enough]);
    expect(atRight.late).toBe(0);
  });

  law("when both ends close at once, each is notified once", async ({ left, right }) => {
    const atLeft = new EndRecorder(left);
    const atRight = new EndRecorder(right);
    left.close(4001);
    right.close(4002);
    await until(() => atLeft.closes.length > 0 && atRight.closes.length > 0);
    await pause();
    expect([atLeft.closes.length, atRight.closes.length]).toEqual([1, 1]);
  });

  law("no callback follows onclose, whatever the other end still sends", async (pair) => {
    const atLeft = new EndRecorder(pair.left);
    const atRight = new EndRecorder(pair.right);
    pair.right.close();
    pair.left.send("too late");
    pair.left.close();
    await until(() => atLeft.closes.length > 0 && atRight.closes.length > 0);
    await pause();
    expect([atLeft.late, atRight.late]).toEqual([0, 0]);
  });
}

const MEBIBYTE = "m".repeat(1 << 20);

function pressureLaws({ law, expect, medium }: TransportContract): void {
  law(
    "bufferedAmount rises with unread frames, and ondrain is called once it falls",
    async (pair) => {
      const { left, right } = pair;
      const atLeft = new EndRecorder(left);
      const atRight = new EndRecorder(right);
      expect(left.bufferedAmount).toBe(0);
      // More than any socket's buffers hold; the other end cannot read within this turn.
      for (let index = 0; index < 32; index += 1) left.send(MEBIBYTE);
      expect(left.bufferedAmount > 1 << 20, `${left.bufferedAmount} wait`).toBe(true);
      expect(atLeft.drains).toBe(0);
      await until(() => atRight.frames.length >= 32 && atLeft.drains > 0);
      expect(left.bufferedAmount <= 1 << 18, `${left.bufferedAmount} are left`).toBe(true);
    },
  );

  if (!medium.canPause) return;
  law(
    "an end that stops reading shows in bufferedAmount, and gets every frame after it resumes",
    async (pair) => {
      const atLeft = new EndRecorder(pair.left);
      const atRight = new EndRecorder(pair.right);
      pair.pauseRight?.(true);
      for (let index = 0; index < 32; index += 1) pair.left.send(MEBIBYTE);
      await pause(100);
      expect(pair.left.bufferedAmount > 1 << 20, `${pair.left.bufferedAmount} wait`).toBe(true);
      expect(atRight.frames.length < 32).toBe(true);
      pair.pauseRight?.(false);
      await until(() => atRight.frames.length >= 32 && atLeft.drains > 0);
      expect(pair.left.bufferedAmount <= 1 << 18).toBe(true);
    },
  );
}
