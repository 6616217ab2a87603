import * as v from 'valibot';

/** The answer of the caller's-address service. Both fields are passed on unchanged. */
export type CallerAddress = { readonly get_ip: string; readonly key_id: string | number };

// What two headers can carry, and no server refuses for its length.
const HEADER_VALUES = /^[ -~\xa0-\xff]{0,2000}$/;

export const callerAddressSchema = v.custom<CallerAddress>(
  isCallerAddress,
  'must be an object with get_ip, a text, and key_id, a text or a number, that fit into a header',
);

/** Tells the service's answer from anything else. By hand, because `/r` has no byte to spare for a schema library. */
export function isCallerAddress(value: unknown): value is CallerAddress {
  const { get_ip: address, key_id: key } = Object(value) as Readonly<Record<string, unknown>>;
  return (
    typeof address === 'string' &&
    /string|number/.test(typeof key) &&
    HEADER_VALUES.test(address + String(key))
  );
}
