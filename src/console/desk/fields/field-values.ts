import { readLocalMoment, writeLocalMoment } from './moments.ts';
import type { FieldKind } from '../store/field-specs.ts';

/** What a text became: a value, or why it is none. */
export type ParsedValue =
  /** Without a value, what is there is removed. */
  { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'noNumber' | 'noMoment' };

export type FieldForm = {
  readonly kind: FieldKind;
  /** The operator's zone: `Asia/Singapore`. */
  readonly timeZone: string;
  /** If false, an empty text means no value. */
  readonly isRequired: boolean;
};

/** Writes a value of the site folder as the text of its field. */
export function writeFieldText(value: unknown, { kind, timeZone }: FieldForm): string {
  if (value === undefined || value === null) return '';
  if (kind === 'moment') return typeof value === 'string' ? writeLocalMoment(value, timeZone) : '';
  if (Array.isArray(value)) return value.map(writePlain).join('\n');
  return writePlain(value);
}

/** Reads the text of a field. */
export function parseFieldText(text: string, { kind, timeZone, isRequired }: FieldForm): ParsedValue {
  const trimmed = text.trim();
  if (trimmed === '' && !isRequired) return { kind: 'value', value: undefined };
  switch (kind) {
    case 'texts':
      return { kind: 'value', value: splitList(trimmed) };
    case 'numbers': {
      const numbers = splitList(trimmed).map(Number);
      return numbers.every(Number.isFinite) ? { kind: 'value', value: numbers } : { kind: 'noNumber' };
    }
    case 'number': {
      const number = Number(trimmed);
      return trimmed !== '' && Number.isFinite(number)
        ? { kind: 'value', value: number }
        : { kind: 'noNumber' };
    }
    case 'switch':
      return { kind: 'value', value: trimmed === 'true' };
    case 'moment': {
      const moment = readLocalMoment(trimmed, timeZone);
      return moment === undefined ? { kind: 'noMoment' } : { kind: 'value', value: moment };
    }
    case 'text':
    case 'long-text':
    case 'url':
    case 'choice':
      return { kind: 'value', value: trimmed };
  }
}

/** Splits a list that was typed or pasted: one entry a line, or with commas between them. */
export function splitList(text: string): readonly string[] {
  return text
    .split(/[\n,;，；]/)
    .map((entry) => entry.trim())
    .filter(Boolean);
}

/** What a field cannot show as it is, it shows as JSON, so that nothing is lost. */
function writePlain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
