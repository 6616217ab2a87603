import { describe, expect, test } from 'vitest';
import { editJson } from './edit-json.ts';

const TEXT = `{
    "brand":  { "name": "A" },

    "lines": { "hosts": ["a.example", "b.example"], "ports": [] }
}
`;
const edit = (...edits: Parameters<typeof editJson>[2]) => editJson('site.json', TEXT, edits);

describe('an edit', () => {
  test('changes one value, and leaves the rest as it was written', () => {
    expect(edit({ path: ['brand', 'name'], value: 'B' })).toBe(TEXT.replace('"A"', '"B"'));
  });

  test('adds what is missing, indented as the file is', () => {
    const edited = edit({ path: ['theme', 'accent'], value: '#111111' });
    expect(JSON.parse(edited)).toMatchObject({ theme: { accent: '#111111' } });
    expect(edited).toContain('\n    "theme": {\n        "accent": "#111111"');
    const windows = editJson('site.json', '{\r\n\t"a": 1\r\n}\r\n', [{ path: ['b'], value: 2 }]);
    expect(windows).toBe('{\r\n\t"a": 1,\r\n\t"b": 2\r\n}\r\n');
  });

  test('removes a key, an item of a list, and inserts and appends items', () => {
    const hosts = (text: string) => JSON.parse(text).lines.hosts as unknown;
    expect(JSON.parse(edit({ path: ['brand', 'name'] })).brand).toEqual({});
    expect(hosts(edit({ path: ['lines', 'hosts', 0] }))).toEqual(['b.example']);
    expect(hosts(edit({ path: ['lines', 'hosts', 1], value: 'c', insert: true }))).toEqual([
      'a.example',
      'c',
      'b.example',
    ]);
    expect(hosts(edit({ path: ['lines', 'hosts', 2], value: 'c' }))).toEqual(['a.example', 'b.example', 'c']);
    expect(hosts(edit({ path: ['lines', 'ports', 0], value: 1 }, { path: ['lines', 'hosts', 1] }))).toEqual([
      'a.example',
    ]);
  });

  test('of a file that a program wrote in one line indents it, and keeps what it says, in its order', () => {
    const hosts = Array.from({ length: 2_000 }, (_, index) => `line${index}.example`);
    const written = `{"9":{},"1":[],"a":"x, {y}: \\" ]","a":1.50,"lines":{"hosts":${JSON.stringify(hosts)}}}`;
    const edited = editJson('site.json', written, [{ path: ['lines', 'hosts', 1_999] }]);
    expect(edited.split('\n').slice(0, 7)).toEqual([
      '{',
      '  "9": {},',
      '  "1": [],',
      '  "a": "x, {y}: \\" ]",',
      '  "a": 1.50,',
      '  "lines": {',
      '    "hosts": [',
    ]);
    expect(JSON.parse(edited)).toEqual({ ...JSON.parse(written), lines: { hosts: hosts.slice(0, -1) } });
    expect(Math.max(...edited.split('\n').map((line) => line.length))).toBeLessThan(50);
  });

  test('may come with others, up to the size of the file', () => {
    const large = JSON.stringify({ a: 'x'.repeat(999_900), b: 0 });
    const edits = Array.from({ length: 21 }, (_, value) => ({ path: ['b'], value }));
    expect(JSON.parse(editJson('site.json', large, edits.slice(0, 20))).b).toBe(19);
    expect(() => editJson('site.json', large, edits)).toThrow(
      'of a file with 999,914 characters, 20 values can be changed at once, and these are 21',
    );
  });

  test('of the whole file replaces it', () => {
    expect(edit({ path: [], value: { a: 1 } })).toBe('{\n  "a": 1\n}\n');
  });

  test('never touches what every object inherits', () => {
    const edited = edit({ path: ['__proto__', 'polluted'], value: true });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.keys(JSON.parse(edited))).toContain('__proto__');
  });

  test.each<[path: (string | number)[], value: unknown, reason: string]>([
    [['lines', 'hosts', 'x'], 1, 'lines.hosts is a list'],
    [['brand', 0], 1, 'brand is no list'],
    [['brand', 'name', 'deeper'], 1, 'brand.name is no list'],
    [['lines', 'hosts', 3], 'd', 'lines.hosts has 2 items'],
    [['lines', 'hosts', 2], undefined, 'lines.hosts has 2 items'],
    [['nothing'], undefined, 'there is nothing to remove'],
    [[], undefined, 'the whole file can only be replaced'],
  ])('at %j that makes no sense is refused', (path, value, reason) => {
    expect(() => edit(value === undefined ? { path } : { path, value })).toThrow(reason);
  });
});
