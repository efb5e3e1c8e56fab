import { css } from 'lit';
import { elementStyles } from './element-styles.js';

/** The style sheet of the parts that elements and the console share. The console puts it in front of its own. */
export const partStyles = css`
  ${elementStyles}
  .error {
    color: var(--bad);
  }
  .error:empty {
    display: none;
  }
  .problem {
    background: var(--bad-soft);
    border: 1px solid var(--bad);
    border-radius: var(--radius);
    padding: 0.75rem 1rem;
    margin-block-end: 1rem;
  }
  .problem p {
    margin: 0.25rem 0;
  }
  .problem small {
    display: block;
    color: inherit;
    overflow-wrap: anywhere;
  }
  .problem button {
    margin-block-start: 0.5rem;
  }
  .empty {
    text-align: center;
    padding: 2.5rem 1rem;
    background: var(--surface);
    border: 1px dashed var(--strong-line);
    border-radius: var(--radius);
  }
  .empty h2 {
    margin-block-start: 0;
  }
  .empty p {
    margin-inline: auto;
  }
  .table {
    overflow: auto;
    max-height: 65vh;
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  table {
    border-collapse: collapse;
    inline-size: 100%;
  }
  th,
  td {
    text-align: start;
    padding: 0 0.75rem;
    height: 40px;
    white-space: nowrap;
    border-block-end: 1px solid var(--line);
    max-width: 28rem;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .table thead th {
    position: sticky;
    inset-block-start: 0;
    background: var(--surface);
    font-weight: 600;
    color: var(--muted);
    font-size: 0.87rem;
    z-index: 1;
  }
  .table tr.opens {
    cursor: pointer;
  }
  .table button.open {
    all: unset;
    color: var(--accent);
  }
  .table .open:focus {
    outline: none;
  }
  .table tr.opens:hover td,
  .table tr:has(.open:focus) td {
    background: var(--accent-soft);
  }
  .table tr:has(.open:focus-visible) {
    outline: 2px solid var(--accent);
    outline-offset: -2px;
  }
  .space td {
    padding: 0;
    border: 0;
  }
  .number {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  .none {
    padding: 1rem;
    margin: 0;
    color: var(--muted);
  }
  dl {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: 0.25rem 1rem;
    margin: 0 0 1rem;
  }
  dt {
    color: var(--muted);
  }
  dd {
    margin: 0;
    min-width: 0;
  }
  dd,
  .explanation li {
    overflow-wrap: anywhere;
  }
  .badge {
    display: inline-block;
    border-radius: 99px;
    padding: 0 0.6rem;
    font-size: 0.85rem;
    line-height: 1.6;
    border: 1px solid currentcolor;
  }
  .badge.good {
    color: var(--good);
  }
  .badge.bad {
    color: var(--bad);
  }
  .badge.calm {
    color: var(--muted);
  }
  .card {
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: 1rem;
    margin-block-end: 1rem;
    min-width: 0;
  }
  .card > h2:first-child {
    margin-block-start: 0;
  }
  .row {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    flex-wrap: wrap;
    justify-content: space-between;
  }
  .row h1,
  .row h2,
  .row h3 {
    margin: 0;
  }
  .actions {
    display: flex;
    gap: 0.5rem;
    flex-wrap: wrap;
    align-items: center;
    margin-block: 0.5rem 1rem;
  }
  dialog {
    color: inherit;
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: 12px;
    padding: 1.25rem;
    inline-size: min(760px, calc(100vw - 2rem));
    max-height: calc(100vh - 4rem);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }
  dialog > header {
    display: flex;
    justify-content: space-between;
    align-items: center;
    margin-block-end: 0.75rem;
  }
  dialog > header h2 {
    margin: 0;
  }
  @media (max-width: 720px) {
    dl {
      grid-template-columns: 1fr;
    }
    dt {
      margin-block-start: 0.4rem;
    }
  }
`;
