import type { BaseIssue } from 'valibot';

/** Turns what a schema found into one line a fault: file, JSON path, what is expected, what was found. */
export function describeIssues(file: string, issues: readonly BaseIssue<unknown>[]): readonly string[] {
  return issues.map((issue) => {
    const path = describePath(issue);
    if (issue.expected === 'never') return `${file}: ${path} is not a known key`;
    const isMissing = issue.input === undefined;
    const found = isMissing ? 'it is missing' : `got ${shorten(JSON.stringify(issue.input))}`;
    return `${file}: ${path || 'the file'} ${describeMessage(issue)}, ${found}`;
  });
}

function describePath(issue: BaseIssue<unknown>): string {
  let path = '';
  for (const { key } of issue.path ?? []) {
    path += typeof key === 'number' ? `[${key}]` : `${path && '.'}${String(key)}`;
  }
  return path;
}

/** Valibot's own messages ("Invalid type: Expected …") are put into the sentence that ours complete. */
function describeMessage(issue: BaseIssue<unknown>): string {
  if (!issue.message.startsWith('Invalid')) return issue.message;
  return issue.expected === null
    ? 'is not valid'
    : `must be ${issue.expected.replace('Object', 'an object')}`;
}

function shorten(json: string | undefined): string {
  const text = json ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
