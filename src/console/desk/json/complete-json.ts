import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from '@codemirror/autocomplete';
import { ensureSyntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

/** As much of a JSON Schema as completion needs. */
export type JsonSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string;
};

/** The editor does not react while the text is parsed. A person who types does not notice a pause of this length. */
const PARSE_LIMIT_MS = 100;

/** While the text matches this, CodeMirror keeps the list. Otherwise it rebuilds the list, and a click on it is lost. */
const TEXT_IN_WORK = /^"[\w$-]*"?$/;

/** Completes the keys and the values that a schema knows. */
export function completeJson(schema: JsonSchema): CompletionSource {
  return (context: CompletionContext): CompletionResult | null => {
    // CodeMirror parses little more than what is on screen. The keys of an object may go on below it.
    const tree = ensureSyntaxTree(context.state, context.state.doc.length, PARSE_LIMIT_MS);
    // Half a tree would offer the wrong keys. The next key that is pressed continues the parsing.
    if (tree === null) return null;
    const node = tree.resolveInner(context.pos, -1);
    const isText = node.name === 'PropertyName' || node.name === 'String';
    // Between the values, completion must be asked for.
    if (!isText && !context.explicit) return null;
    const options = isKeyPlace(node)
      ? listKeys(schema, context.state, node)
      : listValues(findSchemas(schema, readPath(context.state, node)));
    if (options.length === 0) return null;
    if (!isText) return { from: context.pos, options };
    return { from: node.from, to: findEnd(context, node), options, validFor: TEXT_IN_WORK };
  };
}

/** Where the text that is being written ends. Without its own closing quote, the parser takes the next text's. */
function findEnd({ state, pos }: CompletionContext, { to }: SyntaxNode): number {
  const [rest, next] = [state.sliceDoc(pos, to), state.sliceDoc(to, to + 1)];
  return /^[\w$-]*"$/.test(rest) && /^[\s,:}\]]?$/.test(next) ? to : pos;
}

function isKeyPlace(node: SyntaxNode): boolean {
  if (node.name === 'PropertyName' || node.name === 'Object') return true;
  // An unfinished key.
  return node.type.isError && node.parent?.name === 'Object';
}

function listKeys(schema: JsonSchema, state: EditorState, node: SyntaxNode): readonly Completion[] {
  const object = findAbove(node, 'Object');
  const present = new Set(
    object?.getChildren('Property').map((property) => readKey(state, property.firstChild)),
  );
  // The key that is being written may stay.
  if (node.name === 'PropertyName') present.delete(readKey(state, node));
  const keys = findSchemas(schema, object === null ? [] : readPath(state, object)).flatMap(
    ({ properties = {} }) => Object.keys(properties),
  );
  return [...new Set(keys)]
    .filter((key) => !present.has(key))
    .map((key) => ({ label: JSON.stringify(key), type: 'property' }));
}

function listValues(schemas: readonly JsonSchema[]): readonly Completion[] {
  const values = schemas.flatMap((schema) => {
    if (schema.enum !== undefined) return schema.enum;
    if (schema.const !== undefined) return [schema.const];
    return schema.type === 'boolean' ? [true, false] : [];
  });
  return values.map((value) => ({ label: JSON.stringify(value), type: 'enum' }));
}

/** The keys that lead to a node. Items of a list have none of their own. */
function readPath(state: EditorState, node: SyntaxNode): readonly (string | undefined)[] {
  const path: (string | undefined)[] = [];
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    if (at.name === 'Property') path.unshift(readKey(state, at.firstChild));
    if (at.parent?.name === 'Array') path.unshift(undefined);
  }
  return path;
}

function findSchemas(schema: JsonSchema, path: readonly (string | undefined)[]): readonly JsonSchema[] {
  const [key, ...rest] = path;
  const options = schema.anyOf?.flatMap((option) => findSchemas(option, [])) ?? [schema];
  if (path.length === 0) return options;
  return options.flatMap(({ properties, additionalProperties, items }) => {
    const below = key === undefined ? items : (properties?.[key] ?? additionalProperties);
    return typeof below === 'object' ? findSchemas(below, rest) : [];
  });
}

function findAbove(node: SyntaxNode, name: string): SyntaxNode | null {
  let at: SyntaxNode | null = node;
  while (at !== null && at.name !== name) at = at.parent;
  return at;
}

function readKey(state: EditorState, node: SyntaxNode | null): string {
  return node === null ? '' : state.sliceDoc(node.from, node.to).replaceAll('"', '');
}
