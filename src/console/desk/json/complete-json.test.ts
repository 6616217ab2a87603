import { CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { beforeEach, expect, test, vi } from 'vitest';
import schemaText from '../../../../site/site.schema.json?raw';
import { type JsonSchema, completeJson } from './complete-json.ts';

const source = completeJson(JSON.parse(schemaText) as JsonSchema);

/** CodeMirror parses 3,000 characters of a new text. This is longer. */
const LONG = `{ ${'"text": "text", '.repeat(200)}"text": "" }`;

// CodeMirror parses until a time limit by `Date.now`. While that stands still, a busy machine does not reach the limit.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));

/** What is offered at the mark `|`. */
async function offer(marked: string): Promise<readonly string[]> {
  const at = marked.indexOf('|');
  const state = EditorState.create({ doc: marked.replace('|', ''), extensions: [json()] });
  const result = await source(new CompletionContext(state, at, true));
  return result?.options.map(({ label }) => label) ?? [];
}

test('keys of site.json are offered, and those that are there already are not', async () => {
  const keys = await offer('{ "brand": {}, | }');
  expect(keys).toContain('"lines"');
  expect(keys).not.toContain('"brand"');
});

test('a key that is being written is completed', async () => {
  expect(await offer('{ "lines": { "mark|": "" } }')).toEqual(
    expect.arrayContaining(['"marker"', '"markerHeader"']),
  );
});

test.each([
  ['{ "publ|" }', '{ "publicUrl" }'],
  ['{ "pu|bl": "" }', '{ "publicUrl": "" }'],
  ['{"publ|"brand":{}}', '{"publicUrl""brand":{}}'],
])('in %s, no more is replaced than the key', async (marked, completed) => {
  const at = marked.indexOf('|');
  const doc = marked.replace('|', '');
  const state = EditorState.create({ doc, extensions: [json()] });
  const result = await source(new CompletionContext(state, at, true));
  expect(doc.slice(0, result?.from) + '"publicUrl"' + doc.slice(result?.to)).toBe(completed);
});

test.each([
  ['"publicU', true],
  ['"publicU"', true],
  ['"publicUrl": "', false],
])('the list for a key stays while its text is %s: %s', async (text, stays) => {
  const state = EditorState.create({ doc: '{ "publ" }', extensions: [json()] });
  const result = await source(new CompletionContext(state, '{ "publ'.length, false));
  expect(result?.validFor instanceof RegExp && result.validFor.test(text)).toBe(stays);
});

test('values are offered where only some are allowed', async () => {
  expect(await offer('{ "lines": { "steering": "|" } }')).toEqual(['"measured"', '"uniform"']);
  expect(await offer('{ "redirect": { "keepQuery": | } }')).toEqual(['true', 'false']);
});

test('keys of an object in a list are offered', async () => {
  expect(await offer('{ "lines": { "hosts": [{ | }] } }')).toEqual(
    expect.arrayContaining(['"host"', '"weight"', '"noWWW"']),
  );
});

test('in a long text, every key is known: before the one that is being written, and after it', async () => {
  const texts = `"texts": { "en": ${LONG} }`;
  expect(await offer(`{ ${texts}, "lines": { "steering": "|" } }`)).toEqual(['"measured"', '"uniform"']);
  const keys = await offer(`{ "publ|": "", ${texts}, "brand": {} }`);
  expect(keys).toContain('"publicUrl"');
  expect(keys).not.toContain('"brand"');
});

test('nothing is offered before the text is parsed to its end, and the next try goes on', async () => {
  const doc = `{ "publ": "", "texts": { "en": ${LONG} }, "brand": {} }`;
  const state = EditorState.create({ doc, extensions: [json()] });
  const context = new CompletionContext(state, doc.indexOf('": ""'), true);
  let minutes = 0;
  // A machine that is so busy that each look at the clock is a minute later than the last.
  const now = vi.spyOn(Date, 'now').mockImplementation(() => (minutes += 1) * 60_000);
  expect(await source(context)).toBeNull();
  now.mockRestore();
  const keys = (await source(context))?.options.map(({ label }) => label);
  expect(keys).toContain('"publicUrl"');
  expect(keys).not.toContain('"brand"');
});

test('where anything may be written, nothing is offered', async () => {
  expect(await offer('{ "brand": { "name": "|" } }')).toEqual([]);
});
