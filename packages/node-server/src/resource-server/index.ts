export type { VerifiedToken } from "./access-tokens.ts";
export {
  type ProtectResourceOptions,
  protectResource,
  type ResourceProtection,
} from "./protect-resource.ts";
export type { TrustedIssuer } from "./trusted-issuers.ts";
