import type { BaseIssue, GenericSchema } from 'valibot';
import type { SiteCode } from '../error-codes.ts';
import { MAX_FAULTS } from '../limits.ts';
import { closestName } from './closest-name.ts';

type Path = readonly (string | number)[];

/** Something that is wrong in a JSON file. */
export type JsonFault = {
  readonly code: SiteCode;
  /** Where in the file. The last key may be one that is missing. */
  readonly path: Path;
  /** A whole sentence, without its full stop: what is wrong there, and what to write instead. */
  readonly message: string;
};

/** The parts of a valibot schema that lead to the schemas of its keys. */
type SchemaParts = {
  readonly type?: string;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly wrapped?: unknown;
  readonly pipe?: readonly unknown[];
  readonly item?: unknown;
  readonly value?: unknown;
  readonly options?: readonly unknown[];
  /** Of a variant: the key whose literal says which option it is. */
  readonly key?: string;
  readonly literal?: unknown;
};

/**
 * Turns what a schema found into sentences: every missing key, every unknown key, every wrong value. A place has one fault: the
 * first rule that it breaks says what to write there. Stops with the first fault that is too many, see `MAX_FAULTS`.
 */
export function describeIssues(
  schema: GenericSchema,
  issues: readonly BaseIssue<unknown>[],
): readonly JsonFault[] {
  const faults = new Map<string, JsonFault>();
  for (const issue of issues) {
    for (const fault of describeIssue(schema, issue, [])) {
      const place = JSON.stringify(fault.path);
      if (!faults.has(place)) faults.set(place, fault);
      if (faults.size > MAX_FAULTS) return [...faults.values()];
    }
  }
  return [...faults.values()];
}

/** Describes one after the other, and only those that are asked for: a file may have as many faults as it has bytes. */
function* describeIssue(
  schema: GenericSchema,
  issue: BaseIssue<unknown>,
  above: Path,
): Generator<JsonFault, void> {
  // The keys of a JSON file are texts, and those of its lists are numbers.
  const path = [...above, ...(issue.path ?? []).map(({ key }) => key as string | number)];
  // If a value may be a text or an object, the faults inside the object say more than "neither".
  const inside = (issue.issues ?? []).filter((part) => (part.path?.length ?? 0) > 0);
  if (inside.length > 0) {
    for (const part of inside) yield* describeIssue(schema, part, path);
  } else if (issue.expected === 'never') {
    yield* describeUnknownKeys(schema, issue, path.slice(0, -1));
  } else if (issue.input === undefined) {
    yield { code: 'missing-key', path, message: describeMissing(schema, path) };
  } else {
    // A wrong key is already the last part of the path.
    const isKey = issue.path?.at(-1)?.origin === 'key';
    const found = isKey ? '' : `, got ${shorten(JSON.stringify(issue.input))}`;
    yield {
      code: isKey ? 'unknown-key' : 'invalid-value',
      path,
      message: `${writePath(path) || 'the file'} ${describeMessage(schema, issue, path)}${found}`,
    };
  }
}

/** Valibot names the first unknown key of an object only. */
function* describeUnknownKeys(
  schema: GenericSchema,
  issue: BaseIssue<unknown>,
  above: Path,
): Generator<JsonFault, void> {
  // The object that the key was found in.
  const object = issue.path?.at(-1)?.input as object;
  const known = Object.keys(chooseOption(findSchema(schema, above), object)?.entries ?? {});
  // To JavaScript, a list is an object with numbers as its keys.
  if (Array.isArray(object)) {
    const message = `${writePath(above)} ${describeObject(known)}, got ${shorten(JSON.stringify(object))}`;
    yield { code: 'invalid-value', path: above, message };
    return;
  }
  for (const key of Object.keys(object)) {
    if (known.includes(key)) continue;
    const path = [...above, key];
    const message = `${writePath(path)} is not a known key: ${suggestKey(key, known)}`;
    yield { code: 'unknown-key', path, message };
  }
}

/** Completes "… is not a known key: …". */
export function suggestKey(typed: string, known: readonly string[]): string {
  const closest = closestName(typed, known);
  return closest === undefined ? `write one of ${known.join(', ')}` : `did you mean "${closest}"?`;
}

