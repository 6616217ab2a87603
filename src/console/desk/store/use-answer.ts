import { useEffect, useRef, useState } from 'react';
import type { Answer } from './create-desk-api.ts';

/** Asks the server, and again when the key changes. Undefined until the answer to this key is there. */
export function useAnswer<T>(key: string, ask: () => Promise<Answer<T>>): Answer<T> | undefined {
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly answer: Answer<T> } | undefined>(
    undefined,
  );
  const newest = useRef(ask);
  newest.current = ask;
  useEffect(() => {
    let isLeft = false;
    const load = async (): Promise<void> => {
      const answer = await newest.current();
      if (!isLeft) setLoaded({ key, answer });
    };
    void load();
    return () => {
      isLeft = true;
    };
  }, [key]);
  return loaded?.key === key ? loaded.answer : undefined;
}
