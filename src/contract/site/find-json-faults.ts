import type { BaseIssue, GenericSchema } from 'valibot';
import { type Rule, type SiteFault, type SitePlace, readRule, shorten } from '../faults/site-fault.ts';
import { MAX_FAULTS } from '../limits.ts';
import { closestName } from './closest-name.ts';

type Path = SitePlace['path'];

/** Something that is wrong in a JSON file, and where in the file. */
export type JsonFault = Pick<SiteFault, 'code' | 'values'> & { readonly path: Path };

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

const EXAMPLES: Readonly<Record<string, string>> = { strict_object: '{ … }', array: '[ … ]', number: '…' };

/**
 * Turns what a schema found into faults: every missing key, every unknown key, every wrong value. A place has one fault: the
 * first rule that it breaks says what to write there. Stops at fault 101.
 */
export function findJsonFaults(
  schema: GenericSchema,
  issues: readonly BaseIssue<unknown>[],
): readonly JsonFault[] {
  const faults = new Map<string, JsonFault>();
  for (const issue of issues) {
    for (const fault of explainIssue(schema, issue, [])) {
      const place = JSON.stringify(fault.path);
      if (!faults.has(place)) faults.set(place, fault);
      if (faults.size > MAX_FAULTS) return [...faults.values()];
    }
  }
  return [...faults.values()];
}

/** Explains one after the other, and only those that are asked for: a file may have a fault for each of its bytes. */
function* explainIssue(
  schema: GenericSchema,
  issue: BaseIssue<unknown>,
  above: Path,
): Generator<JsonFault, void> {
  // The keys of a JSON file are texts, and those of its lists are numbers.
  const path = [...above, ...(issue.path ?? []).map(({ key }) => key as string | number)];
  // If a value may be a text or an object, the faults inside the object say more than "neither".
  const inside = (issue.issues ?? []).filter((part) => (part.path?.length ?? 0) > 0);
  if (inside.length > 0) {
    for (const part of inside) yield* explainIssue(schema, part, path);
  } else if (issue.expected === 'never') {
    yield* explainUnknownKeys(schema, issue, path.slice(0, -1));
  } else if (issue.input === undefined) {
    yield { code: 'missing-key', path, values: { rule: explainMissing(schema, path) } };
  } else {
    // A wrong key is already the last part of the path.
    const isKey = issue.path?.at(-1)?.origin === 'key';
    const rule = findRule(schema, issue, path);
    yield isKey
      ? { code: 'unknown-key', path, values: { rule } }
      : { code: 'invalid-value', path, values: { rule, got: writeFound(issue.input) } };
  }
}

/** Valibot names the first unknown key of an object only. */
function* explainUnknownKeys(
  schema: GenericSchema,
  issue: BaseIssue<unknown>,
  above: Path,
): Generator<JsonFault, void> {
  // The object that the key was found in.
  const object = issue.path?.at(-1)?.input as object;
  const known = Object.keys(chooseOption(findSchema(schema, above), object)?.entries ?? {});
  // To JavaScript, a list is an object with numbers as its keys.
  if (Array.isArray(object)) {
    const rule: Rule = { kind: 'object', keys: known };
    yield { code: 'invalid-value', path: above, values: { rule, got: writeFound(object) } };
    return;
  }
  for (const key of Object.keys(object)) {
    if (known.includes(key)) continue;
    const rule: Rule = { kind: 'unknown-key', known, meant: closestName(key, known) };
    yield { code: 'unknown-key', path: [...above, key], values: { rule } };
  }
}

/** Says what to write for a missing key, such as `"lines": { "marker": "…" }`. */
function explainMissing(schema: GenericSchema, path: Path): Rule {
  const keys = path.slice(path.findLastIndex((key) => typeof key === 'number') + 1);
  const example = keys.reduceRight<string>(
    (inner, key, index) => `"${key}": ${index === keys.length - 1 ? inner : `{ ${inner} }`}`,
    EXAMPLES[findSchema(schema, path)?.type ?? ''] ?? '"…"',
  );
  const { key = '', options = [] } = findSchema(schema, path.slice(0, -1)) ?? {};
  const choices =
    key === path.at(-1) ? options.map((option) => String(readLiteral(option as SchemaParts, key))) : [];
  return { kind: 'missing', example, choices };
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

/** The rule in the schema's message, or the rule for valibot's own message. */
function findRule(schema: GenericSchema, { message, expected }: BaseIssue<unknown>, path: Path): Rule {
  const rule = readRule(message);
  if (rule !== undefined) return rule;
  if (expected === 'Array') return { kind: 'list' };
  if (expected !== 'Object') return { kind: 'not-valid' };
  // The keys of the whole file are too many to name.
  const entries = path.length === 0 ? {} : findSchema(schema, path)?.entries;
  return { kind: 'object', keys: Object.keys(entries ?? {}) };
}

function writeFound(input: unknown): string {
  return shorten(JSON.stringify(input) ?? 'nothing');
}
