/** Token of the app's logger. */
export const LOGGER = Symbol('logger');
