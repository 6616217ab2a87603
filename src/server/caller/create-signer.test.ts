import { expect, test } from 'vitest';
import { createSigner } from './create-signer.ts';

test('a signature holds for its purpose, its text and its secret alone', () => {
  const signer = createSigner(Buffer.alloc(32, 1));
  const signature = signer.sign('caller', 'text');
  expect(signer.verify('caller', 'text', signature)).toBe(true);
  expect(signer.verify('ticket', 'text', signature)).toBe(false);
  expect(signer.verify('caller', 'texT', signature)).toBe(false);
  expect(createSigner(Buffer.alloc(32, 2)).verify('caller', 'text', signature)).toBe(false);
  for (const broken of ['', signature.slice(1), `${signature}A`, 'é'.repeat(11), raiseFirst(signature)]) {
    expect(signer.verify('caller', 'text', broken), broken).toBe(false);
  }
});

/** The same text but for its first character, which is another one with the same low byte. */
function raiseFirst(text: string): string {
  return String.fromCodePoint((text.codePointAt(0) ?? 0) + 0x100) + text.slice(1);
}
