import { startVariant } from '../audit/start-variant.mjs';

/** Runs the API with all events. This API is started like the API without events, so that both are comparable. */
await startVariant({});
