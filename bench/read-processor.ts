import { readFile } from 'node:fs/promises';

/** What Linux counts processor time in. */
const MS_PER_TICK = 10;

/** The processor time of all threads of a process, see proc(5). */
export async function readProcessorMs(pid: number | 'self'): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return sumTicks(fields.slice(11, 13));
}

/** The time that all processors of this machine have worked. */
export async function readBusyMs(): Promise<number> {
  const [all = ''] = (await readFile('/proc/stat', 'latin1')).split('\n');
  const [user = '', nice = '', system = '', , , irq = '', softIrq = ''] = all.trim().split(/\s+/).slice(1);
  return sumTicks([user, nice, system, irq, softIrq]);
}

function sumTicks(fields: readonly string[]): number {
  return fields.reduce((sum, field) => sum + Number(field), 0) * MS_PER_TICK;
}
