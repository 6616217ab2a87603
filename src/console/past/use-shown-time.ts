import { useEffect, useRef, useState } from 'react';
import { openTime, useTime } from '../route.ts';

export type ShownTime = {
  /** Undefined for now. */
  readonly at: number | undefined;
  readonly show: (at: number | undefined) => void;
};

/** The address follows this long after the last move: browsers refuse to change it a hundred times in half a minute. */
const ADDRESS_AFTER_MS = 250;

/** The time that is shown: the one to which somebody drags, or else that of the address. */
export function useShownTime(): ShownTime {
  const linked = useTime();
  const [moved, setMoved] = useState<{ readonly at: number | undefined }>();
  const timer = useRef(0);
  useEffect(() => {
    // The address was changed, by a link or by us.
    setMoved(undefined);
  }, [linked]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return {
    at: moved === undefined ? linked : moved.at,
    show: (at) => {
      setMoved({ at });
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        openTime(at);
        setMoved(undefined);
      }, ADDRESS_AFTER_MS);
    },
  };
}
