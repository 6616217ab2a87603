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
  const formattingOptions = readFormat(text);
  if (value === undefined) return applyEdits(text, modify(text, [...path], undefined, { formattingOptions }));
  const isThere = !insert && findNodeAtLocation(root, [...path]) !== undefined;
  if (isThere) return replaceValue(text, root, path, value);
  // jsonc-parser formats a list of ten thousand lines for seconds, so it only makes the place for it.
  const place = modify(text, [...path], null, { formattingOptions, isArrayInsertion: insert });
  const withPlace = applyEdits(text, place);
  return replaceValue(withPlace, parseTree(withPlace), path, value);
}

/** Writes a value where another one is, indented as the line that it is in. */
function replaceValue(text: string, root: Node | undefined, path: JsonEdit['path'], value: unknown): string {
  const node = root && findNodeAtLocation(root, [...path]);
  if (node === undefined) throw new Error(`there is no ${writePath(path)} to replace`);
  const { offset, length } = node;
  const { insertSpaces, tabSize, eol } = readFormat(text);
  const [indent = ''] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1)) ?? [];
  const written = JSON.stringify(value, null, insertSpaces ? tabSize : '\t').replaceAll('\n', eol + indent);
  return text.slice(0, offset) + written + text.slice(offset + length);
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
