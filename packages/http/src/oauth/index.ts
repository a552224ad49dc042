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
export { exchangeIdToken, type IdTokenExchangeOptions } from "./identity-assertion.ts";
export { createOAuth } from "./oauth.ts";
export type {
  AssertionRequest,
  MachineCredentials,
  OAuthOptions,
  OpenRedirectTarget,
  RedirectTarget,
  RequestAssertion,
} from "./options.ts";
export { type LogoutOptions, type LogoutOutcome, logOut } from "./revocation.ts";
