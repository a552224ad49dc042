import { type Signal, signal } from "@preact/signals";
import { keep, readKept } from "../state/storage.ts";

const KEY = "idewire.keys";

/** Whether keys such as / work by themselves; somebody who dictates may switch them off. */
export const singleKeys: Signal<boolean> = signal(readKept(KEY) !== "off");
singleKeys.subscribe((isOn) => keep(KEY, isOn ? "on" : "off"));
