import { type NotificationDeliveries } from '@ats/client';
import { type Language } from './languages.js';

type Attempt = NotificationDeliveries['attempts'][number];
/** The causes of failures, except `status`, whose text is the status code. A cause without a text is a type error. */
type Cause = Exclude<Attempt['error'], 'status' | null>;

const CAUSES: Readonly<Record<Language, Readonly<Record<Cause, string>>>> = {
  en: {
    rejected: 'Rejected',
    redirect: 'Redirected',
    blocked: 'Address blocked',
    name_not_found: 'Name not found',
    connect_timeout: 'Connection timed out',
    connection_refused: 'Connection refused',
    unreachable: 'Unreachable',
    connection_lost: 'Connection lost',
    tls: 'TLS failed',
    timeout: 'No answer in time',
    bad_response: 'Bad response',
    token_refused: 'Token refused',
    token_unavailable: 'Token unavailable',
    resolver_unavailable: 'Resolver unavailable',
    interrupted: 'Interrupted',
    failed: 'Failed',
  },
  de: {
    rejected: 'Abgewiesen',
    redirect: 'Umgeleitet',
    blocked: 'Adresse gesperrt',
    name_not_found: 'Name nicht gefunden',
    connect_timeout: 'Zeitüberschreitung beim Verbinden',
    connection_refused: 'Verbindung abgelehnt',
    unreachable: 'Nicht erreichbar',
    connection_lost: 'Verbindung verloren',
    tls: 'TLS fehlgeschlagen',
    timeout: 'Keine rechtzeitige Antwort',
    bad_response: 'Fehlerhafte Antwort',
    token_refused: 'Token abgewiesen',
    token_unavailable: 'Token nicht verfügbar',
    resolver_unavailable: 'Namensdienst nicht verfügbar',
    interrupted: 'Unterbrochen',
    failed: 'Fehlgeschlagen',
  },
  fr: {
    rejected: 'Rejeté',
    redirect: 'Redirigé',
    blocked: 'Adresse bloquée',
    name_not_found: 'Nom introuvable',
    connect_timeout: 'Délai de connexion dépassé',
    connection_refused: 'Connexion refusée',
    unreachable: 'Injoignable',
    connection_lost: 'Connexion perdue',
    tls: 'Échec de TLS',
    timeout: 'Pas de réponse à temps',
    bad_response: 'Réponse incorrecte',
    token_refused: 'Jeton refusé',
    token_unavailable: 'Jeton indisponible',
    resolver_unavailable: 'Résolution de noms indisponible',
    interrupted: 'Interrompu',
    failed: 'Échoué',
  },
  es: {
    rejected: 'Rechazado',
    redirect: 'Redirigido',
    blocked: 'Dirección bloqueada',
    name_not_found: 'Nombre no encontrado',
    connect_timeout: 'Tiempo de conexión agotado',
    connection_refused: 'Conexión rechazada',
    unreachable: 'Inaccesible',
    connection_lost: 'Conexión perdida',
    tls: 'Fallo de TLS',
    timeout: 'Sin respuesta a tiempo',
    bad_response: 'Respuesta incorrecta',
    token_refused: 'Token rechazado',
    token_unavailable: 'Token no disponible',
    resolver_unavailable: 'Resolución de nombres no disponible',
    interrupted: 'Interrumpido',
    failed: 'Fallido',
  },
  ar: {
    rejected: 'مرفوض',
    redirect: 'أُعيد التوجيه',
    blocked: 'عنوان محظور',
    name_not_found: 'الاسم غير موجود',
    connect_timeout: 'انتهت مهلة الاتصال',
    connection_refused: 'رُفض الاتصال',
    unreachable: 'يتعذر الوصول إليه',
    connection_lost: 'انقطع الاتصال',
    tls: 'فشل TLS',
    timeout: 'لا رد في الوقت المحدد',
    bad_response: 'رد غير صحيح',
    token_refused: 'رُفض الرمز',
    token_unavailable: 'الرمز غير متاح',
    resolver_unavailable: 'خدمة الأسماء غير متاحة',
    interrupted: 'انقطعت المحاولة',
    failed: 'فشل',
  },
};

/** Returns the result of an attempt, such as `204` or `No answer in time`. A cause of a newer service is shown as it is. */
export function resultText(language: Language, { status_code: status, error }: Attempt): string {
  const code = status === null ? '' : String(status);
  if (error === null || error === 'status') return code;
  const cause: string | undefined = CAUSES[language][error];
  return [code, cause ?? error].filter((part) => part !== '').join(' ');
}
