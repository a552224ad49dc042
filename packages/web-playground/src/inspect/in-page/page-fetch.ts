/**
 * The `fetch` of this page, whose errors name the likely cause: a browser hides from a page why it could not reach a
 * server, or did not pass its answer on.
 */
export async function pageFetch(url: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init?.signal?.aborted === true || !(error instanceof TypeError)) throw error;
    const words =
      `the browser passes no answer of ${new URL(url).host} on to this page: the server does not run, or does ` +
      `not admit ${location.origin} by CORS, or the browser keeps this page from the network of the server`;
    throw new TypeError(words, { cause: new Error(words) });
  }
}
