import { startRecorder } from './start-recorder.ts';
import type { RecordedEvent, StartRecorder } from './start-replay.ts';

/** What a page says in attributes, or repeats there. rrweb masks text between tags only. */
const TEXT_ATTRIBUTE =
  /^(?:alt|title|placeholder|label|value|content|summary|href|aria-(?:label|description|roledescription|valuetext|placeholder))$/;
/** The rules of a style sheet, which hold texts, too: the longest ones that a place must have room for. */
const STYLE_ATTRIBUTE = '_cssText';
const EVERYTHING = '*';

/** Records the page with rrweb, without any text of it. */
export const startMaskedRecorder: StartRecorder = (onEvent) =>
  startRecorder((event) => onEvent(maskAttributes(event)), EVERYTHING);

/** Masks what a page says in attributes. The letters are hidden, and their number stays. */
export function maskAttributes(event: RecordedEvent): RecordedEvent {
  // Events become JSON in any case, and its reader visits every part of it.
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
