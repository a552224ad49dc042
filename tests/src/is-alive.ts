/** Whether a process exists, or a process group, given as the negative id; a zombie exists until it is reaped. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
