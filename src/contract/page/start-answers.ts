import { writeInlineJson } from './write-inline-json.ts';

/** What the first calls of a page would answer this visitor. With `start: "inline"` the document carries it. */
export type StartAnswers = {
  /** When the ticket among them ends, or the time for which lines are kept, in ms since 1970. */
  readonly until: number;
  /** The portal could not be reached, and the browser's own worker wrote them. */
  readonly isKept?: true;
  /** By the URL of the call. Each is used once, unless they are kept. */
  readonly answers: Record<string, StartAnswer>;
};

type StartAnswer = { readonly body: unknown; readonly headers?: Readonly<Record<string, string>> };

/** The element that carries them. */
export const START_ANSWERS_ID = 'waypost-start';

/** The page is rendered with an empty element; the server fills it for each visitor. */
export function renderStartAnswers(start?: StartAnswers): string {
  const json = start === undefined ? '' : writeInlineJson(start);
  return `<script type="application/json" id="${START_ANSWERS_ID}">${json}</script>`;
}
