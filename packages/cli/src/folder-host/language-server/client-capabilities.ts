import type { ClientCapabilities } from "vscode-languageserver-protocol";
import { positionEncodings } from "./position-encoding.ts";

/** The capabilities of this client: those that diagnostics need. */
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
