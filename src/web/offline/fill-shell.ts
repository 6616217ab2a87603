import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time-units.ts';
import type { readKeptLines } from '../../contract/page/kept-lines.ts';
import {
  START_ANSWERS_ID,
  type StartAnswers,
  renderStartAnswers,
} from '../../contract/page/start-answers.ts';

/** Where a shell says how old its lines are. */
export const AGE_ELEMENT = '<time></time>';

export type ShellFilling = {
  readonly lines: NonNullable<ReturnType<typeof readKeptLines>>;
  /** The call that these lines answer. */
  readonly call: string;
  /** Of the shell. */
  readonly language: string;
  readonly now: number;
};

const SLOT_START = `<script type="application/json" id="${START_ANSWERS_ID}">`;
const SLOT_END = '</script>';

/** Writes the kept lines into a shell, as a portal writes start answers into a page. Undefined if it is no shell of ours. */
export function fillShell(html: string, { lines, call, language, now }: ShellFilling): string | undefined {
  const { at, until, hosts } = lines;
  const [before, rest] = splitAt(html, SLOT_START);
  const [json, after] = splitAt(rest ?? '', SLOT_END);
  if (!json || after === undefined) return undefined;
  // The portal wrote it. If somebody has changed it, the page finds its answers to be bad.
  const { answers } = JSON.parse(json) as StartAnswers;
  const start = renderStartAnswers({
    until,
    isKept: true,
    answers: { ...answers, [call]: { body: hosts } },
  });
  const age = describeAge(now - at, language);
  return `${before}${start}${after}`.replace(AGE_ELEMENT, () => `<time>${age}</time>`);
}

/** What comes before and after the first occurrence of a mark. Without one, nothing comes after. */
function splitAt(text: string, mark: string): readonly [before: string, after?: string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** Says how long ago something was, such as "3 hours ago". */
function describeAge(ageMs: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language);
  if (ageMs >= DAY_MS) return format.format(-Math.floor(ageMs / DAY_MS), 'day');
  if (ageMs >= HOUR_MS) return format.format(-Math.floor(ageMs / HOUR_MS), 'hour');
  return format.format(-Math.max(1, Math.floor(ageMs / MINUTE_MS)), 'minute');
}
