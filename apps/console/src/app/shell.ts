import { ApiError } from '@ats/client';
import { resumeDialogs, suspendDialogs } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import '../parts/problem.js';
import '../parts/toast.js';
import { LANGUAGES, type Language, language, setLanguage, startLanguage } from './i18n.js';
import { addressChanges, askBeforeLeaving, findRoute, href, navigate, type Route, watchLinks } from './router.js';
import { hasExpired, hasScope, isRemembered, me, resume, sessionChanges, signOut } from './session.js';
import './sign-in.js';
import { t } from './texts.js';
import { setTheme, THEMES, type Theme, theme } from './theme.js';
import { ConsoleElement, type View, type ViewElement } from './view.js';
import { AREAS } from './views.js';

startLanguage();

const isAllowed = ({ scopes }: View): boolean => scopes.every(hasScope);

/** The frame of the console. It has the navigation, the sign-in, and the view that the address leads to. */
@customElement('ats-shell')
export class Shell extends ConsoleElement {
  @state() private route: Route | undefined;
  @state() private view: ViewElement | undefined;
  /** False while the service checks the stored credential. */
  @state() private isReady = !isRemembered();
  @state() private isMenuOpen = false;
  @state() private isOffline = !navigator.onLine;
  @state() private error: unknown;

  override connectedCallback(): void {
    super.connectedCallback();
    watchLinks();
    addressChanges.addEventListener('change', () => void this.#open(true));
    sessionChanges.addEventListener('change', this.#followSession);
    askBeforeLeaving(this.#mayLeave);
    addEventListener('beforeunload', (event) => {
      if (this.#isEdited()) event.preventDefault();
    });
    for (const name of ['online', 'offline']) addEventListener(name, () => (this.isOffline = !navigator.onLine));
    addEventListener('online', this.#tryAgain);
    addEventListener('keydown', this.#closeMenu);
    this.addEventListener('title-change', () => this.requestUpdate());
    // The view is loaded while the service checks the credential.
    if (isRemembered())
      void findRoute(AREAS)
        ?.view.load()
        .catch(() => undefined);
    void this.#resume();
  }

  protected override render(): TemplateResult {
    return html`
      <a class="skip" href="#content" @click=${this.#skip}>${t('skip')}</a>
      <header class="top">
        ${
          me()
            ? html`<button class="menu-button" aria-expanded=${this.isMenuOpen} aria-controls="navigation"
                @click=${() => (this.isMenuOpen = !this.isMenuOpen)}><span aria-hidden="true">☰</span>
                <span class="menu-name">${t('menu')}</span></button>`
            : nothing
        }
        <a class="brand" href=${href('')}>${t('product')}</a>
        <span class="grow"></span>
        ${this.#settings()}
        ${
          me()
            ? html`<button @click=${this.#signOut} title=${t('signedInAs', { name: me()?.name ?? '' })}>
                ${t('signOut')}
              </button>`
            : nothing
        }
      </header>
      ${this.isOffline ? html`<p class="banner" role="status">${t('offline')}</p>` : nothing}
      <div class="frame">
        ${me() ? this.#navigation() : nothing}
        <main id="content" tabindex="-1">${this.#content()}${this.view}</main>
      </div>
      <ats-toast></ats-toast>
    `;
  }

  #settings(): TemplateResult {
    return html`
      <select aria-label=${t('language')} @change=${(event: Event) => setLanguage(valueOf(event) as Language)}>
        ${Object.entries(LANGUAGES).map(
          ([code, name]) => html`<option value=${code} lang=${code} ?selected=${code === language()}>${name}</option>`,
        )}
      </select>
      <select aria-label=${t('theme')} @change=${(event: Event) => setTheme(valueOf(event) as Theme)}>
        ${THEMES.map((name) => html`<option value=${name} ?selected=${name === theme()}>${t(`theme.${name}`)}</option>`)}
      </select>
    `;
  }

  #navigation(): TemplateResult {
    const areas = AREAS.map(({ title, views }) => ({
      title,
      views: views.filter((view) => view.isInNavigation && isAllowed(view)),
    }));
    return html`
      <nav id="navigation" aria-label=${t('navigation')} class=${this.isMenuOpen ? 'open' : ''}>
        ${areas
          .filter(({ views }) => views.length > 0)
          .map(
            ({ title, views }) => html`
              <h2>${title()}</h2>
              <ul>
                ${views.map(
                  (view) =>
                    html`<li><a href=${href(view.path)} aria-current=${this.#current(view)}>${view.title()}</a></li>`,
                )}
              </ul>
            `,
          )}
      </nav>
    `;
  }

  /**
   * Returns the value of `aria-current` for a link in the navigation: `page` for the present view, and `true` for the
   * list that contains the present item.
   */
  #current(view: View): 'page' | 'true' | typeof nothing {
    const path = this.route?.view.path ?? '';
    if (path === view.path) return 'page';
    return view.path === path.replace(/\/(:[^/]*|new)$/, '') ? 'true' : nothing;
  }

  #content(): TemplateResult | typeof nothing {
    if (this.error) return html`<ats-problem .error=${this.error} .retry=${() => this.#resume()}></ats-problem>`;
    if (!this.isReady) return html`<p role="status">${t('loading')}</p>`;
    if (!me()) return html`<ats-sign-in></ats-sign-in>`;
    if (!this.route) return html`<h1 tabindex="-1">${t('notFound')}</h1><p>${t('notFoundHelp')}</p>`;
    const { scopes } = this.route.view;
    if (!isAllowed(this.route.view))
      return html`<h1 tabindex="-1">${t('forbidden')}</h1><p>${t('forbiddenHelp', { scopes: scopes.join(', ') })}</p>`;
    return this.view ? nothing : html`<p role="status">${t('loading')}</p>`;
  }

  protected override updated(): void {
    const title = me() ? this.view?.windowTitle || this.route?.view.title() : t('signIn');
    document.title = [title, t('product')].filter(Boolean).join(' · ');
  }

  async #resume(): Promise<void> {
    this.error = undefined;
    try {
      // When `resume` restores a session, `#followSession` opens the view.
      if (!(await resume())) await this.#open(false);
    } catch (error) {
      if (error instanceof ApiError && error.status < 429) signOut(true);
      else this.error = error;
    }
  }

  /**
   * Shows the view that the address leads to.
   * @param moved  true after a click on a link; the focus then moves to the heading
   */
  async #open(moved: boolean): Promise<void> {
    this.isMenuOpen = false;
    this.isReady = true;
    this.error = undefined;
    const route = me() ? findRoute(AREAS) : undefined;
    this.view = undefined;
    this.route = route;
    this.requestUpdate();
    if (!route) {
      if (me() && isStart()) navigate(firstPath());
      return;
    }
    if (!isAllowed(route.view)) return;
    try {
      await route.view.load();
    } catch (error) {
      this.error = error;
      return;
    }
    if (this.route !== route) return;
    const element = document.createElement(route.view.tag) as ViewElement;
    this.view = Object.assign(element, { params: route.params, query: route.query });
    await this.updateComplete;
    await element.updateComplete;
    if (moved) this.querySelector<HTMLElement>('main')?.focus();
  }

  /** Returns true when the view has typed values that are not saved. */
  #isEdited(): boolean {
    const elements = this.view ? [this.view, ...this.view.querySelectorAll('*')] : [];
    return elements.some((element) => element instanceof ConsoleElement && element.isEdited);
  }

