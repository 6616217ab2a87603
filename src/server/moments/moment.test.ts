import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeSteps } from '../process/create-step-watch.ts';
import { type Column, packTable, unpackTable } from './pack-table.ts';

const runSteps = async <T>(steps: Generator<void, T>): Promise<T> => takeSteps(steps);

test('a table is read as it was packed: facts, counts, times in ms, and what nobody knows', async () => {
  const numbers = fc.oneof(fc.constant(null), fc.nat(300), fc.nat(2 ** 41), fc.constant(8.64e15));
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue(),
      fc.dictionary(fc.string({ minLength: 1 }), fc.array(numbers)),
      async (head, columns) => {
        const table = { head: JSON.parse(JSON.stringify(head)) as unknown, columns };
        const read = await unpackTable(await packTable(table, runSteps), runSteps);
        expect(read.head).toEqual(table.head);
        for (const [name, column] of Object.entries(columns)) expect(read.columns[name]).toEqual(column);
      },
    ),
    { seed: 11, numRuns: 60 },
  );
});

test('bytes that are cut short, or that somebody else wrote, are refused', async () => {
  const column: Column = Array.from({ length: 500 }, (_, index) => index * 77);
  const packed = await packTable({ head: {}, columns: { column } }, runSteps);
  await expect(unpackTable(packed.subarray(0, -9), runSteps)).rejects.toThrow(/./);
  await expect(unpackTable(Buffer.from('hello'), runSteps)).rejects.toThrow(/./);
});
