import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Engine, Row } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';

type Pair = Row & { readonly name: string; readonly amount: number };

/** What both engines promise. `open` makes a new, empty database, which is closed after its test. */
export function describeEngine(name: string, open: () => Promise<Engine>): void {
  describe(`the engine ${name}`, () => {
    let engine: Engine;
    const add = (name: string, amount: number): Promise<void> =>
      engine.transaction(async ({ change }) => {
        await change('insert into pairs (name, amount) values ($1, $2)', [name, amount]);
      });
    const readAll = (): Promise<readonly Pair[]> => engine.read<Pair>('select * from pairs order by name');

    const addOne = (): Promise<void> =>
      engine.transaction(async ({ query, change }) => {
        const [row] = await query<Pair>("select amount from pairs where name = 'one'");
        await change("update pairs set amount = $1 where name = 'one'", [(row?.amount ?? 0) + 1]);
      });

    beforeEach(async () => {
      engine = await open();
      await engine.transaction(async ({ change }) => {
        await change('create table pairs (name text primary key, amount bigint not null)');
      });
    });

    test('gives back texts, numbers, nothing and bytes as they were written', async () => {
      const types = engine.name.startsWith('PostgreSQL') ? 'bytea' : 'blob';
      await engine.transaction(async ({ change }) => {
        await change(`create table things (a text, b bigint, c text, d ${types}, e double precision)`);
        await change('insert into things values ($1, $2, $3, $4, $5)', [
          '线路 “1” \n\\',
          1_794_973_421_228,
          null,
          Uint8Array.of(0, 1, 255),
          0.25,
        ]);
      });
      const [row] = await engine.read<Row>('select * from things');
      expect({ ...row, d: Uint8Array.from((row?.['d'] ?? []) as Uint8Array) }).toEqual({
        a: '线路 “1” \n\\',
        b: 1_794_973_421_228,
        c: null,
        d: Uint8Array.of(0, 1, 255),
        e: 0.25,
      });
    });

    test('uses a value as often as the statement names it', async () => {
      await add('one', 1);
      expect(await engine.read('select $1 as a, $2 as b where $1 = $1', ['x', 'y'])).toEqual([
        { a: 'x', b: 'y' },
      ]);
    });

    test('counts the rows that a statement changed', async () => {
      await add('one', 1);
      await add('two', 2);
      const counts = await engine.transaction(async ({ change }) => [
        await change('update pairs set amount = amount + 1 where amount < $1', [2]),
        await change('delete from pairs where name = $1', ['nobody']),
        await change('delete from pairs'),
      ]);
      expect(counts).toEqual([1, 0, 2]);
    });

    test('keeps nothing of a transaction that fails', async () => {
      await add('one', 1);
      const failing = engine.transaction(async ({ change }) => {
        await change('update pairs set amount = 2');
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await readAll()).toEqual([{ name: 'one', amount: 1 }]);
      await add('two', 2);
      expect(await readAll()).toHaveLength(2);
    });

    test('passes on what the work of a transaction throws, as it is', async () => {
      const own = new RangeError('there is no such version');
      await expect(engine.transaction(() => Promise.reject(own))).rejects.toBe(own);
    });

    test('runs one change as a transaction of its own', async () => {
      expect(await engine.change("insert into pairs values ('one', $1)", [1])).toBe(1);
      expect(await readAll()).toEqual([{ name: 'one', amount: 1 }]);
    });

    test('lets nobody see a transaction before it is kept', async () => {
      await engine.transaction(async ({ change, query }) => {
        await change("insert into pairs values ('one', 1)");
        expect(await query('select name from pairs')).toEqual([{ name: 'one' }]);
        expect(await readAll()).toEqual([]);
      });
      expect(await readAll()).toHaveLength(1);
    });

    test('loses no change, although every transaction reads what it then writes', async () => {
      await add('one', 0);
      await Promise.all(Array.from({ length: 6 }, addOne));
      expect(await readAll()).toEqual([{ name: 'one', amount: 6 }]);
    });

    test('does any list of changes as a plain map does it', async () => {
      const change = fc.record({
        kind: fc.constantFrom('put', 'remove', 'fail'),
        name: fc.constantFrom('a', 'b', 'c'),
        amount: fc.integer(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
          await engine.transaction(async (tx) => void (await tx.change('delete from pairs')));
          const expected = new Map<string, number>();
          for (const { kind, name, amount } of changes) {
            if (kind === 'put') expected.set(name, amount);
            if (kind === 'remove') expected.delete(name);
            const done = engine.transaction(async (tx) => {
              if (kind === 'remove') return tx.change('delete from pairs where name = $1', [name]);
              await tx.change(
                'insert into pairs values ($1, $2) on conflict (name) do update set amount = excluded.amount',
                [name, amount],
              );
              if (kind === 'fail') throw new Error('not kept');
            });
            await done.catch(() => undefined);
          }
          const rows = await readAll();
          expect(new Map(rows.map((row) => [row.name, row.amount]))).toEqual(expected);
        }),
        { numRuns: 20 },
      );
    });

    test('a statement that is wrong fails with the reason, and nothing else does', async () => {
      await expect(engine.read('select * from nowhere')).rejects.toThrow(/nowhere/);
      await expect(
        engine.transaction(({ change }) => change('insert into nowhere values (1)')),
      ).rejects.toThrow(/nowhere/);
      await add('one', 1);
      expect(await readAll()).toHaveLength(1);
    });

    test('makes each table once, although several portals start together', async () => {
      const migrations = [
        { name: '1', release: 1, statements: ['create table first (a integer)'] },
        {
          name: '2',
          release: 1,
          statements: ['create table second (a integer)', 'insert into second values (7)'],
        },
      ];
      await migrate(engine, { migrations: migrations.slice(0, 1) });
      await Promise.all([1, 2, 3].map(() => migrate(engine, { migrations })));
      expect(await engine.read('select a from second')).toEqual([{ a: 7 }]);
      expect(await engine.read('select name from migrations order by name')).toEqual([
        { name: '1' },
        { name: '2' },
      ]);
    });

    test('runs on the tables of the next release, and refuses those after it', async () => {
      const table = { name: '1', release: 1, statements: ['create table first (a integer)'] };
      const next = { name: '2', release: 2, statements: ['create table second (a integer)'] };
      const later = { name: '3', release: 3, statements: ['create table third (a integer)'] };
      await migrate(engine, { migrations: [table, next] });
      await migrate(engine, { migrations: [table], newestRelease: 2 });
      await migrate(engine, { migrations: [table, next, later] });
      await expect(migrate(engine, { migrations: [table], newestRelease: 2 })).rejects.toThrow(
        /more than one release newer than this one: run that one/,
      );
    });
  });
}
