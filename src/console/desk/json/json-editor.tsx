import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { HighlightStyle, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, forceLinting, lintGutter, lintKeymap, linter } from '@codemirror/lint';
import { EditorState, type Extension, StateEffect } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ConsoleLanguage } from '../../../contract/console-language.ts';
import type { ToldFault } from '../../../contract/faults/site-fault.ts';
import schemaText from '../../../../site/site.schema.json?raw';
import { SITE_FILE } from '../store/draft-files.ts';
import { type JsonSchema, completeJson } from './complete-json.ts';

export type JsonEditorProps = {
  readonly file: string;
  readonly label: string;
  readonly text: string;
  /** What the check has found in this very text. */
  readonly faults: readonly ToldFault[];
  readonly isLocked: boolean;
  readonly language: ConsoleLanguage;
  readonly onType: (text: string) => void;
};

/** An editor for one JSON file, with completion by the schema of `site.json`, and marks where something is wrong. */
export function JsonEditor({
  file,
  label,
  text,
  faults,
  isLocked,
  language,
  onType,
}: JsonEditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  // The editor is created once for a file, and asks for the newest of these.
  const newest = useRef({ text, faults, onType });
  newest.current = { text, faults, onType };

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    // In a shadow root, CodeMirror adopts its style sheets. Elsewhere it would need inline styles, which the console forbids.
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      doc: newest.current.text,
      root,
      parent: root,
      extensions: [
        ...EXTENSIONS,
        ...(file === SITE_FILE ? [COMPLETION] : []),
        linter(
          (opened) => [
            ...jsonParseLinter()(opened),
            ...placeFaults(opened.state, newest.current.faults, language),
          ],
          {
            needsRefresh: ({ transactions }) =>
              transactions.some(({ effects }) => effects.some((effect) => effect.is(newFaults))),
          },
        ),
        EditorState.readOnly.of(isLocked),
        // It scrolls, so it needs a tabindex: axe does not treat an editable element as focusable.
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) newest.current.onType(state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [file, label, isLocked, language]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined) return;
    const { doc } = editor.state;
    // Somebody else has changed it: another part of the desk, or a version that was taken over.
    if (doc.toString() !== text) editor.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
    // The text may be the same: without this, the editor would not look at it again.
    editor.dispatch({ effects: newFaults.of(null) });
    forceLinting(editor);
  }, [text, faults]);

  return <div ref={host} />;
}

/** The check has found something else in the same text. */
const newFaults = StateEffect.define();

function placeFaults(
  state: EditorState,
  faults: readonly ToldFault[],
  language: ConsoleLanguage,
): readonly Diagnostic[] {
  return faults.flatMap(({ place, sentences }) => {
    if (place?.line === undefined || place.line > state.doc.lines) return [];
    const line = state.doc.line(place.line);
    const from = Math.min(line.from + (place.column ?? 1) - 1, line.to);
    return [{ from, to: line.to, severity: 'error' as const, message: sentences[language] }];
  });
}

const COMPLETION: Extension = autocompletion({
  // The schema file is built into this script; the check uses the same one.
  override: [completeJson(JSON.parse(schemaText) as JsonSchema)],
});

const EXTENSIONS: readonly Extension[] = [
  lineNumbers(),
  history(),
  drawSelection(),
  highlightActiveLine(),
  bracketMatching(),
  closeBrackets(),
  lintGutter(),
  json(),
  EditorView.lineWrapping,
  // Tab leaves the editor, so that nobody is caught in it.
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: 'var(--accent)' },
      { tag: tags.string, color: 'var(--up)' },
      { tag: [tags.number, tags.bool, tags.null], color: 'var(--second)' },
    ]),
  ),
  EditorView.theme({
    '&': { backgroundColor: 'var(--ground)', color: 'var(--text)', fontSize: '0.8125rem' },
    '&.cm-focused': { outline: '2px solid var(--accent)' },
    '.cm-scroller': { fontFamily: 'var(--mono)', minHeight: '16rem' },
    '.cm-content': { caretColor: 'var(--text)' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: '0' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--accent-soft)' },
    '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', borderColor: 'var(--border)' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      backgroundColor: 'var(--accent)',
      color: 'var(--on-accent)',
    },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--border)',
    },
  }),
];
