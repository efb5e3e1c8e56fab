import { Message, type MessageValue } from './message.js';

/** The first character of every packed message. No text for people begins with this character. */
const MARK = '\u0001';

/** Encodes a message as a string, for code that passes only strings, such as the errors of a schema. */
export const packed = (message: Message): string => `${MARK}${JSON.stringify(toData(message))}`;

/** Decodes a packed message. Returns undefined for any other text. */
export const unpacked = (text: string): Message | undefined =>
  text.startsWith(MARK) ? toMessage(JSON.parse(text.slice(MARK.length)) as PackedMessage) : undefined;

interface PackedMessage {
  readonly pattern: string;
  readonly values: readonly PackedValue[];
}
type PackedValue = string | number | PackedMessage | readonly PackedValue[];

const toData = ({ pattern, values }: Message): PackedMessage => ({ pattern, values: values.map(toValueData) });

function toValueData(value: MessageValue): PackedValue {
  if (typeof value !== 'object') return value;
  return value instanceof Message ? toData(value) : value.map(toValueData);
}

const toMessage = ({ pattern, values }: PackedMessage): Message => new Message(pattern, values.map(toValue));

function toValue(value: PackedValue): MessageValue {
  if (typeof value !== 'object') return value;
  return 'pattern' in value ? toMessage(value) : value.map(toValue);
}
