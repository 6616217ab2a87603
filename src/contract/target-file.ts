import * as v from 'valibot';

/** The addresses of one `/t` target: an object whose values are host names. */
export const targetFileSchema = v.record(v.string(), v.string('must be a host such as "app1.example"'));

export type TargetFile = v.InferOutput<typeof targetFileSchema>;
