/** The names of the buttons and parts of the console that its main journey uses, by language. */
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
