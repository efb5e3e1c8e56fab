import { type IndexedCollection, type KeyPart } from '@ats/datapath';
import { message } from '@ats/message';

const MAX_INSTANCE = 2_147_483_647;

const instance = (name: string): KeyPart => ({
  name,
  absent: '1',
  check: (text) =>
    /^[1-9]\d*$/.test(text) && Number(text) <= MAX_INSTANCE
      ? undefined
      : { message: message`a section or form instance is a whole number that counts from 1`, expected: ['number'] },
});

/**
 * Describes the form values in datapaths. The same rule is in `@ats/domain`, which is not published for clients, and
 * the catalogue of datapaths does not contain it.
 * Source: docs/reference/datapaths.md, "Form data".
 */
const formData: IndexedCollection = {
  name: 'formdata',
  key: [{ name: 'item' }, instance('section'), instance('form')],
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

/** The service's extensions of the expression language. */
export const SYNTAX = { collections: [formData] } as const;
