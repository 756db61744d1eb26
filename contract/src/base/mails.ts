/* Mails that the product writes. */

/** `again`: the button with which somebody decides that it leaves again; none where it left or is leaving. */
export const MAIL_STATES = {
  queued: { label: 'En espera', tone: 'info', again: 'Reintentar ahora', waiting: true, uncertain: false },
  sending: { label: 'Enviando', tone: 'info', again: null, waiting: false, uncertain: false },
  sent: { label: 'Enviado', tone: 'success', again: null, waiting: false, uncertain: false },
  failed: { label: 'No se pudo enviar', tone: 'danger', again: 'Reintentar ahora', waiting: false, uncertain: false },
  uncertain: { label: 'Sin confirmar', tone: 'warning', again: 'Enviar de nuevo', waiting: false, uncertain: true },
} as const
export type MailState = keyof typeof MAIL_STATES
export const MAIL_STATE_NAMES = Object.keys(MAIL_STATES) as [MailState, ...MailState[]]
