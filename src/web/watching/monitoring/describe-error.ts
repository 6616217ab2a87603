import type { ErrorReport } from '../../../contract/intake-message.ts';
import type { UncaughtError } from './collect-errors.ts';

/** Describes an error that nobody caught. */
export function describeError({ at, event }: UncaughtError): ErrorReport {
  if ('reason' in event) return { at, ...describeReason(event.reason) };
  const { error, message, filename, lineno, colno } = event;
  return { at, message, stack: stackOf(error) ?? `${filename}:${lineno}:${colno}` };
}

function describeReason(reason: unknown): Pick<ErrorReport, 'message' | 'stack'> {
  try {
    return { message: String(reason), stack: stackOf(reason) ?? '' };
  } catch {
    // Some objects cannot be written as a text, such as `Object.create(null)`.
    return { message: 'an object without a text', stack: '' };
  }
}

/** Anything can be thrown; what is no Error has no stack of its own. */
function stackOf(thrown: unknown): string | undefined {
  return thrown instanceof Error ? thrown.stack : undefined;
}
