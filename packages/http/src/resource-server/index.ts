export { type ProtectResourceOptions, protectResource } from "./protect-resource.ts";
export type { IntrospectionOptions, TrustedIssuer } from "./trusted-issuer.ts";
export type { VerifiedToken } from "./verified-token.ts";
