// Only errors need this function, so they load the package by a dynamic import of this file.
export { findSimilar } from '@ats/datapath';
