import { textsByName } from '../app/i18n.js';

const TEXTS = {
  'type.email': { en: 'E-mail', de: 'E-Mail', fr: 'E-mail', es: 'Correo electrónico', ar: 'بريد إلكتروني' },
  'type.sms': { en: 'SMS', de: 'SMS', fr: 'SMS', es: 'SMS', ar: 'رسالة قصيرة' },
  'type.note': { en: 'Note', de: 'Notiz', fr: 'Note', es: 'Nota', ar: 'ملاحظة' },
  'direction.outbound': { en: 'outgoing', de: 'ausgehend', fr: 'sortant', es: 'saliente', ar: 'صادرة' },
  'direction.inbound': { en: 'incoming', de: 'eingehend', fr: 'entrant', es: 'entrante', ar: 'واردة' },
  'status.queued': { en: 'Queued', de: 'Eingereiht', fr: 'En file', es: 'En cola', ar: 'في قائمة الانتظار' },
  'status.sent': { en: 'Sent', de: 'Gesendet', fr: 'Envoyé', es: 'Enviado', ar: 'أُرسلت' },
  'status.failed': { en: 'Failed', de: 'Fehlgeschlagen', fr: 'Échec', es: 'Fallido', ar: 'فشلت' },
} as const;

const t = textsByName(TEXTS);

/** Returns the text of a value of a message, such as its type `note`. A value without a text is its own text. */
export function named(property: 'type' | 'direction' | 'status', value: string): string {
  const key = `${property}.${value}`;
  return Object.hasOwn(TEXTS, key) ? t(key as keyof typeof TEXTS) : value;
}
