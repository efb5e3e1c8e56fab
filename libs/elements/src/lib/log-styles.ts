import { css } from 'lit';

/** The look that only the embedded log needs. */
export const logStyles = css`
  :host {
    display: block;
    color: var(--text);
  }
  :host([hidden]) {
    display: none;
  }
  .row {
    margin-block-end: 0.9rem;
  }
  label {
    font-weight: 500;
  }
  select {
    display: block;
    font-weight: 400;
  }
`;
