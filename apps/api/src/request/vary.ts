/** Value of `Vary`: the request headers that choose the representation and its content coding. */
export const VARY = 'Api-Version, Accept-Language, Accept-Encoding';
