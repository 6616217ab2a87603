import { expect, test } from 'vitest';
import { en } from '../../../contract/site/texts/en.ts';
import { renderReservedSpace } from './reserve-space.ts';

test('the longest text of each place reserves its space', () => {
  expect(renderReservedSpace(en)).toBe(
    ':root{--longest-speed:"above 20 seconds";--longest-note:"identity check failed";' +
      '--longest-status:"Measured from your network: lower is faster"}',
  );
});

test('no text of a site leaves the style sheet', () => {
  const testing = '"}</style><script>\\\n and more than any other';
  expect(renderReservedSpace({ ...en, testing })).toContain(
    String.raw`--longest-speed:"\22 }\3c /style>\3c script>\5c \a  and more than any other";`,
  );
});
