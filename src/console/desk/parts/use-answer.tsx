import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Answer, Failure } from '../../live/call-server.ts';
import { Loading } from '../../parts/panel.tsx';
import type { DeskTexts } from '../locale/en.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { Failed } from './failed.tsx';

type UsedAnswer<T> = {
  /** Undefined until the answer to this key is there. */
  readonly data: T | undefined;
  /** Shown until there is data: that it is loading, or why it could not be loaded, with a button that tries again. */
  readonly instead: ReactNode;
};

/** Asks the server, and again when the key changes. */
export function useAnswer<T>(key: string, ask: () => Promise<Answer<T>>): UsedAnswer<T> {
  const texts = useDeskTexts();
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly answer: Answer<T> }>();
  const [tries, setTries] = useState(1);
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
  }, [key, tries]);
  const answer = loaded?.key === key ? loaded.answer : undefined;
  if (answer?.kind === 'done') return { data: answer.data, instead: null };
  return {
    data: undefined,
    instead:
      answer === undefined ? (
        <Loading />
      ) : (
        <Failed text={describeFailure(answer, texts)} onRetry={() => setTries(tries + 1)} />
      ),
  };
}

function describeFailure(answer: Failure, texts: DeskTexts): string {
  switch (answer.kind) {
    case 'refused':
      return texts.say(answer);
    case 'signed-out':
      return texts.signedOut;
    case 'lost':
      return texts.unreached;
  }
}
