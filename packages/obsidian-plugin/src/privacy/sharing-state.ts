import type { ShareLevel } from "@idewire/core";
import type { TextKey, Texts } from "../texts/index.ts";
import type { Exclusion } from "./exclusions.ts";
import { explainExclusion } from "./explain-exclusion.ts";

/** What the status bar depends on. */
export interface SharingFacts {
  readonly isFailed: boolean;
  /** The names of the connected agents. */
  readonly agents: readonly string[];
  readonly level: ShareLevel;
  /** The name of the active note. */
  readonly note: string | undefined;
  /** Whether text is selected in it. */
  readonly isSelected: boolean;
  readonly exclusion: Exclusion | undefined;
}

/** What the status bar shows. */
export interface SharingState {
  readonly kind: "failed" | "none" | "paused" | "hidden" | "shared";
  readonly icon: string;
  readonly label: string;
  readonly tooltip: string;
}

/** Describes who is connected and what is shared. */
export function describeSharing(facts: SharingFacts, texts: Texts): SharingState {
  const { isFailed, agents, level, note, isSelected, exclusion } = facts;
  const connected = listNames(agents, texts);
  if (isFailed)
    return state("failed", "triangle-alert", ["sharing.failed", texts("sharing.tipFailed")]);
  if (level === "off") {
    const tooltip =
      agents.length === 0
        ? texts("sharing.tipNone")
        : texts("sharing.tipPaused", { agents: connected });
    return state("paused", "eye-off", ["sharing.paused", tooltip]);
  }
  if (agents.length === 0)
    return state("none", "unplug", ["sharing.none", texts("sharing.tipNone")]);
  if (exclusion !== undefined) {
    const why = explainExclusion(exclusion, texts);
    const tooltip = texts("sharing.tipHidden", { agents: connected, why });
    return state("hidden", "eye-off", ["sharing.hidden", tooltip]);
  }
  const key = isSelected && level !== "path" ? "sharing.tipSelection" : "sharing.tipPath";
  const tooltip =
    note === undefined
      ? texts("sharing.tipNothing", { agents: connected })
      : texts(key, { agents: connected, note });
  const label = agents.length === 1 ? connected : texts.count("sharing.agents", agents.length);
  return { kind: "shared", icon: "bot", label, tooltip };

  function state(
    kind: SharingState["kind"],
    icon: string,
    [labelKey, tip]: readonly [
      TextKey & `sharing.${"failed" | "none" | "paused" | "hidden"}`,
      string,
    ],
  ): SharingState {
    return { kind, icon, label: texts(labelKey), tooltip: tip };
  }
}

function listNames(names: readonly string[], texts: Texts): string {
  const last = names.at(-1) ?? "";
  if (names.length < 2) return last;
  return texts("sharing.and", { first: names.slice(0, -1).join(", "), last });
}
