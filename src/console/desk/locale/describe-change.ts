import type { SiteChange } from '../../../contract/desk/site-change.ts';
import { FALLBACK_KEY } from '../../../contract/site/locales.ts';
import { BUILT_IN_TEXTS } from '../../../contract/site/texts/built-in-texts.ts';
import { formatHost } from '../../format/format-names.ts';
import { type FieldName, findField } from '../store/field-specs.ts';
import { SITE_FILE, readTargetName } from '../store/draft-files.ts';
import type { DeskTexts } from './en.ts';

type ValueChange = Extract<SiteChange, { kind: 'value' }>;

/** Says what has changed, in the words that the forms use. */
export function describeChange(change: SiteChange, texts: DeskTexts): string {
  const { change: words } = texts;
  switch (change.kind) {
    case 'value':
      return describeValues(nameValue(change, texts), change, texts);
    case 'line-added':
      return words.set(words.line(change.place, formatHost(change.host)), words.added);
    case 'line-removed':
      return words.set(words.line(change.place, formatHost(change.host)), words.removed);
    case 'line-replaced':
      // As they are written: it may be the scheme that changes.
      return words.fromTo(words.place(change.place), change.hostBefore, change.host);
    case 'line-changed': {
      const line = words.line(change.place, formatHost(change.host));
      const key = words.lineKeys[change.key] ?? change.key;
      return describeValues(words.set(line, key), change, texts);
    }
    case 'lines-reordered':
      return words.reordered;
    case 'image': {
      const names = change.names.map(
        (name) => (texts.images as Readonly<Record<string, string>>)[name] ?? name,
      );
      const what = names.length === 0 ? words.file(change.path) : words.image(names.join(', '));
      return words.set(what, words[change.what]);
    }
    case 'file':
      return words.set(nameFile(change.path, texts), words[change.what]);
  }
}

/** Names a value as its field does. One without a field is named by its place in its file. */
export function nameValue(
  { file, path, locale }: Pick<ValueChange, 'file' | 'path' | 'locale'>,
  texts: DeskTexts,
): string {
  const { change: words } = texts;
  const name = nameWithoutLanguage(file, path, texts);
  if (locale === undefined) return name;
  return words.inLanguage(name, locale === FALLBACK_KEY ? words.anyLanguage : locale);
}

function nameWithoutLanguage(file: string, path: string, texts: DeskTexts): string {
  const { change: words } = texts;
  const field = findField(file, path);
  if (field !== undefined) return texts.fields[field].label;
  if (file !== SITE_FILE) return [nameFile(file, texts), path].filter(Boolean).join(' ');
  const [first, second] = path.split('.');
  // A whole part was added or removed.
  const part =
    (texts.groups as Readonly<Record<string, string>>)[path] ??
    (texts.sections as Readonly<Record<string, string>>)[path];
  if (part !== undefined) return part;
  if (first === 'alerts' && second !== undefined) return words.alerts[second] ?? path;
  if (first === 'texts' && second !== undefined) return words.text(nameText(second, texts));
  if (first === 'announcement') return [words.announcement, second].filter(Boolean).join(' ');
  if (first === 'images' && second !== undefined)
    return words.image((texts.images as Readonly<Record<string, string>>)[second] ?? second);
  return path;
}

/** A text is known by what it says by default, in the language of the console. */
function nameText(key: string, { fields, language }: DeskTexts): string {
  const said = (BUILT_IN_TEXTS[language] as Readonly<Record<string, string>>)[key] ?? key;
  return said.replaceAll(/\{(\w+)\}/g, (gap, name: string) =>
    `brand.${name}` in fields ? fields[`brand.${name}` as FieldName].label : gap,
  );
}

function nameFile(path: string, { change: words }: DeskTexts): string {
  const target = readTargetName(path);
  return target === undefined ? words.file(path) : words.target(target);
}

function describeValues(
  name: string,
  { before, after }: { readonly before?: string; readonly after?: string },
  { change: words, nothing }: DeskTexts,
): string {
  // Objects and lists are too long to read here.
  if (before === undefined || after === undefined) {
    const value = after ?? '';
    const shown = value === '' || /^[{[]/.test(value) ? '' : ` ${writeValue(value, nothing)}`;
    return words.set(name, `${before === undefined ? words.added : words.removed}${shown}`);
  }
  return words.fromTo(name, writeValue(before, nothing), writeValue(after, nothing));
}

/** A text is shown without its quotes. */
function writeValue(json: string, nothing: string): string {
  try {
    const value: unknown = JSON.parse(json);
    if (Array.isArray(value)) return value.map(String).join(', ') || nothing;
    return typeof value === 'string' ? value || nothing : json;
  } catch {
    return json; // It was cut off, because it is long.
  }
}
