/** Runs a function again only after its previous run, once for all requests meanwhile. */
export function coalesced(act: () => Promise<unknown>): () => void {
  let isRunning = false;
  let isDue = false;
  const run = async () => {
    isRunning = true;
    do {
      isDue = false;
      await act();
    } while (isDue);
    isRunning = false;
  };
  return () => {
    isDue = true;
    if (!isRunning) void run();
  };
}
