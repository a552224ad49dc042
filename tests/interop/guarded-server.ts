import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from "@modelcontextprotocol/sdk/server/auth/router.js";
import { OAuthMetadataSchema } from "@modelcontextprotocol/sdk/shared/auth.js";
import express from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { onTestFinished } from "vitest";
import { startAuthorizationServer } from "./real-authorization-server.ts";

/** A program that is registered at oidc-provider with a secret. */
export const machine = {
  client_id: "a-machine",
  client_secret: "a secret of the machine",
  grant_types: ["client_credentials"],
  ...{ redirect_uris: [], response_types: [], token_endpoint_auth_method: "client_secret_basic" },
};

/** A server that requires tokens, and the subjects that it has admitted. */
export interface GuardedServer {
  readonly url: string;
  readonly issuer: string;
  /** The subjects of the tokens that were accepted. */
  readonly admitted: ReadonlySet<string>;
}

/** The bearer check of the official SDK in front of a server, with oidc-provider as the trusted issuer. */
export async function guard(upstream: string): Promise<GuardedServer> {
  const app = express();
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = new URL(new URL(upstream).pathname, `http://127.0.0.1:${port}`);
  const authorizer = await startAuthorizationServer(
    new Map([[url.href, { scope: "read", format: "jwt" }]]),
    { clients: [machine] },
  );
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await authorizer.close();
  });
  const { issuer } = authorizer;
  const admitted = new Set<string>();
  const verifier = await createVerifier(issuer, url, (subject) => admitted.add(subject));
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(url);
  app.use(mcpAuthMetadataRouter({ ...verifier.metadata, resourceServerUrl: url }));
  const bearer = { verifier, requiredScopes: ["read"], resourceMetadataUrl };
  app.use(requireBearerAuth(bearer), (request, response) =>
    forward(new URL(request.originalUrl, upstream), request, response),
  );
  return { url: url.href, issuer, admitted };
}

async function createVerifier(issuer: string, url: URL, onadmit: (subject: string) => void) {
  const well = await fetch(`${issuer}/.well-known/oauth-authorization-server`);
  const oauthMetadata = OAuthMetadataSchema.parse(await well.json());
  const { jwks_uri: jwks = "" } = oauthMetadata;
  const keys = createRemoteJWKSet(new URL(String(jwks)));
  return {
    metadata: { oauthMetadata, scopesSupported: ["read"] },
    async verifyAccessToken(token: string) {
      const checks = { issuer, audience: url.href };
      const { payload } = await jwtVerify(token, keys, checks).catch((cause: unknown) => {
        throw new InvalidTokenError(String(cause));
      });
      onadmit(String(payload.sub));
      const scopes = String(payload["scope"] ?? "").split(" ");
      return { token, clientId: String(payload["client_id"]), scopes, expiresAt: payload.exp ?? 0 };
    },
  };
}

/** Forwards a request without its token. */
function forward(target: URL, request: IncomingMessage, response: ServerResponse): void {
  const { authorization: _, dpop: __, ...headers } = request.headers;
  const options = { method: request.method ?? "GET", headers: { ...headers, host: target.host } };
  const passed = httpRequest(target, options, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
    answer.pipe(response);
  });
  passed.on("error", () => response.destroy());
  response.on("close", () => passed.destroy());
  request.pipe(passed);
}
