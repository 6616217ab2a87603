import { expect, test } from 'vitest';
import { planFor } from './line-maintenance.tsx';

const JSON_FILES = {
  'site.json': {
    lines: {
      hosts: [
        'line1.example',
        { host: 'line2.example', weight: 2, maintenance: [{ reason: 'first' }] },
        'line3.example',
      ],
    },
  },
};

test('one maintenance is planned for several lines, and each keeps what it has', () => {
  const change = planFor(['line1.example', 'line2.example'], { reason: 'new disks' });
  expect(change.kind === 'edit' && change.makeEdits(JSON_FILES)).toEqual([
    { path: ['lines', 'hosts', 0], value: { host: 'line1.example', maintenance: [{ reason: 'new disks' }] } },
    {
      path: ['lines', 'hosts', 1],
      value: {
        host: 'line2.example',
        weight: 2,
        maintenance: [{ reason: 'first' }, { reason: 'new disks' }],
      },
    },
  ]);
});
