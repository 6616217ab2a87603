import { type Node, applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import type { EditFault } from '../../contract/desk/describe-refusal.ts';
import type { JsonEdit } from '../../contract/desk/desk.ts';
import { writePath } from '../../contract/faults/site-fault.ts';
import { DeskError } from './desk-error.ts';
import { hasCrowdedLine, indentJson } from './indent-json.ts';

/** Each edit reads the whole file again: 20 edits of the largest file take a second. */
const MAX_READ_CHARS = 20_000_000;

/**
 * Applies edits one after the other to a JSON file, and leaves everything else in it as the operator wrote it. Only a file
 * with crowded lines, such as one that a program wrote, is indented.
 */
export function editJson(file: string, text: string, edits: readonly JsonEdit[]): string {
  const most = Math.max(1, Math.floor(MAX_READ_CHARS / text.length));
  if (edits.length > most) {
    refuse(file, [], { kind: 'too-many', chars: text.length, most, found: edits.length });
  }
  const readable = hasCrowdedLine(text) ? indentJson(text) : text;
  return edits.reduce((edited, edit) => applyEdit(file, edited, edit), readable);
}

function applyEdit(file: string, text: string, edit: JsonEdit): string {
  const { path, value, insert = false } = edit;
  const root = parseTree(text);
  if (root === undefined) refuse(file, path, { kind: 'no-json' });
  const fault = findFault(root, edit);
  if (fault !== undefined) refuse(file, path, fault);
  if (path.length === 0) return `${JSON.stringify(value, null, 2)}\n`;
  const formattingOptions = readFormat(text);
  if (value === undefined) return applyEdits(text, modify(text, [...path], undefined, { formattingOptions }));
  const isThere = !insert && findNodeAtLocation(root, [...path]) !== undefined;
  if (isThere) return replaceValue(text, root, edit);
  // jsonc-parser formats a list of ten thousand lines for seconds, so it only makes the place for it.
  const place = modify(text, [...path], null, { formattingOptions, isArrayInsertion: insert });
  const withPlace = applyEdits(text, place);
  return replaceValue(withPlace, parseTree(withPlace), edit);
}

/** Writes a value where another one is, indented as the line that it is in. */
function replaceValue(text: string, root: Node | undefined, { path, value }: JsonEdit): string {
  const node = root && findNodeAtLocation(root, [...path]);
  if (node === undefined) throw new Error(`there is no ${writePath(path)} to replace`);
  const { offset, length } = node;
  const { insertSpaces, tabSize, eol } = readFormat(text);
  const [indent = ''] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1)) ?? [];
  const written = JSON.stringify(value, null, insertSpaces ? tabSize : '\t').replaceAll('\n', eol + indent);
  return text.slice(0, offset) + written + text.slice(offset + length);
}

/** Says why an edit cannot be made. jsonc-parser would turn it into something else, such as a key of a list. */
function findFault(root: Node, { path, value, insert = false }: JsonEdit): EditFault | undefined {
  const isRemoval = value === undefined;
  if (path.length === 0) return isRemoval || insert ? { kind: 'whole-file' } : undefined;
  for (const index of path.keys()) {
    const fault = findKeyFault(root, path.slice(0, index + 1), {
      isRemoval,
      isLast: index === path.length - 1,
    });
    if (fault !== undefined) return fault;
  }
  if (insert && typeof path.at(-1) !== 'number') return { kind: 'no-insertion' };
  const isThere = findNodeAtLocation(root, [...path]) !== undefined;
  return isRemoval && !isThere ? { kind: 'nothing-there' } : undefined;
}

/** Says why the last key of this path leads nowhere. */
function findKeyFault(
  root: Node,
  path: JsonEdit['path'],
  { isRemoval, isLast }: { readonly isRemoval: boolean; readonly isLast: boolean },
): EditFault | undefined {
  const [above, key] = [path.slice(0, -1), path.at(-1)];
  const node = findNodeAtLocation(root, [...above]);
  if (node === undefined) {
    // Missing objects are made. A missing list can only be started at index 0.
    const isMade = !isRemoval && (typeof key === 'string' || key === 0);
    return isMade ? undefined : { kind: 'not-there', at: writePath(above) };
  }
  const isFitting = typeof key === 'number' ? node.type === 'array' : node.type === 'object';
  if (!isFitting) {
    return { kind: node.type === 'array' ? 'is-list' : 'no-list', at: writePath(above) };
  }
  const length = node.children?.length ?? 0;
  const isBeyond = typeof key === 'number' && key > (isLast && !isRemoval ? length : length - 1);
  return isBeyond ? { kind: 'beyond', at: writePath(above), items: length } : undefined;
}

/** As the file is written: its indentation and its ends of lines. */
function readFormat(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function refuse(file: string, path: JsonEdit['path'], fault: EditFault): never {
  throw new DeskError('edit-refused', { kind: 'edit', file, at: writePath(path), fault });
}
