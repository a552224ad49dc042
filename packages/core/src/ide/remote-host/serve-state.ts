import { type Platform, toNativePath } from "../../paths/posix-path.ts";
import { formatNotification } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import { StateOutbox } from "../../rpc/state-outbox.ts";
import type { EditorHost, OpenDocument, Selection } from "../editor-host.ts";
import * as HostMethod from "./host-method.ts";
import type { HostState, StatePart } from "./wire-state.ts";

/** Sends the state of a host to the other end: all changes of one turn together, at its end. */
export class StateProvider {
  readonly #outbox: StateOutbox;
  readonly #host: EditorHost;
  readonly #platform: Platform;
  readonly #changed = new Set<StatePart>();
  #version = 1;
  #documents = "";
  #scheduled = false;

  constructor(peer: Peer, host: EditorHost, platform: Platform) {
    this.#outbox = new StateOutbox(peer.transport);
    this.#host = host;
    this.#platform = platform;
  }

  /** The whole state. */
  whole(): HostState {
    const state: HostState = {
      version: this.#version,
      ...this.#read("workspace"),
      ...this.#read("documents"),
      ...this.#read("selection"),
    };
    this.#documents = this.#listOf(state);
    return state;
  }

  changed(part: StatePart): void {
    this.#changed.add(part);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.flush());
  }

  /** Sends pending changes immediately. */
  flush(): void {
    this.#scheduled = false;
    // A change of the selection may have changed the active document.
    const mayDiffer = this.#changed.has("selection") && !this.#changed.has("documents");
    if (mayDiffer && this.#listOf(this.#read("documents")) !== this.#documents) {
      this.#send("documents");
    }
    for (const part of this.#changed) this.#send(part);
    this.#changed.clear();
  }

  #send(part: StatePart): void {
    this.#version += 1;
    const state = { version: this.#version, ...this.#read(part) };
    if (part === "documents") this.#documents = this.#listOf(state);
    this.#outbox.send(part, formatNotification(HostMethod.State, state));
  }

  #listOf({ documents }: HostState): string {
    return JSON.stringify(documents);
  }

  #read(part: StatePart): HostState {
    switch (part) {
      case "workspace": {
        const { folders, trusted } = this.#host.workspace();
        return { trusted, folders: folders.map((folder) => this.#native(folder)) };
      }
      case "documents":
        return { documents: this.#host.documents().map((document) => this.#native(document)) };
      case "selection":
        return this.#selection();
    }
  }

  #selection(): HostState {
    const current = this.#host.selection("current");
    const latest: Selection | undefined = current ?? this.#host.selection("latest");
    return {
      selection: latest === undefined ? null : this.#native(latest),
      focused: current !== undefined,
    };
  }

  #native<T extends { readonly path: OpenDocument["path"] }>(value: T): T {
    return { ...value, path: toNativePath(value.path, this.#platform) };
  }
}
