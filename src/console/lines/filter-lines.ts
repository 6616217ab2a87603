import type { ConsoleLine, LineStatus } from '../../contract/console.ts';

export type StateFilter = LineStatus | 'all' | 'trouble';

export type LineFilter = { readonly text: string; readonly state: StateFilter };

/** The lines whose host contains the text, in the state that is asked for. */
export function filterLines(
  lines: readonly ConsoleLine[],
  { text, state }: LineFilter,
): readonly ConsoleLine[] {
  const wanted = text.trim().toLowerCase();
  return lines.filter(({ host, status }) => host.toLowerCase().includes(wanted) && isInState(status, state));
}

function isInState(status: LineStatus, state: StateFilter): boolean {
  if (state === 'all') return true;
  return state === 'trouble' ? status === 'down' || status === 'degraded' : status === state;
}
