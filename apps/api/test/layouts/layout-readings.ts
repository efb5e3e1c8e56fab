import { type Item } from '../support/answer.js';

export interface Column {
  readonly position: number;
  readonly title: string;
  readonly datapath: string;
  readonly type: string;
  readonly is_many: boolean;
}

export type LayoutData = readonly { readonly value: unknown; readonly value_raw?: unknown }[];

export const columnsOf = ({ columns }: Item): readonly Column[] => columns as readonly Column[];
export const dataOf = ({ layout_data }: Item): LayoutData => layout_data as LayoutData;
export const titled = (...datapaths: readonly string[]): readonly object[] =>
  datapaths.map((datapath) => ({ title: 'Title', datapath }));
