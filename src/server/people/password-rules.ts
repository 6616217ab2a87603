import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../contract/people.ts';
import { withDeadline } from '../process/with-deadline.ts';

export type PasswordFault = 'password-too-short' | 'password-too-long' | 'password-too-easy';

/** Tells what is wrong with a password, if anything. `words` are easy to guess here: the brand, the person's own name, … */
export type FindPasswordFault = (
  password: string,
  words: readonly string[],
) => Promise<PasswordFault | undefined>;

export type PasswordJob = {
  readonly password: string;
  readonly words: readonly string[];
  readonly maxChars: number;
};

/** zxcvbn's best score: over 10^10 guesses. */
const GOOD_SCORE = 4;
/** The time that zxcvbn takes grows fast. The rest of a longer password only makes it better. */
const JUDGED_CHARS = 40;
const LIMIT_MS = 20_000;
/** Words that everybody would try here. */
const OWN_WORDS = ['waypost', 'console', 'operator', 'viewer', 'editor', 'owner', 'admin'];

export const findPasswordFault: FindPasswordFault = async (password, words) => {
  const chars = Array.from(password).length;
  if (chars < MIN_PASSWORD_CHARS) return 'password-too-short';
  if (chars > MAX_PASSWORD_CHARS) return 'password-too-long';
  const score = await scorePassword(password, [...OWN_WORDS, ...words]);
  return score < GOOD_SCORE ? 'password-too-easy' : undefined;
};

/**
 * In a thread of its own, because it takes up to a second, in which visitors would wait; and because the memory for 49,000
 * common passwords is free again when the thread ends.
 */
async function scorePassword(password: string, words: readonly string[]): Promise<number> {
  const workerData: PasswordJob = { password, words, maxChars: JUDGED_CHARS };
  // package.json names the compiled file: Node 20 runs no TypeScript in a thread, not even in a test.
  const path = createRequire(import.meta.url).resolve('#password-worker');
  const thread = new Worker(path, { execArgv: [], workerData });
  const scored = new Promise<number>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
  try {
    return await withDeadline(scored, LIMIT_MS, 'a password could not be judged in time');
  } finally {
    await thread.terminate();
  }
}
