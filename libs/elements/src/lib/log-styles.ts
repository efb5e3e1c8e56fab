import { css } from 'lit';

/** The styles that only the embedded delivery log needs. */
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
  .filters {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 0.9rem;
  }
  label {
    font-weight: 500;
  }
  select,
  input {
    display: block;
    font-weight: 400;
    max-width: 100%;
  }
`;
