import { createLogger } from '@ats/logging';

export const silentLogger = createLogger({ app: 'notifier', level: 'silent' });
