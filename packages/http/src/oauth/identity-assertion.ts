import { describeValue } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { genericTokenEndpointRequest, processGenericTokenEndpointResponse } from "oauth4webapi";
import { authentication, obtained } from "./client-authentication.ts";
import { findMetadata } from "./discovery.ts";
import { mapOAuthErrors, unauthorized, withUserError } from "./errors.ts";
import type { RequestAssertion } from "./options.ts";
import { normalizeTokens, requestOptions } from "./token-requests.ts";

/** The client and the person, as an employer's identity provider knows them. */
export interface IdTokenExchangeOptions {
  /** The issuer: the address of the identity provider. */
  readonly idp: string;
  /** The id of the client at the identity provider. */
  readonly clientId: string;
  readonly clientSecret?: string;
  /** The ID token of the person, from the login at the identity provider. */
  readonly idToken: () => string | Promise<string>;
}

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

/**
 * For the option `identityAssertion`: exchanges the person's ID token for an Identity Assertion JWT Authorization
 * Grant, by which an employer's identity provider grants access to the MCP server (RFC 8693; MCP extension
 * `enterprise-managed-authorization`).
 * @throws IdewireError `invalid-argument` for an invalid address of the identity provider
 */
export function exchangeIdToken(options: IdTokenExchangeOptions): RequestAssertion {
  const { idp, clientId, clientSecret, idToken } = options;
  const client = { clientId, ...(clientSecret !== undefined && { clientSecret }) };
  if (!URL.canParse(idp)) {
    throw new IdewireError("invalid-argument", `idp: expected an address, got ${idp}`);
  }
  return async ({ issuer, resource, scope, fetch }) => {
    const metadata = await findMetadata(idp, new URL(idp), fetch);
    const parameters = {
      requested_token_type: ID_JAG,
      audience: issuer,
      resource,
      ...(scope !== undefined && { scope }),
      subject_token: await obtained("idToken", idToken),
      subject_token_type: ID_TOKEN,
    };
    const send = async () => {
      const known = { client_id: clientId };
      const response = await genericTokenEndpointRequest(
        metadata,
        known,
        authentication(client, metadata),
        TOKEN_EXCHANGE,
        parameters,
        requestOptions({ fetch, proofs: undefined }),
      );
      return processGenericTokenEndpointResponse(metadata, known, await normalizeTokens(response));
    };
    const who = "The identity provider";
    const answer = await withUserError(who, () => mapOAuthErrors(who, send));
    const { access_token: assertion, issued_token_type: type } = answer;
    if (type === ID_JAG) return assertion;
    throw unauthorized(`${idp} gave a token of type ${describeValue(type)}`);
  };
}
