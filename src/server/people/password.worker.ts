import { parentPort, workerData } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { PasswordJob } from './password-rules.ts';

const { password, words, maxChars } = workerData as PasswordJob; // See `findPasswordFault`.
const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: maxChars });

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(judge.check(password, [...words]).score);
