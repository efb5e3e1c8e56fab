import { customElement } from 'lit/decorators.js';
import { ItemView } from '../data/item-view.js';

/** Shows the settings of the system. There is exactly one system. */
@customElement('ats-system-view')
export class SystemView extends ItemView {
  protected override get place(): { readonly collection: string; readonly id: string } {
    return { collection: 'systems', id: '1' };
  }
}
