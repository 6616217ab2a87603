import type { ErrorReport, SessionRecord } from '../../contract/intake-message.ts';
import type { SessionSummary } from '../../contract/recordings.ts';

/** Enough of a stack to find the place. Strangers may write longer ones. */
const MAX_STACK_CHARS = 4_000;

/** Adds the stacks of a session's errors, which the index has no room for, from its records. */
export async function addStacks(
  summary: SessionSummary,
  records: AsyncIterable<SessionRecord>,
): Promise<SessionSummary> {
  if (summary.views.every(({ errors }) => errors.length === 0)) return summary;
  const newest = new Map<string, SessionRecord>();
  for await (const record of records) {
    if (record.revision > (newest.get(record.view)?.revision ?? 0)) newest.set(record.view, record);
  }
  return {
    ...summary,
    views: summary.views.map((view) => ({
      ...view,
      // The summary has the first errors of the newest record.
      errors: view.errors.map((error, index) => ({
        ...error,
        ...describeStack(newest.get(view.id)?.errors[index]),
      })),
    })),
  };
}

function describeStack(report: ErrorReport | undefined): { readonly stack?: string } {
  return report === undefined ? {} : { stack: report.stack.slice(0, MAX_STACK_CHARS) };
}
