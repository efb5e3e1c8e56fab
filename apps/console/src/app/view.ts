import { LitElement, type ReactiveController, type ReactiveControllerHost } from 'lit';
import { type Language, language, languageChanges } from './i18n.js';

/** Renders an element again whenever the language changes. */
export class FollowLanguage implements ReactiveController {
  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  readonly #render = (): void => this.host.requestUpdate();

  hostConnected(): void {
    languageChanges.addEventListener('change', this.#render);
  }

  hostDisconnected(): void {
    languageChanges.removeEventListener('change', this.#render);
  }
}

/**
 * The base class of all elements. Elements render into the page itself and not into a shadow root, so that one style
 * sheet applies to all of them, and labels can refer to their fields.
 */
export class ConsoleElement extends LitElement {
  constructor() {
    super();
    new FollowLanguage(this);
  }

  /** The language of the console. */
  get language(): Language {
    return language();
  }

  /** True while the element has typed values that are not saved. The user is then asked before the view is left. */
  get isEdited(): boolean {
    return false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** The base class of all views. The router sets `params` and `query` before it adds the view to the page. */
export class ViewElement extends ConsoleElement {
  /** Maps the names of the parameters in the path to their values. */
  params: Readonly<Record<string, string>> = {};
  /** The query of the address. Change it with {@link setQuery} of the router. */
  query = new URLSearchParams();
  #windowTitle = '';

  /** The title of the window. When it is empty, the window has the title of the {@link View}. */
  get windowTitle(): string {
    return this.#windowTitle;
  }

  /** Names the loaded data in the title of the window. Titles stay in the history, so they never name people. */
  protected setWindowTitle(title: string): void {
    if (title === this.#windowTitle) return;
    this.#windowTitle = title;
    this.dispatchEvent(new Event('title-change', { bubbles: true }));
  }
}

/**
 * A view of the console: its path below `/console/` and how it is loaded. A new view needs only a new entry in one
 * list.
 */
export interface View {
  /** The path without a slash at its beginning, such as `webhooks/endpoints/:id`. */
  readonly path: string;
  /** Returns the name of the view for the navigation and the window. It is called again when the language changes. */
  readonly title: () => string;
  /** The scopes that a credential needs to see the view. */
  readonly scopes: readonly string[];
  /** True for a view that has a link in the navigation. */
  readonly isInNavigation?: boolean;
  /** The name of the custom element. Its class extends {@link ViewElement}. */
  readonly tag: string;
  /** Imports the module that defines the element. */
  readonly load: () => Promise<unknown>;
}

/** A group of views in the navigation. */
export interface Area {
  readonly title: () => string;
  readonly views: readonly View[];
}
