import { fieldOf, plain, quote } from "./frame-fields.ts";
import type { Sentence } from "./method-sentences.ts";

const SOURCE = "MCP Apps 2026-01-26, Communication Protocol";

const sentences: Readonly<Record<string, Sentence>> = {
  "ui/initialize": ({ appInfo, protocolVersion }) =>
    `The view ${quote(fieldOf(appInfo, "name"))} starts the handshake and asks for MCP Apps ${plain(protocolVersion)}.`,
  "ui/notifications/initialized": () => "The view is ready.",
  "ui/notifications/tool-input": () => "The host passes the arguments of the call to the view.",
  "ui/notifications/tool-input-partial": () =>
    "The host passes the arguments of the call so far to the view.",
  "ui/notifications/tool-result": () => "The host passes the result of the call to the view.",
  "ui/notifications/tool-cancelled": () =>
    "The host reports to the view that the call was cancelled.",
  "ui/notifications/size-changed": ({ width, height }) =>
    `The view reports its size: ${plain(width)} by ${plain(height)} pixels.`,
  "ui/notifications/host-context-changed": () =>
    "The host reports to the view that its surroundings have changed, such as the theme.",
  "ui/resource-teardown": () => "The host announces to the view that it will be removed.",
  "ui/open-link": ({ url }) => `The view asks the host to open ${quote(url)}.`,
  "ui/message": () => "The view asks the host to add a message to the conversation.",
  "ui/update-model-context": () => "The view gives the host a text for the model.",
  "ui/request-display-mode": ({ mode }) =>
    `The view asks the host for the display mode ${quote(mode)}.`,
};

/** The sentence of each message between the view of an MCP App and its host, and its source. */
export const appSentences: Readonly<Record<string, readonly [Sentence, string]>> =
  Object.fromEntries(
    Object.entries(sentences).map(([method, sentence]) => [method, [sentence, SOURCE] as const]),
  );
