/** The request headers that choose the representation and its content coding, for `Vary`. */
export const VARY = 'Api-Version, Accept-Language, Accept-Encoding';
