import { asObject } from "../../../rpc/message.ts";
import type { Caller } from "../caller.ts";
import { hasElicitation } from "./elicitation.ts";

/** A question that a client can support: a capability, or one of its details. */
export type ClientAbility =
  | "elicitation"
  | "elicitation.url"
  | "sampling"
  | "sampling.context"
  | "sampling.tools"
  | "roots";

/** Whether a client has announced an ability, and its revision has it. */
export function isAble(caller: Caller, ability: ClientAbility): boolean {
  const { clientCapabilities, traits } = caller;
  switch (ability) {
    case "elicitation":
      return hasElicitation(caller, "form");
    case "elicitation.url":
      return hasElicitation(caller, "url");
    case "sampling":
    case "roots":
      return ability in clientCapabilities;
    case "sampling.context":
      return "context" in asObject(clientCapabilities["sampling"]);
    case "sampling.tools":
      return traits.samplingTools && "tools" in asObject(clientCapabilities["sampling"]);
  }
}
