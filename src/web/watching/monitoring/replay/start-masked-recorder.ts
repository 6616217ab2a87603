import { startRecorder } from './start-recorder.ts';
import type { RecordedEvent, StartRecorder } from './start-replay.ts';

/** What a page says in attributes, or repeats there. rrweb masks text between tags only. */
const TEXT_ATTRIBUTE =
  /^(?:alt|title|placeholder|label|value|content|summary|href|aria-(?:label|description|roledescription|valuetext|placeholder))$/;
/** The rules of a style sheet. They hold texts, too: see `reserve-space.ts`. */
const STYLE_ATTRIBUTE = '_cssText';
const EVERYTHING = '*';

/** Records the page with rrweb, without any text of it. */
export const startMaskedRecorder: StartRecorder = (onEvent) =>
  startRecorder((event) => onEvent(maskAttributes(event)), EVERYTHING);

/** Masks what a page says in attributes. The letters are hidden, and their number stays. */
export function maskAttributes(event: RecordedEvent): RecordedEvent {
  // `JSON.parse` calls back for every part of a value, however deep. Events must be plain JSON in any case.
  return JSON.parse(JSON.stringify(event), (key: string, value: unknown) =>
    key === 'attributes' && !Array.isArray(value) ? mask(value as object) : value,
  ) as RecordedEvent;
}

function mask(attributes: object): object {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? maskValue(name, value) : value,
    ]),
  );
}

function maskValue(name: string, value: string): string {
  if (name === STYLE_ATTRIBUTE)
    return value.replaceAll(/: "[^"]*"/g, (text) => `: "${hide(text.slice(3, -1))}"`);
  return TEXT_ATTRIBUTE.test(name) ? hide(value) : value;
}

function hide(text: string): string {
  return text.replaceAll(/\S/g, '*');
}
