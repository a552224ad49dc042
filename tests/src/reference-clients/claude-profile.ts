/** The differences between the measured versions of the published client. */

export type ClaudeVersion = "2.1.330" | "2.0.77" | "1.0.128";

export interface ClaudeProfile {
  readonly version: ClaudeVersion;
  readonly userAgent: string;
  readonly protocolVersion: string;
  readonly capabilities: object;
  readonly progressToken: boolean;
  /** Added to the 0-based line numbers for the model. */
  readonly lineOffset: 0 | 1;
  readonly contextRole: "system" | "user";
  readonly reconnects: boolean;
}

const newest: ClaudeProfile = {
  version: "2.1.330",
  userAgent: "claude-code/2.1.330 (cli)",
  protocolVersion: "2025-11-25",
  capabilities: {
    roots: { listChanged: true },
    elicitation: {},
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
  progressToken: true,
  lineOffset: 1,
  contextRole: "system",
  reconnects: true,
};

const profiles: Readonly<Record<ClaudeVersion, ClaudeProfile>> = {
  "2.1.330": newest,
  "2.0.77": {
    version: "2.0.77",
    userAgent: "claude-code/2.0.77",
    protocolVersion: "2025-11-25",
    capabilities: { roots: {} },
    progressToken: false,
    lineOffset: 0,
    contextRole: "user",
    reconnects: true,
  },
  "1.0.128": {
    version: "1.0.128",
    userAgent: "claude-code/1.0.128",
    protocolVersion: "2025-06-18",
    capabilities: { roots: {} },
    progressToken: false,
    lineOffset: 0,
    contextRole: "user",
    reconnects: false,
  },
};

export function claudeProfile(version: ClaudeVersion): ClaudeProfile {
  return profiles[version];
}

/** Protocol revisions that the client accepts as an answer to `initialize`. */
export const acceptedRevisions: readonly string[] = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
];

export function initializeParams(profile: ClaudeProfile): object {
  return {
    protocolVersion: profile.protocolVersion,
    capabilities: profile.capabilities,
    clientInfo: {
      name: "claude-code",
      title: "Claude Code",
      version: profile.version,
      description: "The strict reference client of a coding agent's command line",
      websiteUrl: "https://example.invalid/reference-client",
    },
  };
}
