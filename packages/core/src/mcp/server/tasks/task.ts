import type { ErrorObject } from "../../../rpc/message.ts";
import type { RequestTarget } from "../caller.ts";
import type { InputRequests } from "../modern/round.ts";

// The extension io.modelcontextprotocol/tasks.

/** A task as clients see it: times are ISO 8601. */
export interface Task {
  readonly taskId: string;
  readonly status: "working" | "input_required" | "completed" | "cancelled" | "failed";
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long it is kept from its creation, in milliseconds; null for no limit. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
  /** The open questions by key, while the status is `input_required`. */
  readonly inputRequests?: InputRequests;
  /** The result of the request: once it is `completed`. */
  readonly result?: unknown;
  /** Why it is `failed`. */
  readonly error?: ErrorObject;
}

/** How a task ends. */
export type TaskEnd = Partial<Task> & Pick<Task, "status">;

/** A task as it is stored. */
export interface StoredTask {
  readonly task: Task;
  /** The principal that began it; for others it does not exist. */
  readonly principal?: string;
  /** The call that became the task: a client that requests the task has to be allowed to send that call. */
  readonly call: RequestTarget;
}

export function isOver({ status }: Task): boolean {
  return status === "completed" || status === "cancelled" || status === "failed";
}
