import type { Unsubscribe } from "@idewire/core";
import type { MessageBus } from "@idewire/core/internal";
import type { RedisClient, RedisSubscriber } from "./redis-client.ts";
import type { RedisCommands } from "./redis-commands.ts";

type Listener = (message: string) => void;

interface Channel {
  readonly listeners: Set<Listener>;
  readonly subscribed: Promise<unknown>;
  /** Called by the subscriber. */
  readonly onmessage: Listener;
}

/** Receives published messages on a connection of its own. */
export class RedisChannels {
  readonly #client: RedisClient;
  readonly #onerror: (error: Error) => void;
  readonly #channels = new Map<string, Channel>();
  readonly #reconnected = new Set<() => void>();
  #subscriber: RedisSubscriber | undefined;
  #connected: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(client: RedisClient, onerror: (error: Error) => void) {
    this.#client = client;
    this.#onerror = onerror;
  }

  /** Resolves to the undo once messages arrive; waits while there is no connection. */
  async listen(name: string, listener: Listener): Promise<Unsubscribe> {
    const channel = this.#channels.get(name) ?? this.#open(name);
    const own: Listener = (message) => listener(message);
    channel.listeners.add(own);
    const stop = () => {
      if (!channel.listeners.delete(own) || channel.listeners.size > 0) return;
      if (this.#channels.get(name) === channel) this.#channels.delete(name);
      this.#subscriber?.unsubscribe(name, channel.onmessage).catch(() => undefined);
    };
    try {
      await channel.subscribed;
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  /** Calls back whenever messages may have been missed; returns the undo. */
  onReconnected(listener: () => void): Unsubscribe {
    this.#reconnected.add(listener);
    return () => void this.#reconnected.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#channels.clear();
    this.#reconnected.clear();
    this.#subscriber?.destroy();
  }

  #open(name: string): Channel {
    const listeners = new Set<Listener>();
    const onmessage: Listener = (message) => {
      for (const listener of listeners) listener(message);
    };
    const subscribed = this.#connect().then((subscriber) => subscriber.subscribe(name, onmessage));
    const channel: Channel = { listeners, subscribed, onmessage };
    this.#channels.set(name, channel);
    subscribed.catch(() => {
      if (this.#channels.get(name) === channel) this.#channels.delete(name);
    });
    return channel;
  }

  async #connect(): Promise<RedisSubscriber> {
    this.#subscriber ??= this.#duplicate();
    const subscriber = this.#subscriber;
    this.#connected ??= subscriber.connect();
    try {
      await this.#connected;
    } catch (error) {
      // The application's options disable reconnecting.
      if (this.#subscriber === subscriber) this.#subscriber = this.#connected = undefined;
      throw error;
    }
    return subscriber;
  }

  #duplicate(): RedisSubscriber {
    const subscriber = this.#client.duplicate();
    subscriber.on("error", (error) => {
      if (!this.#isClosed) this.#onerror(error);
    });
    subscriber.on("ready", () => {
      for (const listener of this.#reconnected) listener();
    });
    return subscriber;
  }
}

/** Messages between instances. */
export class RedisBus implements MessageBus {
  readonly #commands: RedisCommands;
  readonly #channels: RedisChannels;

  constructor(commands: RedisCommands, channels: RedisChannels) {
    this.#commands = commands;
    this.#channels = channels;
  }

  /** In a cluster a node counts only its own listeners, so the number is unknown. */
  async publish(topic: string, message: string): Promise<undefined> {
    await this.#commands.send("PUBLISH", this.#nameOf(topic), message);
  }

  async subscribe(topic: string, listener: Listener): Promise<() => Promise<void>> {
    const stop = await this.#channels.listen(this.#nameOf(topic), listener);
    return async () => stop();
  }

  #nameOf(topic: string): string {
    return `${this.#commands.prefix}bus:${topic}`;
  }
}
