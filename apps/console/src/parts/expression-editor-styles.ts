import { css } from 'lit';

/**
 * The styles of the editor around the code. They use custom properties for colours, because these reach into shadow
 * trees.
 */
export const editorStyles = css`
  :host {
    display: block;
    margin-block-end: 0.9rem;
  }
  .label {
    display: block;
    font-weight: 500;
    margin-block-end: 0.2rem;
  }
  textarea {
    box-sizing: border-box;
    inline-size: 100%;
    font-family: ui-monospace, monospace;
    direction: ltr;
    color: inherit;
    background: var(--surface);
    border: 1px solid var(--strong-line);
    border-radius: 6px;
    padding: 0.35rem 0.7rem;
  }
  small {
    display: block;
    color: var(--muted);
  }
  .error {
    color: var(--bad);
  }
  .error:empty {
    display: none;
  }
  button {
    font: inherit;
    font-weight: 500;
    color: var(--accent);
    background: transparent;
    border: 1px solid transparent;
    border-radius: 6px;
    padding: 0.35rem 0.7rem;
    min-height: 36px;
    cursor: pointer;
  }
  .fix {
    border-color: var(--accent);
    margin-block: 0.25rem;
  }
  button:hover {
    background: var(--accent-soft);
  }
  button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
`;
