import { Load } from '@ats/elements/parts';
import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { SERVICE_URL } from '../app/base.js';
import { href } from '../app/router.js';
import { hasScope } from '../app/session.js';
import { ViewElement } from '../app/view.js';
import '../data/data.css';
import { read, send } from '../data/service.js';
import '../parts/call-button.js';
import { type Call } from '../parts/call-button.js';
import '../parts/problem.js';
import { toast } from '../parts/toast.js';
import './administration.css';
import { t } from './texts.js';
import { t as titles } from './titles.js';

interface Board {
  readonly id: number;
  readonly name: string;
  readonly code: string;
  readonly is_active: boolean;
  readonly is_public: boolean;
}

const PATH = '/api/v1/job_boards';
const QUERY = { sort: ['job_board.name!asc'], per_page: 1000 };
const CALL: Call = { method: 'GET', path: '/job_boards', operation: 'jobBoardsList', query: QUERY };

/** Shows the job boards. Each has a switch that makes it public, and a link to its open postings. */
@customElement('ats-boards-view')
export class BoardsView extends ViewElement {
  #error: unknown;
  readonly #boards = new Load(this, () =>
    read<readonly Board[]>(PATH, { sort: String(QUERY.sort), per_page: String(QUERY.per_page) }),
  );

  protected override render(): TemplateResult {
    return html`<header class="row"><h1>${titles('boards')}</h1> <ats-call-button .call=${CALL}></ats-call-button></header>
      <p class="muted">${t('boardsHint')}</p>
      <ats-problem .error=${this.#error}></ats-problem>
      ${this.#boards.render((boards) =>
        boards.length === 0
          ? html`<p class="empty">${t('noBoards')}</p>`
          : html`<ul class="entries">${boards.map((board) => this.#board(board))}</ul>`,
      )}`;
  }

  #board(board: Board): TemplateResult {
    const { id, name, code, is_active, is_public } = board;
    const address = `${SERVICE_URL}/public/v1/boards/${encodeURIComponent(code)}/postings`;
    return html`<li class="card row" data-board=${code}>
      <a href=${href(`data/job_boards/${id}`)}><bdi>${name}</bdi></a>
      <span class="code"><code><bdi dir="ltr">${code}</bdi></code>
        ${is_active ? '' : html`<span class="badge calm">${t('inactive')}</span>`}</span>
      ${
        is_public && is_active
          ? html`<a href=${address} target="_blank" rel="noopener">${t('postings')} ${t('newTab')}<span
              class="visually-hidden"> ${name}</span></a>`
          : ''
      }
      <label class="check"><input type="checkbox" .checked=${is_public} ?disabled=${!hasScope('job_boards:write')}
        @change=${() => this.#publish(board)} /> ${t('public')}<span class="visually-hidden"> ${name}</span></label>
    </li>`;
  }

  async #publish({ id, is_public }: Board): Promise<void> {
    try {
      await send('patch', `${PATH}/${id}`, { body: { is_public: !is_public } });
      this.#error = undefined;
      toast(t('saved'));
    } catch (error) {
      this.#error = error;
    }
    await this.#boards.run();
  }
}
