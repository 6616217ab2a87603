import type { InConsoleLanguages } from '../console-language.ts';
import type { SiteCode, WarningCode } from '../error-codes.ts';
import type { Said, ValuesOf } from './say.ts';
import type { SiteFaultTexts } from './texts/en.ts';

/** Something that is wrong with a site folder, or hardly meant, as data: `describeSiteFault` has the words for it. */
export type SiteFault = {
  readonly code: SiteCode | WarningCode;
  /** A rule that the value at `place` breaks, and that value as JSON; or a fact about a file, or about the whole folder. */
  readonly values: { readonly rule: Rule; readonly got?: string } | { readonly fact: Fact };
  readonly place?: SitePlace;
};

/**
 * A fault as the console and the incidents have it. It carries its sentences, because a newer portal may have found a fault
 * that this one has no words for.
 */
export type ToldFault = Pick<SiteFault, 'code' | 'place'> & { readonly sentences: InConsoleLanguages };

export type SitePlace = {
  readonly file: string;
  /** The keys that lead to the value. The last one may be missing in the file. Empty for the whole file. */
  readonly path: readonly (string | number)[];
  /** Both from 1. Absent if nobody has looked for them. */
  readonly line?: number;
  readonly column?: number;
};

/** What a value must be. */
export type Rule = Said<SiteFaultTexts['rules']> & {
  /** The value may also be an object with one for each language. */
  readonly orByLanguage?: boolean;
};

export type Fact = Said<SiteFaultTexts['facts']>;

/** Writes a rule as the message of a schema, because valibot's messages are texts. `readRule` reads it back. */
export function must<Kind extends Rule['kind']>(
  kind: Kind,
  ...[values]: unknown extends ValuesOf<SiteFaultTexts['rules'][Kind]>
    ? []
    : [ValuesOf<SiteFaultTexts['rules'][Kind]>]
): string {
  // The values are those of this kind.
  return writeRule({ kind, ...(values as object) } as Rule);
}

export function writeRule(rule: Rule): string {
  return JSON.stringify(rule);
}

/** Reads a rule out of a message of a schema. Undefined if the message is valibot's own. */
export function readRule(message: string): Rule | undefined {
  return message.startsWith('{') ? (JSON.parse(message) as Rule) : undefined;
}

/** Puts the file, the line and the column before what is wrong there: `site.json:12:5: …`. */
export function writePlaced(place: SitePlace | undefined, sentence: string): string {
  const { file, line, column } = place ?? {};
  const start = [file, line, column].filter((part) => part !== undefined).join(':');
  return start === '' ? sentence : `${start}: ${sentence}`;
}

/** A key for the fault that does not depend on its line in the file. */
export function identifyFault({ code, values, place }: SiteFault): string {
  return JSON.stringify([code, values, place?.file, place?.path]);
}

/** Such as `lines.hosts[2].host`. */
export function writePath(path: SitePlace['path']): string {
  return path.reduce<string>(
    (written, key) => written + (typeof key === 'number' ? `[${key}]` : `${written && '.'}${shorten(key)}`),
    '',
  );
}

/** Cuts a value or a key that is too long to be read in a sentence. */
export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
