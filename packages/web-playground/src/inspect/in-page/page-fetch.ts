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
      `this page got no answer from ${new URL(url).host}. Either the server is not running, or it does not allow ` +
      `${location.origin} by CORS, or the browser does not let this page into the server's network`;
    throw new TypeError(words, { cause: new Error(words) });
  }
}
