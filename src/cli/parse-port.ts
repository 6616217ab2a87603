import { UsageError } from './command.ts';

/** Reads the value of an option that takes a port; 0 means that a free one is drawn. */
export function parsePort(option: string, value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${option} must be a port from 0 to 65535, got "${value}"`);
}
