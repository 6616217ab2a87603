import type { StartAnswers } from '../../contract/page/start-answers.ts';
import type { Effects } from '../effects/effects.ts';

/**
 * Answers each first call once from the document, and sends all other calls. In a shell it answers them every time. The
 * page checks these answers like any others, so a changed copy of the document can do no more than a false server.
 */
export function answerFromDocument(
  json: string | null | undefined,
  { fetch, now }: Pick<Effects, 'fetch' | 'now'>,
): Effects['fetch'] {
  const start = readStart(json);
  return async (url, init) => {
    // A document may be as old as a saved copy. Its ticket is of no use then, and its lines may be gone.
    const answer = start && now() < start.until && start.answers?.[url];
    if (!answer) return fetch(url, init);
    if (!start.isKept) delete start.answers[url];
    const { headers, body } = answer;
    // No `Response`: browsers take many milliseconds to give its text back, and the probes would wait for it.
    return { ok: true, status: 200, headers: new Headers(headers), text: async () => JSON.stringify(body) };
  };
}

function readStart(json: string | null | undefined): StartAnswers | undefined {
  try {
    // Our own server wrote it. If somebody has changed a copy, the answers are found to be bad where they are checked.
    return JSON.parse(json ?? '') as StartAnswers;
  } catch {
    return undefined; // Nothing, or not whole: the page uses the calls.
  }
}
