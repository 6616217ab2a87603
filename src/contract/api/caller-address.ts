/** The answer of the caller's-address service. Both fields are passed on unchanged. */
export type CallerAddress = { readonly get_ip: string; readonly key_id: string | number };

// Both become headers: characters that a header can carry, and a length that every server takes.
const HEADER_VALUES = /^[ -~\xa0-\xff]{0,2000}$/;

/** Checks an answer of the service. By hand, because `/r` has no byte to spare for a schema library. */
export function isCallerAddress(value: unknown): value is CallerAddress {
  const { get_ip: address, key_id: key } = Object(value) as Readonly<Record<string, unknown>>;
  return (
    typeof address === 'string' &&
    /string|number/.test(typeof key) &&
    HEADER_VALUES.test(address + String(key))
  );
}
