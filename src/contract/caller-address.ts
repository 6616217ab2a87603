import * as v from 'valibot';

/** The answer of the caller's-address service. `key_id` is passed on unchanged. */
export const callerAddressSchema = v.object({
  get_ip: v.string(),
  key_id: v.union([v.string(), v.number()]),
});

export type CallerAddress = v.InferOutput<typeof callerAddressSchema>;
