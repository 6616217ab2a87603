import * as v from 'valibot';

/** The answer of the caller's-address service. Both fields are passed on unchanged. */
export type CallerAddress = { readonly get_ip: string; readonly key_id: string | number };

export const callerAddressSchema = v.custom<CallerAddress>(
  isCallerAddress,
  'must be an object with get_ip, a text, and key_id, a text or a number',
);

/** Tells the service's answer from anything else. By hand, because `/r` has no byte to spare for a schema library. */
export function isCallerAddress(value: unknown): value is CallerAddress {
  const { get_ip: address, key_id: key } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof address === 'string' && (typeof key === 'string' || typeof key === 'number');
}
