import { type Node, type ParseError, findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Fact, type SiteFault, shorten } from '../../contract/faults/site-fault.ts';
import type { JsonError } from '../../contract/faults/texts/en.ts';
import { MAX_FAULTS, MAX_JSON_DEPTH, MAX_JSON_FILE_BYTES, MAX_JSON_VALUES } from '../../contract/limits.ts';
import type { JsonFault } from '../../contract/site/find-json-faults.ts';

/** A JSON file, parsed, with a way back from a value to its place in the file. */
export type JsonFile = {
  readonly kind: 'json';
  readonly value: unknown;
  /** Adds the file, the line and the column to a fault. */
  readonly locate: (fault: JsonFault) => SiteFault;
  /** Keys that an object has twice, of which only the last would count. At most one more than `MAX_FAULTS`. */
  readonly repeatedKeys: readonly SiteFault[];
};

export type BrokenFile = { readonly kind: 'broken'; readonly fault: SiteFault };

/** Every fault inside an object names its key. The longest key of ours has 30 letters. */
const MAX_KEY_CHARS = 200;

/** By jsonc-parser's names. */
const SYNTAX_ERRORS: Readonly<Record<string, JsonError>> = {
  CommaExpected: 'comma',
  ColonExpected: 'colon',
  PropertyNameExpected: 'key',
  ValueExpected: 'value',
  CloseBraceExpected: 'end-of-object',
  CloseBracketExpected: 'end-of-list',
  EndOfFileExpected: 'end-of-file',
  InvalidCommentToken: 'no-comment',
  UnexpectedEndOfComment: 'no-comment',
  UnexpectedEndOfString: 'closing-quote',
  InvalidEscapeCharacter: 'escape',
  InvalidUnicode: 'unicode',
  InvalidCharacter: 'character',
  InvalidSymbol: 'symbol',
};

/** What a Chinese keyboard writes, and what JSON needs in its place. */
const FULL_WIDTH: Readonly<Record<string, string>> = {
  '，': ',',
  '：': ':',
  '“': '"',
  '”': '"',
  '‘': '"',
  '’': '"',
  '｛': '{',
  '｝': '}',
  '［': '[',
  '］': ']',
};

/** Parses a JSON file. A syntax error becomes a fault with its line, its column and what stands there. */
export function readJson(file: string, text: string): JsonFile | BrokenFile {
  const findPlace = createPlaceFinder(text);
  const placeFault = ({ code, path, values }: JsonFault, offset: number): SiteFault => {
    const { line, column } = findPlace(offset);
    return { code, values, place: { file, path, line, column } };
  };
  const breakAt = (offset: number, fact: Fact): BrokenFile => ({
    kind: 'broken',
    fault: placeFault({ code: 'broken-json', path: [], values: { fact } }, offset),
  });
  if (text.startsWith('\uFEFF')) return breakAt(0, { kind: 'byte-order-mark' });
  const tooMuch = findJsonShapeFault(text);
  if (tooMuch !== undefined) return breakAt(0, tooMuch);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  // The errors after the first one are mostly nonsense.
  if (error !== undefined) return breakAt(error.offset, explainError(text, error));
  if (root === undefined) return breakAt(0, { kind: 'empty-file' });
  const repeatedKeys: SiteFault[] = [];
  for (const { key, path, isRepeated } of listKeys(root, [])) {
    if (key.length > MAX_KEY_CHARS + 2) {
      return breakAt(key.offset, { kind: 'long-key', most: MAX_KEY_CHARS });
    }
    if (!isRepeated || repeatedKeys.length > MAX_FAULTS) continue;
    const fault: JsonFault = { code: 'repeated-key', path, values: { rule: { kind: 'twice' } } };
    repeatedKeys.push(placeFault(fault, key.offset));
  }
  return {
    kind: 'json',
    // What jsonc-parser finds in order is JSON to Node as well.
    value: JSON.parse(text),
    locate: (fault) => placeFault(fault, findOffset(root, fault.path)),
    repeatedKeys,
  };
}

/** Says that a JSON file is too large: to read one of 10 MB stops the server for a second. Undefined if not. */
export function findJsonSizeFault(bytes: Uint8Array): Fact | undefined {
  if (bytes.length <= MAX_JSON_FILE_BYTES) return undefined;
  return { kind: 'json-too-large', most: MAX_JSON_FILE_BYTES, found: bytes.length };
}

/**
 * Says that lists and objects are nested too deeply, or hold too many values: to read a million of them would take all memory,
 * and to say what is wrong with each of them minutes. Undefined if not.
 */
export function findJsonShapeFault(text: string): Fact | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = findEndOfText(text, at);
    else if (char === ',') values += 1;
    else if (char === '[' || char === '{') {
      depth += 1;
      values += 1;
    } else if (char === ']' || char === '}') depth -= 1;
    if (depth > MAX_JSON_DEPTH) return { kind: 'json-too-deep', most: MAX_JSON_DEPTH };
    if (values > MAX_JSON_VALUES) return { kind: 'too-many-values', most: MAX_JSON_VALUES };
  }
  return undefined;
}

/** By `indexOf`, because an upload is one text of millions of letters. */
function findEndOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** Reads a part of a JSON value whose other parts may be wrong. Empty if it is not there. */
export function readPart(value: unknown, name: string): Readonly<Record<string, unknown>> {
  return Object((Object(value) as Record<string, unknown>)[name]) as Record<string, unknown>;
}

function explainError(text: string, { error, offset, length }: ParseError): Fact {
  const expected = SYNTAX_ERRORS[printParseErrorCode(error)] ?? 'other';
  if (offset >= text.trimEnd().length) return { kind: 'broken-json', expected };
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = shorten((text.slice(start).split('\n', 1)[0] ?? '').trim());
  const [token = ''] = text.slice(offset, offset + Math.max(length, 1)).split('\n', 1);
  for (const [sign, write] of Object.entries(FULL_WIDTH)) {
    if (token.includes(sign)) return { kind: 'full-width-sign', sign, write, line };
  }
  const isAfterLast = /[\]}]/.test(token) && text.slice(0, offset).trimEnd().endsWith(',');
  return { kind: 'broken-json', expected: isAfterLast ? 'no-comma' : expected, token, line };
}

/** Where a key or an item of a list stands; for a missing one, the object that lacks it. */
function findOffset(root: Node, path: JsonFault['path']): number {
  const node = findNodeAtLocation(root, [...path]);
  if (node !== undefined) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  return path.length === 0 ? root.offset : findOffset(root, path.slice(0, -1));
}

type ListedKey = {
  readonly key: Node;
  readonly path: JsonFault['path'];
  /** The object has a key of the same name before it. */
  readonly isRepeated: boolean;
};

/** All keys, in the order of the file. */
function* listKeys(node: Node, path: JsonFault['path']): Generator<ListedKey, void> {
  const children = node.children ?? [];
  if (node.type === 'array') {
    for (const [index, child] of children.entries()) yield* listKeys(child, [...path, index]);
  }
  if (node.type !== 'object') return;
  const seen = new Set<string>();
  for (const { children: [key, value] = [] } of children) {
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    const place = [...path, name];
    yield { key, path: place, isRepeated: seen.has(name) };
    seen.add(name);
    yield* listKeys(value, place);
  }
}

/** Finds line and column of an offset, both from 1. The lines are counted once: a file may have many faults. */
function createPlaceFinder(
  text: string,
): (offset: number) => { readonly line: number; readonly column: number } {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    const line = countUpTo(starts, offset);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

/** How many of these numbers, which grow, are not above a limit. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
