import { startVariant } from '../audit/start-variant.mjs';

/** Runs the API with all events, started like its rival. */
await startVariant({});
