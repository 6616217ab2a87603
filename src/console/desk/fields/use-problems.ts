import { type ToldFault, writePath } from '../../../contract/faults/site-fault.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import type { DeskTexts } from '../locale/en.ts';
import type { Place } from '../store/draft-files.ts';
import type { Typed } from '../store/draft-snapshot.ts';
import { useDesk } from '../store/desk-context.ts';

/** What is wrong with a field: why its text was not taken, and what the check has found at its place. */
export function useProblems(name: string, place: Place): readonly string[] {
  const texts = useDeskTexts();
  const { snapshot, findFaults } = useDesk();
  const problem = sayProblem(snapshot.typed[name], texts);
  return [
    ...(problem === undefined ? [] : [problem]),
    ...findFaults(place).map((fault) => sayBeside(fault, texts)),
  ];
}

/** The sentence of a fault, for its own field: without the path of the value, with which it begins elsewhere. */
export function sayBeside({ place, sentences }: ToldFault, { language, thisValue }: DeskTexts): string {
  const sentence = sentences[language];
  const path = `${writePath(place?.path ?? [])} `;
  return path !== ' ' && sentence.startsWith(path) ? thisValue(sentence.slice(path.length)) : sentence;
}

/** Why the text of a field was not taken; undefined if nobody has refused it. */
export function sayProblem(typed: Typed | undefined, texts: DeskTexts): string | undefined {
  const problem = typed?.problem;
  if (problem === undefined) return undefined;
  return typeof problem === 'string' ? texts[problem] : texts.say(problem);
}