  /** Asks the user before typed values are lost. */
  readonly #mayLeave = (): boolean => !this.#isEdited() || confirm(t('leaveEdited'));

  readonly #signOut = (): void => {
    if (this.#mayLeave()) signOut();
  };

  /** Opens the view after a sign-in. When a session expires, an edited form stays, hidden, until the next sign-in. */
  readonly #followSession = (): void => {
    const { view, route } = this;
    const isKept = hasExpired() && this.#isEdited();
    const isAgain = me() !== undefined && view?.hidden === true && route !== undefined && isAllowed(route.view);
    // After a sign-in, the focus moves to the view, because the form leaves the page.
    if (!view || !(isKept || isAgain)) return void this.#open(this.querySelector('ats-sign-in') !== null);
    view.hidden = !isAgain;
    if (isAgain) resumeDialogs(view);
    // An open modal dialog would block the sign-in.
    else suspendDialogs(view);
    // Renders the elements again, so that they use the client of the new session.
    if (isAgain)
      for (const element of [view, ...view.querySelectorAll('*')])
        if (element instanceof ConsoleElement) element.requestUpdate();
    this.requestUpdate();
  };

  readonly #closeMenu = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !this.isMenuOpen) return;
    this.isMenuOpen = false;
    this.querySelector<HTMLElement>('.menu-button')?.focus();
  };

  /** Repeats the failed requests of the page, because the browser is online again. */
  readonly #tryAgain = (): void => {
    for (const button of this.querySelectorAll<HTMLElement>('main .problem > button')) button.click();
  };

  readonly #skip = (event: Event): void => {
    event.preventDefault();
    this.querySelector<HTMLElement>('main')?.focus();
  };
}

const valueOf = (event: Event): string => (event.target as HTMLSelectElement).value;

// The following helpers must be functions. The page already contains the element, so it starts as soon as its class is
// defined. At this time, constants below the class have no value yet.
function isStart(): boolean {
  return href('').startsWith(location.pathname);
}

/** Returns the first view that the credential may see. */
function firstPath(): string {
  const views = AREAS.flatMap(({ views: all }) => all);
  return views.find((view) => view.isInNavigation && isAllowed(view))?.path ?? 'none';
}
