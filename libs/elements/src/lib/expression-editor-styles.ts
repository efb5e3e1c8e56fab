import { css } from 'lit';

/**
 * The styles of the editor around the code. They use custom properties for colours, because these reach into shadow
 * trees.
 */
export const editorStyles = css`
  :host {
    display: block;
    color: var(--text);
    margin-block-end: 0.9rem;
  }
  .label {
    display: block;
    font-weight: 500;
    margin-block-end: 0.2rem;
  }
  textarea {
    font-family: ui-monospace, monospace;
    direction: ltr;
  }
  small {
    display: block;
  }
  button {
    color: var(--accent);
    background: transparent;
    border-color: transparent;
  }
  .fix {
    border-color: var(--accent);
    margin-block: 0.25rem;
  }
`;
