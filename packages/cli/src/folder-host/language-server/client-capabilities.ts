import type { ClientCapabilities } from "vscode-languageserver-protocol";
import { positionEncodings } from "./position-encoding.ts";

/** What this client can do: all that diagnostics need, and no more. */
export const clientCapabilities: ClientCapabilities = {
  general: { positionEncodings: [...positionEncodings] },
  textDocument: {
    synchronization: { dynamicRegistration: true, didSave: true },
    publishDiagnostics: { versionSupport: true },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
  },
  workspace: {
    workspaceFolders: true,
    configuration: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
    diagnostics: { refreshSupport: true },
  },
};
