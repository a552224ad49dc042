/** How a client is known to an authorization server. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** `none`, `client_secret_basic` or `client_secret_post`; by default what the server prefers. */
  readonly authMethod?: string;
}

/** A client that the program has registered by itself. */
export interface RegisteredClient extends ClientCredentials {
  /** The address that it was registered with. */
  readonly redirectUri: string;
  /** The scopes that it was registered for, separated by spaces. */
  readonly scope?: string;
}

/** What is kept between runs for one MCP server. */
export interface StoredCredentials {
  /** The authorization server that all of it belongs to; nothing of it is shown to another one. */
  readonly issuer: string;
  /** Where the server says who authorizes for it. */
  readonly resourceMetadata?: string | undefined;
  readonly client?: RegisteredClient | undefined;
  readonly tokens?: StoredTokens | undefined;
}

export interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** In milliseconds since 1970; absent when the server did not say. */
  readonly expiresAtMs?: number | undefined;
  /** Separated by spaces: what was granted, or was asked for if the server did not say. */
  readonly scope?: string | undefined;
  /** The id of the client that they were issued to. */
  readonly clientId: string;
  /** The key that they are bound to (RFC 9449); absent when whoever has them may use them. */
  readonly key?: ProofKey | undefined;
}

/** A private key and its public half: as they are in a store that holds keys, else as JSON. */
export type ProofKey = CryptoKeyPair | PrivateJwk;

/** A private key on an elliptic curve, as JSON (RFC 7517). */
export interface PrivateJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
  /** The secret. */
  readonly d: string;
}

/** Keeps credentials by the address of the MCP server that they are for. */
export interface CredentialStore {
  /**
   * Whether it keeps each `CryptoKey` as it is, as memory and IndexedDB can: nobody can export such a key.
   * By default keys are written as JSON.
   */
  readonly holdsKeys?: boolean;
  /** Where the credentials for a server are, such as a file: for messages to a person. */
  placeOf?(server: string): string;
  /** What is kept for a server. */
  read(server: string): Promise<StoredCredentials | undefined>;
  /** Keeps credentials in place of earlier ones; undefined removes them. */
  write(server: string, credentials: StoredCredentials | undefined): Promise<void>;
  /**
   * Runs a function while no other one runs for the same server, in any process that shares the store, and
   * passes its outcome on.
   */
  exclusively<T>(server: string, run: () => Promise<T>): Promise<T>;
}

/** Creates a store that forgets everything with the program. */
export function createMemoryStore(): CredentialStore {
  const kept = new Map<string, StoredCredentials>();
  const last = new Map<string, Promise<unknown>>();
  return {
    holdsKeys: true,
    read: async (server) => kept.get(server),
    async write(server, credentials) {
      if (credentials === undefined) kept.delete(server);
      else kept.set(server, credentials);
    },
    exclusively(server, run) {
      const turn = (last.get(server) ?? Promise.resolve()).then(run);
      last.set(
        server,
        turn.catch(() => {}),
      );
      return turn;
    },
  };
}
