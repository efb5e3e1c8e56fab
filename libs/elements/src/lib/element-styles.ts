import { css } from 'lit';

/**
 * The colours and the look of plain elements. A page gives other colours with custom properties such as `--ats-accent`;
 * they reach into shadow trees.
 */
export const elementStyles = css`
  :root,
  :host {
    --text: var(--ats-text, light-dark(#1c2430, #e6e9ee));
    --muted: var(--ats-muted, light-dark(#566072, #a3adbb));
    --page: var(--ats-page, light-dark(#f6f7f9, #12161c));
    --surface: var(--ats-surface, light-dark(#fff, #1a2029));
    --line: var(--ats-line, light-dark(#dfe3e9, #313a47));
    --strong-line: var(--ats-strong-line, light-dark(#858e9c, #77818f));
    --accent: var(--ats-accent, light-dark(#1d4ed8, #8db1ff));
    --on-accent: var(--ats-on-accent, light-dark(#fff, #0c1526));
    --accent-soft: var(--ats-accent-soft, light-dark(#e8eefc, #20304f));
    --good: var(--ats-good, light-dark(#15803d, #4ade80));
    --bad: var(--ats-bad, light-dark(#b91c1c, #fca5a5));
    --bad-soft: var(--ats-bad-soft, light-dark(#fdecec, #3d2022));
    --warn-soft: var(--ats-warn-soft, light-dark(#fdf3d7, #3a3118));
    --second: var(--ats-second, light-dark(#7c3aed, #c4a7ff));
    --radius: var(--ats-radius, 8px);
  }
  * {
    box-sizing: border-box;
  }
  h2 {
    font-size: 1.1rem;
    margin: 1.5rem 0 0.5rem;
    font-weight: 600;
  }
  h3 {
    font-size: 1rem;
    margin: 1rem 0 0.25rem;
    font-weight: 600;
  }
  p {
    margin: 0 0 0.75rem;
    max-width: 70ch;
  }
  a {
    color: var(--accent);
  }
  small {
    color: var(--muted);
  }
  code,
  pre,
  .mono {
    font-family: ui-monospace, monospace;
    font-size: 0.9em;
  }
  pre {
    background: var(--page);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: 0.75rem;
    margin: 0 0 0.75rem;
    overflow: auto;
    max-height: 22rem;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  button,
  .button,
  select,
  input,
  textarea {
    font: inherit;
    color: inherit;
    background: var(--surface);
    border: 1px solid var(--strong-line);
    border-radius: 6px;
    padding: 0.35rem 0.7rem;
    min-height: 36px;
    max-width: 100%;
  }
  button,
  .button {
    cursor: pointer;
    font-weight: 500;
    text-decoration: none;
    display: inline-block;
  }
  button:hover,
  .button:hover {
    background: var(--accent-soft);
  }
  button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  button.primary,
  .button.primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
  }
  button.danger {
    color: var(--bad);
    border-color: var(--bad);
  }
  button.quiet {
    border-color: transparent;
    background: transparent;
    color: var(--accent);
  }
  input[type="checkbox"],
  input[type="radio"] {
    min-height: 0;
    inline-size: 1.1rem;
    block-size: 1.1rem;
    accent-color: var(--accent);
  }
  [aria-invalid="true"] {
    border-color: var(--bad);
  }
  textarea {
    display: block;
    inline-size: 100%;
    resize: vertical;
  }
`;
