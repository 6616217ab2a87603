import { readFile } from 'node:fs/promises';
import { readCode } from './read-code.ts';

/** A folder is where a file of the data folder should be. */
class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
  readonly code = 'data-folder';
}

/** Reads a text file of the data folder. Node's own error for a folder in its place (EISDIR) does not name it. */
export async function readDataFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (readCode(error) !== 'EISDIR') throw error;
    throw new DataFolderError(
      `${path} is a folder where a file should be: move it away, and bring the file back from a backup if there is one`,
      { cause: error },
    );
  }
}
