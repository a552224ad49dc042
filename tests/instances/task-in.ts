import { eventsOf, nextMessage } from "../src/http-client.ts";

/** What a response says of a task; nothing where it is an error. */
export async function taskIn(
  response: Response,
): Promise<{ readonly taskId?: string; readonly status?: string }> {
  // What takes a while is answered by events.
  const isStream = response.headers.get("content-type") === "text/event-stream";
  const message = isStream ? await nextMessage(eventsOf(response)) : await response.json();
  return (message as { readonly result?: object }).result ?? {};
}
