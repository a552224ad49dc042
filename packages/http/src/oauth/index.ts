export type { CredentialStore } from "./credentials.ts";
export { createMemoryStore } from "./credentials.ts";
export { createDpop, type Dpop } from "./dpop.ts";
export { exchangeIdToken } from "./identity-assertion.ts";
export { createOAuth } from "./oauth.ts";
export type {
  MachineCredentials,
  OAuthOptions,
  RedirectTarget,
  RequestAssertion,
} from "./options.ts";
export { logOut } from "./revocation.ts";
