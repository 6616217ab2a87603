import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { useDesk } from '../store/desk-context.ts';
import { sayProblem } from './use-problems.ts';

type UsedTyped<T> = {
  readonly value: T;
  /** Whether the value was typed, and is not saved yet. */
  readonly isTyped: boolean;
  /** Why it was not taken. */
  readonly problem: string | undefined;
};

/** What was typed into a form that is saved as a whole, or else what the form begins with. */
export function useTyped<T>(name: string, beginning: T): UsedTyped<T> {
  const texts = useDeskTexts();
  const typed = useDesk().snapshot.typed[name];
  return {
    // Only this form writes under its name, so the value has its type.
    value: typed === undefined ? beginning : (typed.value as T),
    isTyped: typed !== undefined,
    problem: sayProblem(typed, texts),
  };
}
