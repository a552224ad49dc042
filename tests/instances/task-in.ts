import { eventsOf, nextMessage } from "../src/http-client.ts";

/** The task in a response; undefined for an error. */
export async function taskIn(
  response: Response,
): Promise<{ readonly taskId?: string; readonly status?: string }> {
  // A slow answer is a stream of events.
  const isStream = response.headers.get("content-type") === "text/event-stream";
  const message = isStream ? await nextMessage(eventsOf(response)) : await response.json();
  return (message as { readonly result?: object }).result ?? {};
}
