// Commands import this file dynamically, because only their error messages need this function and its package.
export { findSimilar } from '@ats/datapath';
