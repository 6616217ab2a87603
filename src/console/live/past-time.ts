import { createContext, useContext } from 'react';

const PastTimeContext = createContext<number | undefined>(undefined);

export const PastTimeProvider = PastTimeContext.Provider;

/** The time that the view shows, in ms since 1970. Undefined for now. */
export function usePastTime(): number | undefined {
  return useContext(PastTimeContext);
}
