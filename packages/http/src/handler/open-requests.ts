import { type Share, Shares } from "@idewire/core/internal";
import type { HttpLimits } from "./http-limits.ts";
import { type HttpRefusal, notTaken } from "./http-refusal.ts";
import type { Responder } from "./responder.ts";
import { limitUnread } from "./unread-output.ts";

/** The total limit of the bodies of all open requests, unless a single one may be larger. */
const MAX_BODY_BYTES = 1 << 26;
/** The total limit is at least this many bodies of the largest size. */
const MIN_BODIES = 4;
/** The total limit of the answers and streams that their clients have not read. */
const MAX_UNREAD_BYTES = 1 << 28;

/** Limits the open requests, their bodies and their unread output, in equal shares among principals. */
export class OpenRequests {
  readonly #requests: Shares;
  readonly #bodies: Shares;
  readonly #unread: Shares = new Shares(MAX_UNREAD_BYTES);

  constructor({ maxOpenRequests, maxBodyBytes }: HttpLimits) {
    this.#requests = new Shares(maxOpenRequests);
    this.#bodies = new Shares(Math.max(MAX_BODY_BYTES, MIN_BODIES * maxBodyBytes));
  }

  /**
   * Counts a request until it is answered, or its client leaves.
   * @throws HttpRefusal when its principal has used its share
   */
  open(principal: string | undefined, responder: Responder): OpenRequest {
    const request = new OpenRequest(this.#bodies, principal, responder);
    const share = this.#requests.take(principal, request);
    if (share === undefined) throw notTaken("Too many requests are open");
    request.share = share;
    responder.onClose(() => request.release());
    limitUnread(this.#unread, principal, responder);
    return request;
  }
}

/** One request that is open. */
export class OpenRequest {
  /** Its share of the number of requests. */
  share: Share | undefined;
  /** The work for it, which ends when it is evicted; by default the request is answered with 503. */
  work: { evict(): void } | undefined;
  readonly #bodies: Shares;
  readonly #principal: string | undefined;
  readonly #responder: Responder;
  #body: Share | undefined;
  #users = 1;
  #isOver = false;

  constructor(bodies: Shares, principal: string | undefined, responder: Responder) {
    this.#bodies = bodies;
    this.#principal = principal;
    this.#responder = responder;
  }

  /**
   * Counts the bytes of the body that were read.
   * @returns why no more may be read
   */
  hold(bytes: number): HttpRefusal | undefined {
    // Bytes after its end are not read.
    const isHeld = !this.#isOver && (this.#body?.resize(bytes) ?? this.#take(bytes));
    return isHeld ? undefined : notTaken("Too many bodies are being read");
  }

  /** Counts it until a further call of `release`: its work continues without its client. */
  retain(): void {
    this.#users += 1;
  }

  release(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#end();
  }

  /** Ends it in favour of another principal's request. */
  evict(): void {
    this.#end();
    if (this.work === undefined) this.#responder.refuse(notTaken("Others need this place"));
    else this.work.evict();
  }

  #end(): void {
    this.#isOver = true;
    this.share?.release();
    this.#body?.release();
  }

  #take(bytes: number): boolean {
    this.#body = this.#bodies.take(this.#principal, this, bytes);
    return this.#body !== undefined;
  }
}
