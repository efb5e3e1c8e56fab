import { EditorView } from '@codemirror/view';

const FONT = 'ui-monospace, monospace';

/**
 * The colours of CodeMirror. They use the custom properties of the page, so that they follow light and dark mode. Code
 * is written from left to right in all languages.
 */
export const codeTheme = EditorView.theme({
  '&': {
    direction: 'ltr',
    textAlign: 'left',
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--strong-line)',
    borderRadius: '6px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: FONT, lineHeight: '1.5', minHeight: '5.5em', maxHeight: '24em' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.35rem 0' },
  '.cm-line': { padding: '0 0.6rem' },
  '.cm-lintRange': { backgroundImage: 'none', paddingBottom: '0' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--bad)' },
  '.cm-lintRange-active': { backgroundColor: 'var(--bad-soft)' },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--strong-line)',
    borderRadius: '6px',
    maxWidth: 'min(36rem, calc(100vw - 2rem))',
    zIndex: '20',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: FONT, maxHeight: '14rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.15rem 0.5rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--accent)',
    outlineOffset: '-1px',
  },
  '.cm-completionIcon': { opacity: '1', color: 'var(--muted)' },
  '.cm-completionDetail': { color: 'var(--muted)' },
  '.cm-tooltip.cm-completionInfo': { whiteSpace: 'pre-line', padding: '0.4rem 0.6rem' },
  '.cm-expression-hover': { padding: '0.4rem 0.6rem' },
  '.cm-expression-hover p': { margin: '0.2rem 0 0' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnosticAction': { color: 'var(--on-accent)', backgroundColor: 'var(--accent)', font: 'inherit' },
  '.cm-diagnosticSource': { opacity: '1', color: 'var(--muted)' },
  '.tok-string, .tok-string2': { color: 'var(--good)' },
  '.tok-number, .tok-atom, .tok-bool': { color: 'var(--second)' },
  '.tok-keyword, .tok-operator': { color: 'var(--accent)' },
  '.tok-invalid': { color: 'var(--bad)' },
});
