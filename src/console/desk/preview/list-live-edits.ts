import type { JsonEdit } from '../../../contract/desk/desk.ts';
import type { DraftSnapshot } from '../store/draft-snapshot.ts';
import { editsFor } from '../store/changes.ts';
import { SITE_FILE } from '../store/draft-files.ts';

/** The edits for the texts and colours that are being typed, which the pages show. They are not in the draft yet. */
export function listLiveEdits({ typed, json }: Pick<DraftSnapshot, 'typed' | 'json'>): readonly JsonEdit[] {
  return Object.entries(typed).flatMap(([name, { value }]) => {
    if (name === 'theme') return listColours(value, json);
    const path = readTextPath(name);
    if (path === undefined || typeof value !== 'string') return [];
    const text = value.trim();
    return editsFor(json, { file: SITE_FILE, path }, text === '' ? undefined : text);
  });
}

const TEXTS = /^site\.json (\["texts",.*\]|\["announcement",.*,"(?:text|url)"\])$/;

/** The fields of a text are named by its place. */
function readTextPath(name: string): readonly string[] | undefined {
  const [, path] = TEXTS.exec(name) ?? [];
  return path === undefined ? undefined : (JSON.parse(path) as string[]);
}

function listColours(value: unknown, json: DraftSnapshot['json']): readonly JsonEdit[] {
  return Object.entries(Object(value) as Readonly<Record<string, unknown>>).flatMap(([colour, written]) =>
    editsFor(json, { file: SITE_FILE, path: ['theme', colour] }, written),
  );
}
