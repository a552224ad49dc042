/** A client as registered with an authorization server. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** `none`, `client_secret_basic` or `client_secret_post`; by default the server's preference. */
  readonly authMethod?: string;
}

/** A client that the program has registered itself. */
export interface RegisteredClient extends ClientCredentials {
  /** The address that it was registered with; absent if it was registered for device authorization. */
  readonly redirectUri?: string | undefined;
  /** The scopes that it was registered for, separated by spaces. */
  readonly scope?: string;
}

/** The stored credentials for one MCP server. */
export interface StoredCredentials {
  /** The authorization server that the credentials belong to; none of them is sent to another one. */
  readonly issuer: string;
  /** The address of the server's metadata, which names its authorization server. */
  readonly resourceMetadata?: string | undefined;
  readonly client?: RegisteredClient | undefined;
  readonly tokens?: StoredTokens | undefined;
}

export interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** In milliseconds since 1970; absent if the server did not specify it. */
  readonly expiresAtMs?: number | undefined;
  /** The granted scopes, separated by spaces, or the requested ones if the server did not list any. */
  readonly scope?: string | undefined;
  /** The id of the client to which they were issued. */
  readonly clientId: string;
  /** The key to which they are bound (RFC 9449); absent for bearer tokens. */
  readonly key?: ProofKey | undefined;
}

/** A private key and its public half: as `CryptoKey`s in a store that holds keys, else as JSON. */
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

/** Stores credentials by the address of their MCP server. */
export interface CredentialStore {
  /**
   * Whether it stores `CryptoKey`s themselves, as memory and IndexedDB can, so that they need not be extractable.
   * By default keys are stored as JSON.
   */
  readonly holdsKeys?: boolean;
  /** The location of the credentials for a server, such as a file, for error messages. */
  placeOf?(server: string): string;
  /** The stored credentials for a server. */
  read(server: string): Promise<StoredCredentials | undefined>;
  /** Replaces the stored credentials; undefined removes them. */
  write(server: string, credentials: StoredCredentials | undefined): Promise<void>;
  /** Runs a function exclusively for a server, among all processes that share the store, and returns its outcome. */
  exclusively<T>(server: string, run: () => Promise<T>): Promise<T>;
}

/** Creates a store in memory, which lasts as long as the program. */
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
