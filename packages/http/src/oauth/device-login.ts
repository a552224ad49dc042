import { pause, systemClock } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { deviceAuthorizationRequest, processDeviceAuthorizationResponse } from "oauth4webapi";
import { checkAddress } from "./addresses.ts";
import { authentication } from "./client-authentication.ts";
import type { StoredTokens } from "./credentials.ts";
import { normalizeResponse } from "./document.ts";
import { AuthorizationServerError, mapOAuthErrors, SERVER, unauthorized } from "./errors.ts";
import type { DeviceLogin } from "./options.ts";
import { DEVICE_CODE } from "./registration.ts";
import { exchange, requestOptions, type TokenContext } from "./token-requests.ts";

/** RFC 8628, section 3.2: without an interval of the server. */
const DEFAULT_INTERVAL_S = 5;
/** RFC 8628, section 3.5: by how much each `slow_down` extends the interval. */
const SLOWER_MS = 5_000;
/** The longest wait between two questions, and for the person. */
const MAX_INTERVAL_MS = 60_000;
const MAX_WAIT_MS = 1_800_000;

interface DeviceContext extends TokenContext {
  /** The MCP server. */
  readonly url: URL;
}

interface Issued {
  readonly deviceCode: string;
  readonly intervalMs: number;
  readonly expiresInMs: number;
}

/**
 * Shows a code to the person, and asks for the tokens until the person has entered it on any device (RFC 8628).
 * @throws IdewireError `unauthorized` if the server does not support it, `timeout` if the code expires first,
 * `cancelled` when the signal aborts
 */
export async function requestByDevice(
  context: DeviceContext,
  device: DeviceLogin,
  scope: string | undefined,
): Promise<StoredTokens> {
  const issued = await requestCode(context, device, scope);
  const endMs = Date.now() + issued.expiresInMs;
  const never = new AbortController().signal;
  let { intervalMs } = issued;
  while (Date.now() < endMs) {
    if (device.signal?.aborted === true) throw new IdewireError("cancelled", "The login was ended");
    try {
      const given = { device_code: issued.deviceCode };
      return await exchange(context, DEVICE_CODE, { scope, given });
    } catch (error) {
      intervalMs = Math.min(intervalMs + delayAfter(error, intervalMs), MAX_INTERVAL_MS);
    }
    await pause(systemClock, Math.min(intervalMs, endMs - Date.now()), device.signal ?? never);
  }
  throw expired();
}

function expired(): IdewireError {
  return new IdewireError("timeout", "The code has expired: log in again for another");
}

/**
 * By how many milliseconds an answer extends the interval.
 * @throws the error itself, if no later question can succeed
 */
function delayAfter(error: unknown, intervalMs: number): number {
  if (error instanceof AuthorizationServerError) {
    if (error.code === "authorization_pending") return 0;
    if (error.code === "slow_down") return SLOWER_MS;
    if (error.code === "expired_token") throw expired();
    if (!error.isTemporary) throw error;
  } else if (!(error instanceof IdewireError) || !/^(unreachable|timeout)$/.test(error.code)) {
    throw error;
  }
  return intervalMs;
}

async function requestCode(
  context: DeviceContext,
  device: DeviceLogin,
  scope: string | undefined,
): Promise<Issued> {
  const { server, client } = context;
  const { metadata, issuer, resource } = server;
  if (metadata.device_authorization_endpoint === undefined) {
    throw unauthorized(`${issuer} supports no device authorization: log in without it`);
  }
  const known = { client_id: client.clientId };
  const parameters = {
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
  };
  const found = await mapOAuthErrors(SERVER, async () => {
    const auth = authentication(client, metadata);
    const options = requestOptions({ ...context, proofs: undefined });
    const response = await deviceAuthorizationRequest(metadata, known, auth, parameters, options);
    const normal = await normalizeResponse(response, 200, ({ interval, ...more }) => ({
      ...more,
      interval: Number(interval) > 0 ? Number(interval) : DEFAULT_INTERVAL_S,
    }));
    return processDeviceAuthorizationResponse(metadata, known, normal);
  });
  const { verification_uri: uri, verification_uri_complete: complete } = found;
  const checked = (address: string) => checkAddress("verification_uri", address, context.url).href;
  const expiresInMs = Math.min(found.expires_in * 1_000, MAX_WAIT_MS);
  await device.show({
    userCode: found.user_code,
    verificationUri: checked(uri),
    ...(complete !== undefined && { verificationUriComplete: checked(complete) }),
    expiresInMs,
  });
  const intervalMs = (found.interval ?? DEFAULT_INTERVAL_S) * 1_000;
  return { deviceCode: found.device_code, intervalMs, expiresInMs };
}
