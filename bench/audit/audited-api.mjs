import { startVariant } from './start-variant.mjs';

/** Runs the API with the audit log. It is started like the API without it, so that both are comparable. */
await startVariant({ isAudited: true });
