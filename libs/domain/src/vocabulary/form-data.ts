import { type CollectionKey, type Datapath, type IndexedCollection, type KeyPart } from '@ats/datapath';
import { message } from '@ats/message';

/** The name that stands before a form item in a datapath. */
export const FORM_DATA = 'formdata';

const MAX_INSTANCE = 2_147_483_647;
const FIRST_INSTANCE = '1';
const COUNT = /^[1-9]\d*$/;

const instancePart = (name: string): KeyPart => ({
  name,
  absent: FIRST_INSTANCE,
  check: (text) =>
    COUNT.test(text) && Number(text) <= MAX_INSTANCE
      ? undefined
      : { message: message`a section or form instance is a whole number that counts from 1`, expected: ['number'] },
});

/** Describes how datapaths name the form values of an object: `formdata.<item>[:<section>[:<form>]]`. */
const formData: IndexedCollection = {
  name: FORM_DATA,
  key: [{ name: 'item' }, instancePart('section'), instancePart('form')],
  keyName: 'form item',
  texts: {
    missingKey: (found) => message`expected the id of a form item but found ${found}`,
    afterKey: (found) =>
      message`expected the end of the datapath after the form item and its instances but found ${found}`,
    noCollection: (objectType) => message`${objectType} has no form data`,
    unknownKey: (objectType, item) => message`${objectType} has no form item "${item}"`,
    digitHint: message`write a form item as ${'"formdata.<item>"'}`,
  },
};

/**
 * The syntax of this service's datapaths: that of `@ats/datapath`, with form values.
 * Source: docs/reference/datapaths.md, "Form data".
 */
export const DATAPATH_SYNTAX = { collections: [formData] } as const;

/** The place of a form value. Section and form instances count from 1. */
export interface FormDataIndex {
  /** The id of the form item, or its key in a condition of the same form. */
  readonly item: string;
  readonly section: number;
  readonly form: number;
}

/** Returns the indexes of a form value. When the datapath leaves out an instance, the first instance is meant. */
export const formDataIndex = ({
  parts: [item = '', section = FIRST_INSTANCE, form = FIRST_INSTANCE],
}: CollectionKey): FormDataIndex => ({ item, section: Number(section), form: Number(form) });

/** Returns the indexes of the form value at the end of a datapath, or undefined when no form value is there. */
export const formDataOf = ({ key }: Datapath): FormDataIndex | undefined => key && formDataIndex(key);
