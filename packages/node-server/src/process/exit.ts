const cleanups = new Set<() => void>();

/**
 * Runs something synchronous when this process exits, however many such things there are; the undo
 * takes it back. Signals are not caught: they are the program's, not a library's.
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
