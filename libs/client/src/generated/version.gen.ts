/** The minor version of the API that this code was generated from. */
export const API_VERSION = '1.7';
