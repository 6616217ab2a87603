import { expect, test } from 'vitest';
import { createCallerTokens } from './caller/create-caller-tokens.ts';
import { parseAddress } from './caller/parse-address.ts';
import { createSigner } from './caller/create-signer.ts';
import { createTickets } from './portal/create-tickets.ts';
import { createPreviewLinks } from './preview/create-preview-links.ts';

const DAY_MS = 86_400_000;
const TODAY = Date.UTC(2026, 10, 18);
const signer = createSigner(new Uint8Array(32));

test.each([
  ['a ticket', createTicketCheck],
  ['the proof of an address', createProofCheck],
  ['a link of the preview', createPreviewCheck],
])('%s of a clock that was 400 days ahead is worth nothing when the clock is right again', (_, create) => {
  let now = TODAY + 400 * DAY_MS;
  const isValid = create(() => now);
  expect(isValid()).toBe(true);
  now = TODAY;
  expect(isValid()).toBe(false);
});

test.each([
  ['a ticket', createTicketCheck],
  ['the proof of an address', createProofCheck],
])('%s of a portal whose clock is a minute ahead counts on the others', (_, create) => {
  let now = TODAY + 60_000;
  const isValid = create(() => now);
  now = TODAY;
  expect(isValid()).toBe(true);
});

function createTicketCheck(now: () => number): () => boolean {
  const tickets = createTickets(signer, now);
  const ticket = tickets.issue({ prefix: '203.0.113.0', area: 'SG/AS64500', lineIds: ['abcdefgh'] });
  return () => tickets.read(ticket).kind === 'ticket';
}

function createProofCheck(now: () => number): () => boolean {
  const address = parseAddress('203.0.113.9');
  if (address === undefined) throw new Error('this is an address');
  const tokens = createCallerTokens(signer, now);
  const { key_id: proof } = tokens.issue(address);
  return () => tokens.isProof(address, String(proof));
}

function createPreviewCheck(now: () => number): () => boolean {
  const links = createPreviewLinks(signer, now);
  const link = links.issue({ person: 'mei', epoch: '1', draft: 'own', consoleOrigin: 'http://localhost' });
  return () => links.read(link) !== undefined;
}
