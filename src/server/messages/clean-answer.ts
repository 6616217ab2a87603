import type { ChannelAnswer } from '../../contract/incidents.ts';
import { quoteForeign } from '../../contract/quote-foreign.ts';

const MAX_WORDS_CHARS = 160;
/** Shorter ones are no secrets, and stand in many answers: `/`, for example. */
const MIN_HIDDEN_CHARS = 4;

/** Makes one short line of what the other side answered, without tags, and without what it repeats of our secrets. */
export function cleanAnswer({ status, words }: ChannelAnswer, hidden: readonly string[]): ChannelAnswer {
  const shown = hidden
    .filter((secret) => secret.length >= MIN_HIDDEN_CHARS)
    .reduce((text, secret) => text.replaceAll(secret, '…'), words)
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { status, words: quoteForeign(shown, MAX_WORDS_CHARS) };
}
