import { useDeskTexts } from '../locale/use-desk-texts.ts';
import type { DeskTexts } from '../locale/en.ts';
import { type Place, faultsAt } from '../store/draft-files.ts';
import type { Typed } from '../store/draft-snapshot.ts';
import { useDesk } from '../store/desk-context.ts';

/** What is wrong with a field: why its text was not taken, and what the check has found at its place. */
export function useProblems(name: string, place: Place): readonly string[] {
  const texts = useDeskTexts();
  const { typed, checked } = useDesk().snapshot;
  const problem = sayProblem(typed[name], texts);
  return [
    ...(problem === undefined ? [] : [problem]),
    ...faultsAt(checked?.files?.faults ?? [], place).map(({ sentences }) => sentences[texts.language]),
  ];
}

/** Why the text of a field was not taken; undefined if nobody has refused it. */
export function sayProblem(typed: Typed | undefined, texts: DeskTexts): string | undefined {
  const problem = typed?.problem;
  if (problem === undefined) return undefined;
  return typeof problem === 'string' ? texts[problem] : texts.say(problem);
}
