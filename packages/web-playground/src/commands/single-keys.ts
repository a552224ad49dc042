import { type Signal, signal } from "@preact/signals";
import { readItem, saveItem } from "../state/storage.ts";

const KEY = "idewire.keys";

/** Whether keys such as / work without a modifier; users of dictation may switch them off. */
export const singleKeys: Signal<boolean> = signal(readItem(KEY) !== "off");
singleKeys.subscribe((isOn) => saveItem(KEY, isOn ? "on" : "off"));
