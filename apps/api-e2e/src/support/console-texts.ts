/** Maps a language to the names of the buttons and headings that the main journey through the console uses. */
export const TEXTS = {
  en: {
    create: 'Create the topic',
    next: 'Continue',
    subscribe: 'Subscribe',
    redeliver: 'Redeliver',
    explain: 'Explain',
    why: 'Why this message was sent',
    matches: 'Matches',
  },
  ar: {
    create: 'إنشاء موضوع الإشعارات',
    next: 'متابعة',
    subscribe: 'اشتراك',
    redeliver: 'إعادة التسليم',
    explain: 'شرح',
    why: 'لماذا أُرسلت هذه الرسالة',
    matches: 'يطابق',
  },
} as const;
