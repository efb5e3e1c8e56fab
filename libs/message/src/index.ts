export { Message, message, type MessageValue, patternOf, verbatim } from './lib/message.js';
export { packed, unpacked } from './lib/packed.js';
