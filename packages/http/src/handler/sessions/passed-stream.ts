import type { FollowedStream, StoredEvent } from "@idewire/core/internal";
import type { McpStore } from "@idewire/core/server";
import { watchHolder } from "./watch-holder.ts";

export interface PassedStreamOptions {
  readonly store: Pick<McpStore, "events" | "leases">;
  /** The key of the stream in the store. */
  readonly key: string;
  readonly onframe: (frame: string) => void;
  /** Called once, last. @param isLost whether frames may be missing */
  readonly onend: (isLost: boolean) => void;
  readonly onerror: (error: unknown) => void;
}

/** The messages of another instance to a client whose stream is here. They are deleted once sent. */
export class PassedStream {
  readonly #options: PassedStreamOptions;
  #followed: FollowedStream | undefined;
  #unwatch: (() => void) | undefined;
  #isOver = false;

  constructor(options: PassedStreamOptions) {
    this.#options = options;
  }

  /** Resolves to whether the stream is there. Rejects when the store cannot be reached. */
  async start(): Promise<boolean> {
    const { store, key } = this.#options;
    const followed = await store.events.follow(key, 0, {
      onevent: (event) => this.#pass(event),
      onlost: () => this.#end(true),
    });
    if (followed === undefined) return false;
    if (this.#isOver) followed.stop();
    else {
      this.#followed = followed;
      this.#unwatch = watchHolder(store, key, followed.info);
    }
    return true;
  }

  /** Sends nothing more. */
  stop(): void {
    const { store, key, onerror } = this.#options;
    this.#isOver = true;
    this.#unwatch?.();
    this.#followed?.stop();
    store.events.delete(key).catch(onerror);
  }

  #pass({ frame, ends }: StoredEvent): void {
    if (this.#isOver) return;
    if (frame !== "") this.#options.onframe(frame);
    if (ends) this.#end(false);
  }

  #end(isLost: boolean): void {
    if (this.#isOver) return;
    this.stop();
    this.#options.onend(isLost);
  }
}
