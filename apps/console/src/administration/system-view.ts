import { customElement } from 'lit/decorators.js';
import { ItemView } from '../data/item-view.js';

/** The settings of the system, of which there is exactly one. */
@customElement('ats-system-view')
export class SystemView extends ItemView {
  protected override get place(): { readonly collection: string; readonly id: string } {
    return { collection: 'systems', id: '1' };
  }
}
