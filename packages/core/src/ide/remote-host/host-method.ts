// The methods of the host protocol, as constants of a module, so that a bundle contains only those in use.

// From the editor.
export const Hello = "host/hello";
export const State = "host/state";
export const DiagnosticsChanged = "host/diagnosticsChanged";
export const Mention = "host/mention";
export const Share = "host/share";
export const Sent = "host/sent";

// To the editor.
export const Read = "host/read";
export const Reveal = "host/reveal";
export const Select = "host/select";
export const OpenDiff = "host/openDiff";
export const CloseDiff = "host/closeDiff";
export const Diagnostics = "host/diagnostics";
export const Save = "host/save";
export const Format = "host/format";
export const CloseTab = "host/closeTab";
export const Problem = "host/problem";
export const Listening = "host/listening";
export const Agents = "host/agents";
export const Warning = "host/warning";
export const Written = "host/written";
