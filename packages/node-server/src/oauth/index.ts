export { type CredentialFilesOptions, createCredentialFiles } from "./credential-files.ts";
export { type LoopbackRedirectOptions, loopbackRedirect } from "./loopback-redirect.ts";
