import type { Logger } from 'pino';
import { writeSiteFault } from '../../contract/faults/describe-site-fault.ts';
import type { Fact, SiteFault } from '../../contract/faults/site-fault.ts';
import { readReason } from '../../contract/read-code.ts';
import { DeadlineError } from '../process/with-deadline.ts';
import { SiteError } from './load-site.ts';
import type { PublishedSite } from './publish-site.ts';

/** What an operator wants to know of the site folder. */
export type SiteRecord = {
  readonly publishedAt: number;
  /** The last change that was refused; undefined where none was. */
  readonly refusal: SiteRefusal | undefined;
};

export type SiteRefusal = {
  readonly at: number;
  readonly faults: readonly SiteFault[];
  /** When a later change went live; undefined while the folder is still refused. */
  readonly correctedAt: number | undefined;
};

/** Notes what goes live and what is refused. */
export type SiteRecordKeeper = {
  readonly read: () => SiteRecord;
  readonly notePublished: () => void;
  /** A change of the folder went live, so the last refusal is over. */
  readonly noteCorrection: () => void;
  readonly noteRefusal: (error: unknown, served: Pick<PublishedSite, 'version' | 'hash'>) => void;
  /** Whether it is time to read a folder again that could not be read. */
  readonly isToBeReadAgain: () => boolean;
};

export type SiteRecordDeps = {
  readonly now: () => number;
  readonly log: Pick<Logger, 'error'>;
  /** Told of each change that was refused. */
  readonly onRefuse: () => void;
};

/** A folder that could not be read, although nothing in it is wrong, is read again after this long. */
const READ_AGAIN_MS = 10_000;

export function createSiteRecord({ now, log, onRefuse }: SiteRecordDeps): SiteRecordKeeper {
  let record: SiteRecord = { publishedAt: now(), refusal: undefined };
  let unread: { readonly at: number; readonly reason: string } | undefined;

  return {
    read: () => record,
    notePublished: () => {
      record = { ...record, publishedAt: now() };
    },
    noteCorrection: () => {
      const { refusal, publishedAt } = record;
      const correctedAt = refusal?.correctedAt ?? publishedAt;
      record = { publishedAt, refusal: refusal && { ...refusal, correctedAt } };
      unread = undefined;
    },
    noteRefusal: (error, { version, hash }) => {
      const before = unread;
      unread = error instanceof SiteError ? undefined : { at: now(), reason: String(error) };
      // Once, and not each time.
      if (unread !== undefined && unread.reason === before?.reason) return;
      onRefuse();
      record = { ...record, refusal: { at: now(), faults: listFaults(error), correctedAt: undefined } };
      const cause = error instanceof SiteError ? { faults: error.faults.map(toLog) } : { err: error };
      log.error({ version, hash, ...cause }, 'site change refused');
    },
    // The clock may have been set back.
    isToBeReadAgain: () => unread !== undefined && Math.abs(now() - unread.at) >= READ_AGAIN_MS,
  };
}

function listFaults(error: unknown): readonly SiteFault[] {
  if (error instanceof SiteError) return error.faults;
  return [{ code: 'not-loaded', values: { fact: explainLoadError(error) } }];
}

function toLog(fault: SiteFault): { readonly code: string; readonly message: string } {
  return { code: fault.code, message: writeSiteFault(fault, 'en') };
}

function explainLoadError(error: unknown): Fact {
  if (error instanceof DeadlineError) return { kind: 'no-answer' };
  return { kind: 'not-loaded', reason: readReason(error) };
}
