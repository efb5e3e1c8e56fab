import { textsByName } from '../app/i18n.js';

/** The texts of the conditions of a form. */
export const t = textsByName({
  conditions: { en: 'Conditions', de: 'Bedingungen', fr: 'Conditions', es: 'Condiciones', ar: 'الشروط' },
  noConditions: {
    en: 'Every question is always shown. With a condition, a question is shown only for objects that meet it.',
    de: 'Jede Frage wird immer gezeigt. Eine Bedingung zeigt eine Frage nur bei den Objekten, die sie erfüllen.',
    fr: 'Chaque question est toujours affichée. Une condition n’affiche une question que pour les objets qui la remplissent.',
    es: 'Todas las preguntas se muestran siempre. Una condición muestra una pregunta solo para los objetos que la cumplen.',
    ar: 'كل سؤال يظهر دائمًا. الشرط يُظهر السؤال فقط للكائنات التي تستوفيه.',
  },
  conditionOf: {
    en: 'Condition of “{question}”',
    de: 'Bedingung von „{question}“',
    fr: 'Condition de « {question} »',
    es: 'Condición de «{question}»',
    ar: 'شرط «{question}»',
  },
  conditionHelp: {
    en: 'Enter a condition such as {example}. While you type, the preview below shows the objects that meet it.',
    de: 'Eine Bedingung wie {example}. Die Vorschau darunter zeigt beim Tippen, welche Objekte sie erfüllen.',
    fr: 'Une condition comme {example}. L’aperçu ci-dessous montre, pendant la saisie, quels objets la remplissent.',
    es: 'Una condición como {example}. La vista previa de abajo muestra, mientras escribe, qué objetos la cumplen.',
    ar: 'شرط مثل {example}. تعرض المعاينة أدناه أثناء الكتابة الكائنات التي تستوفيه.',
  },
  question: {
    en: 'Question without a condition',
    de: 'Frage ohne Bedingung',
    fr: 'Question sans condition',
    es: 'Pregunta sin condición',
    ar: 'سؤال بلا شرط',
  },
  addCondition: {
    en: 'Add a condition',
    de: 'Bedingung hinzufügen',
    fr: 'Ajouter une condition',
    es: 'Añadir una condición',
    ar: 'إضافة شرط',
  },
  remove: { en: 'Remove', de: 'Entfernen', fr: 'Retirer', es: 'Quitar', ar: 'إزالة' },
  save: { en: 'Save', de: 'Speichern', fr: 'Enregistrer', es: 'Guardar', ar: 'حفظ' },
  previewHelp: {
    en: 'The form as the person who fills it in sees it. Conditions follow your answers here; nothing is saved.',
    de: 'Das Formular, wie es beim Ausfüllen erscheint. Bedingungen folgen Ihren Antworten hier; nichts wird gespeichert.',
    fr: 'Le formulaire tel que le voit la personne qui le remplit. Les conditions suivent vos réponses ici ; rien n’est enregistré.',
    es: 'El formulario tal como lo ve quien lo rellena. Las condiciones siguen sus respuestas aquí; no se guarda nada.',
    ar: 'النموذج كما يراه من يملؤه. تتبع الشروط إجاباتك هنا، ولا يُحفظ شيء.',
  },
  previewFor: {
    en: 'With the values of',
    de: 'Mit den Werten von',
    fr: 'Avec les valeurs de',
    es: 'Con los valores de',
    ar: 'بقيم',
  },
  noObject: {
    en: 'no object',
    de: 'keinem Objekt',
    fr: 'aucun objet',
    es: 'ningún objeto',
    ar: 'لا كائن',
  },
  shownOf: {
    en: 'Questions shown: {count} of {all}',
    de: 'Gezeigte Fragen: {count} von {all}',
    fr: 'Questions affichées : {count} sur {all}',
    es: 'Preguntas mostradas: {count} de {all}',
    ar: 'الأسئلة الظاهرة: {count} من {all}',
  },
});
