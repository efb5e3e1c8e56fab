import { type CollectionKey, type Datapath, type IndexedCollection, type KeyPart } from '@ats/datapath';
import { message } from '@ats/message';

/** The name in a datapath after which the id of a form item follows. */
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
 * The syntax of datapaths in this service: the syntax of `@ats/datapath`, with form values.
 * Source: docs/reference/datapaths.md, "Form data".
 */
export const DATAPATH_SYNTAX = { collections: [formData] } as const;

/**
 * Identifies a form value of an object: a form item, a section instance and a form instance. Instances count from 1.
 */
export interface FormDataIndex {
  /** The id of the form item, or its key in a condition of the same form. */
  readonly item: string;
  readonly section: number;
  readonly form: number;
}

/**
 * Reads the item and the instances from the key in a datapath. An instance that the datapath leaves out is the first
 * one.
 */
export const formDataIndex = ({
  parts: [item = '', section = FIRST_INSTANCE, form = FIRST_INSTANCE],
}: CollectionKey): FormDataIndex => ({ item, section: Number(section), form: Number(form) });

/**
 * Returns the item and the instances of the form value at the end of a datapath. Undefined when the datapath does not
 * end at a form value.
 */
export const formDataOf = ({ key }: Datapath): FormDataIndex | undefined => key && formDataIndex(key);
