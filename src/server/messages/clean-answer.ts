import type { ChannelAnswer, ChannelFault } from '../../contract/incidents.ts';
import { quoteForeign } from '../../contract/quote-foreign.ts';

const MAX_WORDS_CHARS = 160;
/** Shorter ones are no secrets, and stand in many answers: `/`, for example. */
const MIN_HIDDEN_CHARS = 4;
/** A part of a secret that is as long as this is one by itself, such as the token at the end of an address. */
const MIN_HIDDEN_PART_CHARS = 12;

/** Cleans what the other side wrote. */
export type CleanWords = (words: string) => string;

/** Makes one short line of what the other side wrote, without tags, and without what it repeats of our secrets. */
export function createCleanWords(secrets: readonly string[]): CleanWords {
  const hidden = [...new Set(secrets.flatMap(listSpellings))].toSorted((a, b) => b.length - a.length);
  return (words) => {
    const shown = hidden
      .reduce((text, secret) => text.replaceAll(secret, '…'), words)
      .replaceAll(/<[^<>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return quoteForeign(shown, MAX_WORDS_CHARS);
  };
}

export function cleanAnswer({ status, words }: ChannelAnswer, clean: CleanWords): ChannelAnswer {
  return { status, words: clean(words) };
}

/** Everybody who opens the console reads why a channel fails, and so do the people of other channels. */
export function cleanFault(fault: ChannelFault, clean: CleanWords): ChannelFault {
  return fault.kind === 'channel-refused' ? { ...fault, reason: clean(fault.reason) } : fault;
}

/** A secret and its parts, as others write them: plain, in an address, and in JSON, where some write `/` as `\/`. */
function listSpellings(secret: string): readonly string[] {
  const parts = secret.split(/[/:?&=]/).filter((part) => part.length >= MIN_HIDDEN_PART_CHARS);
  return [secret, ...parts].flatMap((part) =>
    part.length < MIN_HIDDEN_CHARS
      ? []
      : [part, encodeURIComponent(part), part.replaceAll('/', String.raw`\/`)],
  );
}
