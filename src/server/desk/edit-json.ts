import { type Node, applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import type { JsonEdit } from '../../contract/desk/desk.ts';
import { writePath } from '../../contract/site/describe-issues.ts';
import { DeskError } from './desk-error.ts';

/** Applies edits one after the other to a JSON file, and leaves everything else in it as the operator wrote it. */
export function editJson(file: string, text: string, edits: readonly JsonEdit[]): string {
  return edits.reduce((edited, edit) => applyEdit(file, edited, edit), text);
}

function applyEdit(file: string, text: string, { path, value, insert = false }: JsonEdit): string {
  const root = parseTree(text);
  if (root === undefined) refuse(file, path, 'the file is no JSON: replace it as a whole');
  checkPlace(file, root, path, { isRemoval: value === undefined, isInsertion: insert });
  if (path.length === 0) return `${JSON.stringify(value, null, 2)}\n`;
  const changes = modify(text, [...path], value, {
    isArrayInsertion: insert,
    formattingOptions: readFormat(text),
  });
  return applyEdits(text, changes);
}

type EditKind = { readonly isRemoval: boolean; readonly isInsertion: boolean };

/** Refuses what jsonc-parser would turn into something else, such as a key of a list. */
function checkPlace(
  file: string,
  root: Node,
  path: JsonEdit['path'],
  { isRemoval, isInsertion }: EditKind,
): void {
  if (path.length === 0 && (isRemoval || isInsertion))
    refuse(file, path, 'the whole file can only be replaced');
  for (const [index, key] of path.entries()) {
    const above = path.slice(0, index);
    const node = findNodeAtLocation(root, [...above]);
    if (node === undefined) {
      // What is missing is made, but only objects: a list cannot start in its middle.
      if (typeof key === 'number' && key > 0) refuse(file, path, `${writePath(above)} is not there`);
      if (isRemoval) refuse(file, path, `${writePath(above)} is not there`);
      continue;
    }
    const isFitting = typeof key === 'number' ? node.type === 'array' : node.type === 'object';
    if (!isFitting) {
      refuse(
        file,
        path,
        `${writePath(above) || 'the file'} is ${node.type === 'array' ? 'a list' : 'no list'}`,
      );
    }
    const length = node.children?.length ?? 0;
    const isLast = index === path.length - 1;
    if (typeof key === 'number' && key > (isLast && !isRemoval ? length : length - 1)) {
      refuse(file, path, `${writePath(above)} has ${length} items`);
    }
  }
  if (isInsertion && typeof path.at(-1) !== 'number') refuse(file, path, 'only a list takes an insertion');
  if (isRemoval && findNodeAtLocation(root, [...path]) === undefined) {
    refuse(file, path, 'there is nothing to remove');
  }
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

function refuse(file: string, path: JsonEdit['path'], reason: string): never {
  throw new DeskError(
    'edit-refused',
    `${file}: ${writePath(path) || 'the file'} cannot be changed: ${reason}.`,
  );
}
