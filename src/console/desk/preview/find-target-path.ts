import { TARGETS_PREFIX, TYPE_REDIRECT_PATH } from '../../../contract/paths.ts';
import type { DraftJson } from '../store/draft-files.ts';

/** The page of the first target of a draft. */
export function findTargetPath(json: DraftJson): string {
  const prefix = TARGETS_PREFIX.slice(1);
  const file = Object.keys(json).find((path) => path.startsWith(prefix));
  return file === undefined ? '/' : `${TYPE_REDIRECT_PATH}/${file.slice(prefix.length, -'.json'.length)}`;
}