/** Such as `lines.marker is missing: write "lines": { "marker": "…" }`. */
function describeMissing(schema: GenericSchema, path: Path): string {
  const keys = path.slice(path.findLastIndex((key) => typeof key === 'number') + 1);
  const example = keys.reduceRight<string>(
    (inner, key, index) => `"${key}": ${index === keys.length - 1 ? inner : `{ ${inner} }`}`,
    writeExample(schema, path),
  );
  return `${writePath(path)} is missing: write ${example}`;
}

function writeExample(schema: GenericSchema, path: Path): string {
  const { key, options = [] } = findSchema(schema, path.slice(0, -1)) ?? {};
  if (key !== undefined && key === path.at(-1)) {
    return options.map((option) => JSON.stringify(readLiteral(option as SchemaParts, key))).join(' or ');
  }
  const examples: Readonly<Record<string, string>> = { strict_object: '{ … }', array: '[ … ]', number: '…' };
  return examples[findSchema(schema, path)?.type ?? ''] ?? '"…"';
}

/** Finds the schema at a path. Undefined if there is no such path. */
function findSchema(schema: unknown, path: Path): SchemaParts | undefined {
  const [key, ...rest] = path;
  const parts = unwrap(schema as SchemaParts | undefined);
  if (key === undefined || parts === undefined) return parts;
  const entries = parts.entries ?? findEntries(parts, key);
  return findSchema(entries?.[key] ?? parts.item ?? parts.value, rest);
}

/** Finds the keys of the first option of a variant that has this key. */
function findEntries({ options = [] }: SchemaParts, key: string | number): SchemaParts['entries'] {
  return (options as readonly SchemaParts[]).find(({ entries }) => entries?.[key] !== undefined)?.entries;
}

/** Chooses the option of a variant that an object names, such as the channel of its `kind`. Other schemas have no options. */
function chooseOption(schema: SchemaParts | undefined, object: object): SchemaParts | undefined {
  if (schema?.type !== 'variant') return schema;
  const { key = '', options = [] } = schema;
  const named = (object as Readonly<Record<string, unknown>>)[key];
  return (options as readonly SchemaParts[]).find((option) => readLiteral(option, key) === named);
}

function readLiteral({ entries }: SchemaParts, key: string): unknown {
  return (entries?.[key] as SchemaParts | undefined)?.literal;
}

/** Removes "optional", pipes and unions. Of a union, the option with parts is taken. */
function unwrap(schema: SchemaParts | undefined): SchemaParts | undefined {
  const [first] = schema?.pipe ?? [];
  if (first !== undefined && first !== schema) return unwrap(first as SchemaParts);
  if (schema?.wrapped !== undefined) return unwrap(schema.wrapped as SchemaParts);
  const options = schema?.type === 'union' ? schema.options : undefined;
  if (options === undefined) return schema;
  const unwrapped = options.map((option) => unwrap(option as SchemaParts));
  return unwrapped.find((option) => option?.entries ?? option?.item) ?? unwrapped[0];
}

/** Such as `lines.hosts[2].host`. */
export function writePath(path: Path): string {
  return path.reduce<string>(
    (written, key) => written + (typeof key === 'number' ? `[${key}]` : `${written && '.'}${shorten(key)}`),
    '',
  );
}

/** Turns valibot's own messages ("Invalid type: Expected …") into the form of ours. */
function describeMessage(
  schema: GenericSchema,
  { message, expected }: BaseIssue<unknown>,
  path: Path,
): string {
  if (!message.startsWith('Invalid')) return message;
  if (expected === 'Array') return 'must be a list';
  // The keys of the whole file are too many to name.
  const keys = path.length === 0 ? {} : findSchema(schema, path)?.entries;
  if (expected === 'Object') return describeObject(Object.keys(keys ?? {}));
  return expected === null ? 'is not valid' : `must be ${expected}`;
}

function describeObject(keys: readonly string[]): string {
  return keys.length === 0 ? 'must be an object' : `must be an object with the keys ${keys.join(', ')}`;
}

function shorten(json: string | undefined): string {
  const text = json ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
