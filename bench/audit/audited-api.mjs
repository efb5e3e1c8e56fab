import { startVariant } from './start-variant.mjs';

/**
 * Runs the API with the audit log. This API is started like the API without the audit log, so that both are comparable.
 */
await startVariant({ isAudited: true });
