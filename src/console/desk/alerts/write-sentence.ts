import { readNames } from '../store/draft-files.ts';
import { parseHours, type DraftRule, readSteps } from './read-alerts.ts';
import type { SentenceTexts } from './sentence-texts.ts';

export type Names = {
  readonly kind: (kind: string) => string;
  readonly channel: (name: string) => string;
};

/** Says a rule as people would. */
export function writeSentence(rule: DraftRule, texts: SentenceTexts, names: Names): string {
  const channels = (to: unknown): string => texts.list(readNames(to).map(names.channel)) || texts.nobody;
  const kinds = readNames(rule.when).map(names.kind);
  const lines = readNames(rule.lines).filter((line) => line !== '*');
  const hours = parseHours(rule.hours);
  const minutes = Number(rule.remindMinutes) || 0;
  const first = texts.first({
    hours: hours === undefined ? '' : texts.hours(hours.from, hours.until, nameZone(hours.zone)),
    // "at least low" is everything.
    what: kinds.length === 0 ? texts.anything : texts.or(kinds),
    severity:
      typeof rule.severity === 'string' && rule.severity !== 'low' ? texts.severity(rule.severity) : '',
    lines: lines.length === 0 ? '' : texts.lines(texts.or(lines)),
    to: channels(rule.to),
  });
  return texts.join(
    [
      first,
      minutes > 0 ? texts.remind(minutes) : '',
      ...readSteps(rule).map(({ afterMinutes, to }) => texts.step(Number(afterMinutes) || 0, channels(to))),
      rule.resolved === false ? texts.notResolved : texts.resolved,
    ].filter((part) => part !== ''),
  );
}

/** The city of a zone such as `Asia/Singapore`. */
function nameZone(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
