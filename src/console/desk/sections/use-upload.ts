import { useState } from 'react';
import { MAX_UPLOAD_BYTES } from '../../../contract/limits.ts';
import { useLocale } from '../../locale/locale.ts';
import { sayProblem } from '../fields/use-problems.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { changeValue } from '../store/changes.ts';
import { type Place, nameOf, readValue } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { chooseImagePath, isStale, readEnding } from './image-files.ts';

type Upload = {
  /** Puts the first of these files into the draft, as the image of a place. */
  readonly upload: (files: FileList | null) => void;
  /** Why the last file was not taken. Not kept in the store, because it cannot be saved. */
  readonly refusal: string | undefined;
};

/** Puts a file that the operator has chosen into the draft, and its path into `site.json`. */
export function useUpload(place: Place): Upload {
  const texts = useDeskTexts();
  const { format } = useLocale();
  const { store, snapshot } = useDesk();
  const [refusal, setRefusal] = useState<string>();
  const name = nameOf(place);
  return {
    refusal,
    upload: (files) => {
      const [file] = files ?? [];
      if (file !== undefined) void save(file);
    },
  };

  async function save(file: File): Promise<void> {
    const ending = readEnding(file.name);
    store.forget(name);
    if (ending === undefined) return setRefusal(texts.imageWrongType);
    if (file.size > MAX_UPLOAD_BYTES) return setRefusal(texts.imageTooLarge(format.bytes(file.size)));
    setRefusal(undefined);
    const { json } = snapshot;
    const before = readValue(json, place);
    const after = chooseImagePath(json, { path: place.path, ending });
    store.type(name, file.name);
    await store.save(name, [
      { kind: 'put', path: after, content: file },
      changeValue(place, after),
      ...(isStale(json, before, after) ? [{ kind: 'remove', path: before } as const] : []),
    ]);
    const problem = sayProblem(store.getSnapshot().typed[name], texts);
    if (problem === undefined) return;
    setRefusal(problem);
    store.forget(name);
  }
}
