export type {
  ClientCredentials,
  CredentialStore,
  RegisteredClient,
  StoredCredentials,
  StoredTokens,
} from "./credentials.ts";
export { createMemoryStore } from "./credentials.ts";
export { createOAuth } from "./oauth.ts";
export type {
  MachineCredentials,
  OAuthOptions,
  OpenRedirectTarget,
  RedirectTarget,
} from "./options.ts";
