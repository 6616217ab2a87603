import { useEffect, useState } from 'react';

/** The time, moved on now and then, for texts such as "3 min ago". */
export function useClock(everyMs: number): number {
  const [time, setTime] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setTime(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return time;
}
