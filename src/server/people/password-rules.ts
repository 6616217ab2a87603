import { createRequire } from 'node:module';
import * as threads from 'node:worker_threads';
import type * as core from '@zxcvbn-ts/core';
import type * as common from '@zxcvbn-ts/language-common';
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../contract/people.ts';
import { withDeadline } from '../process/with-deadline.ts';

export type PasswordFault = 'password-too-short' | 'password-too-long' | 'password-too-easy';

/** Tells what is wrong with a password, if anything. `words` are easy to guess here: the brand, the person's own name, … */
export type FindPasswordFault = (
  password: string,
  words: readonly string[],
) => Promise<PasswordFault | undefined>;

type Job = {
  readonly corePath: string;
  readonly commonPath: string;
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
  const { resolve: find } = createRequire(import.meta.url);
  const workerData: Job = {
    corePath: find('@zxcvbn-ts/core'),
    commonPath: find('@zxcvbn-ts/language-common'),
    password,
    words,
    maxChars: JUDGED_CHARS,
  };
  // As text, because a separate file would have another name after it is compiled.
  const code = `(${judge.toString()})(require, require('node:worker_threads'))`;
  const thread = new threads.Worker(code, { eval: true, execArgv: [], workerData });
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

/** Runs in the thread. It is handed over as text, so it uses nothing but its arguments. */
function judge(load: (path: string) => unknown, { parentPort, workerData }: typeof threads): void {
  const { corePath, commonPath, password, words, maxChars } = workerData as Job; // See above.
  const { ZxcvbnFactory } = load(corePath) as typeof core; // Both have these types.
  const { dictionary, adjacencyGraphs } = load(commonPath) as typeof common;
  const judgement = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: maxChars }).check(
    password,
    [...words],
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(judgement.score);
}
