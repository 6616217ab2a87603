import { expect, test } from 'vitest';
import { type DeskRefusal, type EditFault, type FileFault, tellRefusal } from './describe-refusal.ts';

type ByKind<Said extends { readonly kind: string }> = {
  readonly [Kind in Said['kind']]: Omit<Extract<Said, { readonly kind: Kind }>, 'kind'>;
};

const MANY = { most: 7, found: 9 };

/** Values for every kind. A kind without any does not compile. */
const FILES: ByKind<FileFault> = {
  json: { fact: { kind: 'json-too-deep', most: 64 } },
  'other-type': { type: 'PNG' },
  pixels: { width: 9_000, height: 1, most: 8_192 },
  'svg-broken': { reason: '3:7: unexpected close tag.' },
  'svg-doctype': {},
  'svg-instruction': { target: 'php' },
  'svg-root': { namespace: 'a' },
  'svg-depth': { most: 256 },
  'svg-style': {},
  'svg-element': { name: 'script' },
  'svg-handler': { name: 'onload' },
  'svg-link': { href: '"a"' },
  'svg-loading': { name: 'fill', value: '"a"' },
};
const EDITS: ByKind<EditFault> = {
  'too-many': { ...MANY, chars: 1_000_000 },
  'no-json': {},
  'whole-file': {},
  'no-insertion': {},
  'nothing-there': {},
  'not-there': { at: 'theme' },
  'is-list': { at: '' },
  'no-list': { at: 'theme' },
  beyond: { at: 'lines.hosts', items: 4 },
};
const REFUSALS: ByKind<Exclude<DeskRefusal, { kind: 'file' | 'edit' }>> = {
  'editing-off': {},
  'no-json-file': { path: 'a.json' },
  'no-file': { path: 'a.json' },
  'no-version': { number: 3 },
  'no-draft': {},
  'already-live': {},
  'same-change': {},
  'other-change': {},
  'changed-since-seen': {},
  'changed-while-published': {},
  'published-meanwhile': { number: 3 },
  'draft-too-large': MANY,
  'too-many-files': MANY,
  'too-many-drafts': MANY,
  'owner-keys': { keys: ['network', 'alerts'] },
  'has-faults': { faults: 2 },
  'took-too-long': {},
  busy: {},
  'file-damaged': { path: 'a.json', hash: 'ab12' },
  'files-missing': { files: 2 },
  'file-name': { path: '"a b"', most: 200, endings: ['.json', '.svg'] },
};

function list<Said extends { readonly kind: string }>(samples: ByKind<Said>): readonly Said[] {
  return Object.entries<object>(samples).map(
    ([kind, values]) => Object.assign({ kind }, values) as unknown as Said,
  );
}

test.each<DeskRefusal>([
  ...list<Exclude<DeskRefusal, { kind: 'file' | 'edit' }>>(REFUSALS),
  ...list<FileFault>(FILES).map((fault) => ({ kind: 'file', path: 'images/a.svg', fault }) as const),
  ...list<EditFault>(EDITS).map((fault) => ({ kind: 'edit', file: 'site.json', at: '', fault }) as const),
])('a refusal is a whole sentence in both languages: %j', (refusal) => {
  const { en, 'zh-CN': chinese } = tellRefusal(refusal);
  expect(en).toMatch(/\.$/);
  expect(chinese).toMatch(/\p{Script=Han}.*。$/u);
  expect(`${en}${chinese}`).not.toContain('undefined');
  // Two words of English in a row, which are no name.
  expect(chinese).not.toMatch(/(?<![\w"<./:=-])[a-z]{2,} [a-z]{2,}/i);
});
