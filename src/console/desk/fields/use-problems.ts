import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { type Place, faultsAt } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';

/** What is wrong with a field: why its text was not taken, and what the check has found at its place. */
export function useProblems(name: string, place: Place): readonly string[] {
  const texts = useDeskTexts();
  const { typed, checked } = useDesk().snapshot;
  const mine = typed[name];
  return [
    ...(mine?.problem === undefined ? [] : [texts.say({ ...mine, message: mine.problem })]),
    ...faultsAt(checked?.files?.faults ?? [], place).map(texts.say),
  ];
}
