import type { DeskDraft, DeskState } from '../../contract/desk/desk.ts';
import type { ApiCode } from '../../contract/error-codes.ts';
import type { DeskApi } from '../desk/store/create-desk-api.ts';
import type { Answer } from '../live/call-server.ts';

const VERSION = { number: 3, at: 0, by: 'li', from: 'console', why: '' } as const;

export const SAMPLE_STATE: Extract<DeskState, { isOn: true }> = {
  isOn: true,
  current: VERSION,
  me: { name: 'li', role: 'editor' },
  draft: null,
  folderDraft: null,
  hasPreview: true,
};

/** Creates the draft of a `site.json`. */
export function sampleDraft(site: unknown): DeskDraft {
  return { current: 3, draft: null, files: [], json: { 'site.json': JSON.stringify(site) } };
}

const refuse = (): Promise<never> => Promise.reject(new Error('this test does not make this call'));

/** Creates the calls of a desk. The test says what it needs: anything else fails. */
export function sampleDeskApi(calls: Partial<DeskApi>): DeskApi {
  return {
    readState: () => done(SAMPLE_STATE),
    readDraft: () => done(sampleDraft({})),
    listVersions: refuse,
    compare: refuse,
    edit: () => done(undefined),
    putFile: refuse,
    removeFile: refuse,
    discard: refuse,
    rebase: refuse,
    publish: refuse,
    restore: refuse,
    preview: refuse,
    testChannel: refuse,
    check: (_, onEvent) => {
      onEvent({ kind: 'done', isGood: true });
      return done(undefined);
    },
    ...calls,
  };
}

export function done<T>(data: T): Promise<Answer<T>> {
  return Promise.resolve({ kind: 'done', data });
}

/** An answer that says no. */
export function refused(code: ApiCode, message: string, details = {}): Promise<Answer<never>> {
  const sentences = { en: message, 'zh-CN': `中文：${message}` };
  return Promise.resolve({ kind: 'refused', status: 409, code, message, sentences, details });
}
