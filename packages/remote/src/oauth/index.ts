export type {
  ClientCredentials,
  CredentialStore,
  PrivateJwk,
  ProofKey,
  RegisteredClient,
  StoredCredentials,
  StoredTokens,
} from "./credentials.ts";
export { createMemoryStore } from "./credentials.ts";
export { createDpop, type Dpop } from "./dpop.ts";
export { createOAuth } from "./oauth.ts";
export type {
  MachineCredentials,
  OAuthOptions,
  OpenRedirectTarget,
  RedirectTarget,
} from "./options.ts";
