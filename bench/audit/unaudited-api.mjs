import { startVariant } from './start-variant.mjs';

/** Runs the API without entries about reads and refusals. */
await startVariant({ isAudited: false });
