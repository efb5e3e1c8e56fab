import { startVariant } from './start-variant.mjs';

/** Runs the API with the audit log, started like its rival. */
await startVariant({ isAudited: true });
