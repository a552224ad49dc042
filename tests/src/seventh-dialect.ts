import { type Dialect, type EditorHost, type Platform, toNativePath } from "@idewire/core";
import { textResult } from "@idewire/core/internal";
import {
  authorOf,
  type DiscoveryFormat,
} from "../../packages/core/src/discovery/discovery-format.ts";
import {
  matchPort,
  parseObject,
  readAuthor,
} from "../../packages/core/src/discovery/parse-file.ts";
import { toolBinder } from "../../packages/core/src/ide/ide-tool.ts";
import { closeTitledDiff } from "../../packages/core/src/ide/tools/close-titled-diff.ts";
import { openTitledDiff } from "../../packages/core/src/ide/tools/open-titled-diff.ts";
import { parsed } from "../../packages/core/src/parse-result.ts";

// A family of agents that does not exist, written as one in core/src/ide/dialects: this file is all it needs.

/** `~/.seventh/<port>.json`. */
const discovery: DiscoveryFormat = {
  folder: { base: "home", root: ".seventh" },
  transport: "http",
  fileName: ({ port = 0 }) => `${port}.json`,
  match: (name) => matchPort(name, ".json"),
  format: (facts) =>
    JSON.stringify({ secret: facts.token, roots: facts.folders, ...authorOf(facts) }),
  read(text) {
    const object = parseObject(text);
    if (!object.ok) return object;
    const { secret, roots } = object.value;
    return parsed({
      workspaceFolders: Array.isArray(roots) ? roots.map(String) : [],
      authToken: String(secret),
      transport: "http",
      ...readAuthor(object.value),
    });
  },
};

/** Agents over HTTP that count lines from 1 and have their own names for everything. */
export const seventh: Dialect = {
  id: "seventh",
  endpoint: { kind: "http", discovery },
  agent: { name: "seventh-cli", title: "Seventh CLI", start: "seventh" },
  argumentErrors: "tool-result",
  readyDelayMs: 0,
  createTools,
  clientKindOf: () => "",
  follows: ["selection"],
  encodeState: ({ selection }, { platform }) => ({
    method: "seventh/looksAt",
    params: {
      file: selection === undefined ? null : toNativePath(selection.path, platform),
      text: selection?.ranges?.[selection.primary]?.text ?? "",
    },
  }),
  mentions: {
    needLines: () => false,
    encode: ({ path, lines }, { platform }) => ({
      method: "seventh/mention",
      params: { file: toNativePath(path, platform), line: (lines?.start ?? 0) + 1 },
    }),
  },
  receive: () => undefined,
};

function createTools(host: EditorHost, platform: Platform) {
  const bind = toolBinder(host, platform);
  return [
    bind(openTitledDiff, "propose", (outcome) =>
      outcome.kind === "accepted" ? textResult("yes", outcome.text) : textResult("no"),
    ),
    bind(closeTitledDiff, "withdraw", () => textResult()),
  ];
}
