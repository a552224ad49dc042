const cleanups = new Set<() => void>();

/**
 * Runs a synchronous function when this process exits; returns the undo. One listener serves any number of
 * functions. Signals are not caught: they are up to the program, not to a library.
 */
export function onProcessExit(cleanup: () => void): () => void {
  if (cleanups.size === 0) process.on("exit", runAll);
  cleanups.add(cleanup);
  return () => {
    cleanups.delete(cleanup);
    if (cleanups.size === 0) process.off("exit", runAll);
  };
}

function runAll(): void {
  for (const cleanup of cleanups) cleanup();
}
