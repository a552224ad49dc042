import type { ShareLevel } from "@idewire/core";
import { texts } from "../texts/index.ts";
import type { Exclusion } from "./exclusions.ts";
import { explainExclusion } from "./explain-exclusion.ts";

/** Facts for the status bar. */
export interface SharingFacts {
  readonly isFailed: boolean;
  /** Whether another window serves the vault. */
  readonly isElsewhere: boolean;
  /** The names of the connected agents. */
  readonly agents: readonly string[];
  readonly level: ShareLevel;
  /** The name of the active note. */
  readonly note: string | undefined;
  /** Whether text is selected in it. */
  readonly isSelected: boolean;
  readonly exclusion: Exclusion | undefined;
}

/** The content of the status bar. */
export interface SharingState {
  readonly kind: "failed" | "waiting" | "none" | "paused" | "hidden" | "shared";
  readonly icon: string;
  readonly label: string;
  readonly tooltip: string;
}

/** Describes the connected agents and the shared state. */
export function describeSharing(facts: SharingFacts): SharingState {
  const { isFailed, isElsewhere, agents, level, note, isSelected, exclusion } = facts;
  const connected = listNames(agents);
  const state = (kind: Exclude<SharingState["kind"], "shared">, icon: string, tooltip: string) => ({
    ...{ kind, icon, tooltip },
    label: texts.sharing[kind],
  });
  if (isFailed) return state("failed", "triangle-alert", texts.sharing.tipFailed);
  if (isElsewhere) return state("waiting", "app-window", texts.sharing.tipWaiting);
  const isNobody = agents.length === 0;
  if (level === "off") {
    const paused = texts.sharing.tipPaused(connected);
    return state("paused", "eye-off", isNobody ? texts.sharing.tipNone : paused);
  }
  if (isNobody) return state("none", "unplug", texts.sharing.tipNone);
  if (exclusion !== undefined) {
    const why = explainExclusion(exclusion);
    return state("hidden", "eye-off", texts.sharing.tipHidden({ agents: connected, why }));
  }
  const { tipSelection, tipPath } = texts.sharing;
  const describe = isSelected && level !== "path" ? tipSelection : tipPath;
  const tooltip =
    note === undefined
      ? texts.sharing.tipNothing(connected)
      : describe({ agents: connected, note });
  const label = agents.length === 1 ? connected : texts.sharing.agents(agents.length);
  return { kind: "shared", icon: "bot", label, tooltip };
}

function listNames(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  if (names.length < 2) return last;
  return texts.sharing.and(names.slice(0, -1).join(", "), last);
}
