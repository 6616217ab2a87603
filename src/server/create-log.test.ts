import { pino } from 'pino';
import { expect, test } from 'vitest';
import { formatRequest } from './create-log.ts';

test('a request is logged with the very line that pino would write', () => {
  const record = { method: 'GET', path: '/t/"quoted"\\\n\u2028', status: 404, ms: 0.25 };
  let written = '';
  pino({ base: null, timestamp: () => ',"time":1700000000000' }, { write: (line) => (written = line) }).info(
    record,
    'request',
  );
  expect(formatRequest(record, 1_700_000_000_000)).toBe(written);
});
