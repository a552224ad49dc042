import { InvalidArgumentError } from "commander";

/** For commander: a valid port number. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port < 65_536) return port;
  throw new InvalidArgumentError("Expected a number from 1 to 65535, or 0 for any.");
}
