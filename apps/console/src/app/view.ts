import { LitElement, type ReactiveController, type ReactiveControllerHost } from 'lit';
import { languageChanges } from './i18n.js';

/** Renders an element again when the language changes. */
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

/** The base class of all elements. They render into the page, so that one style sheet and all labels reach them. */
export class ConsoleElement extends LitElement {
  constructor() {
    super();
    new FollowLanguage(this);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** The base class of views. The router sets both properties before the view is connected. */
export class ViewElement extends ConsoleElement {
  /** The values of the parts of the path, by name. */
  params: Readonly<Record<string, string>> = {};
  /** The query of the address. Use {@link setQuery} of the router to change it. */
  query = new URLSearchParams();
}

/** A view of the console: its address below `/console/`, and how it is loaded. Adding a view touches one list only. */
export interface View {
  /** Such as `webhooks/endpoints/:id`, without a slash at its beginning. */
  readonly path: string;
  /** The text of the navigation and of the window. It is called again when the language changes. */
  readonly title: () => string;
  /** The view is shown only to credentials with all of these scopes. */
  readonly scopes: readonly string[];
  /** True for views with a link in the navigation. */
  readonly isInNavigation?: boolean;
  /** The name of the custom element, which extends {@link ViewElement}. */
  readonly tag: string;
  /** Imports the module that defines the element. */
  readonly load: () => Promise<unknown>;
}

/** A part of the navigation. */
export interface Area {
  readonly title: () => string;
  readonly views: readonly View[];
}
