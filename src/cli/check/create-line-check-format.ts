import { writeCoded } from '../../contract/error-codes.ts';
import type { ListedLine } from '../../server/lines/check/list-lines.ts';
import type { LineCheck, PortFault } from '../../server/lines/check/check-line.ts';

/**
 * Creates the format of the table. The widths of its columns are known before the first line is checked, so rows can be
 * printed one by one.
 */
export function createLineCheckFormat(lines: readonly ListedLine[]): {
  readonly head: string;
  readonly describe: (check: LineCheck) => readonly string[];
} {
  const hostWidth = Math.max(...lines.map(({ host }) => host.length));
  const roleWidth = Math.max(...lines.map(({ role }) => role.length));
  const row = (mark: string, cells: readonly [string, string, string, string, string, string]): string => {
    const widths = [hostWidth, roleWidth, 5, 7, 11];
    return [mark, ...cells.map((cell, column) => cell.padEnd(widths[column] ?? 0))].join('  ').trimEnd();
  };
  return {
    head: row(' ', ['LINE', '', 'PORTS', 'TIME', 'CERTIFICATE', 'STAY']),
    describe: ({ line, goodAddresses, timeMs, daysLeft, stay, faults }) => [
      row(faults.length === 0 ? '✓' : '✗', [
        line.host,
        line.role,
        `${goodAddresses}/${line.addresses.length}`,
        timeMs === undefined ? '-' : `${Math.max(1, Math.round(timeMs))}ms`,
        daysLeft === undefined ? '-' : `${daysLeft} days`,
        stay ?? '-',
      ]),
      ...faults.map((fault) => `     ${describeFault(fault, line)}`),
    ],
  };
}

function describeFault({ code, ports, problem, advice }: PortFault, { addresses }: ListedLine): string {
  const isEverywhere = ports.length === addresses.length;
  const where = isEverywhere ? '' : `on ${ports.join(', ')} `;
  return writeCoded({ code, message: `${where}it ${problem}. ${advice}` });
}
