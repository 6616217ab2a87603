import type { TextKey } from '../../../contract/site/text-keys.ts';

/** The texts of one language: a locale without one of them does not pass the type check. */
export type Texts = Readonly<Record<TextKey, string>>;
