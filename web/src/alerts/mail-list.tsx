import { Button, Skeleton } from '@mantine/core'
import { IconArrowLeft, IconInfoCircle, IconMail } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ALERT_EVENTS, alertMails, type Mail } from '#contract/alerts/mails.ts'
import { showMoment } from '#contract/base/dates.ts'
import { MAIL_STATES } from '#contract/base/mails.ts'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { Drawer } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import styles from './alerts.module.css'
import { alertsKey, mailQuery } from './queries.ts'

const MailPill = ({ state }: Pick<Mail, 'state'>) => (
  <StatusPill tone={MAIL_STATES[state].tone}>{MAIL_STATES[state].label}</StatusPill>
)

const columnsIn = (zone: string): Column<Mail>[] => [
  {
    key: 'subject',
    label: 'Asunto',
    sort: true,
    width: 320,
    rank: 1,
    fixed: true,
    cell: (mail) => mail.subject,
    file: (mail) => mail.subject,
  },
  {
    key: 'to',
    label: 'Para',
    sort: true,
    plain: true,
    width: 220,
    rank: 2,
    cell: (mail) => mail.to,
    file: (mail) => mail.to,
  },
  {
    key: 'state',
    label: 'Estado',
    sort: true,
    plain: true,
    width: 160,
    rank: 3,
    cell: (mail) => <MailPill state={mail.state} />,
    file: (mail) => MAIL_STATES[mail.state].label,
  },
  {
    key: 'attempts',
    label: 'Intentos',
    sort: true,
    align: 'end',
    width: 96,
    rank: 6,
    cell: (mail) => <span className="figures">{mail.attempts}</span>,
    file: (mail) => mail.attempts,
  },
  {
    key: 'created_at',
    label: 'Creado',
    sort: true,
    width: 150,
    rank: 4,
    cell: (mail) => <span className="figures">{showMoment(mail.created_at, zone)}</span>,
    file: (mail) => showMoment(mail.created_at, zone),
  },
  {
    key: 'sent_at',
    label: 'Enviado',
    sort: true,
    width: 150,
    rank: 5,
    cell: (mail) => mail.sent_at && <span className="figures">{showMoment(mail.sent_at, zone)}</span>,
    file: (mail) => (mail.sent_at ? showMoment(mail.sent_at, zone) : null),
  },
]

const states = choicesOf(MAIL_STATES)
const filters: ListFilter[] = [{ key: 'State', label: 'Estado', useChoices: () => states }]

/** The mails that were sent, and those still waiting. */
export default function MailList() {
  const zone = useZone()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { mail?: unknown }
  const opened = Number(search.mail)
  const canSend = useQuery({
    queryKey: [...alertsKey, 'can-send'],
    queryFn: async ({ signal }) => (await call(alertMails.listMails, { query: { per_page: 1 }, signal })).can_send,
  }).data
  const open = (id: number | undefined) =>
    navigate({ to: '.', search: (now) => ({ ...now, mail: id }), replace: id === undefined })
  return (
    <>
      <ListScreen
        name="alert-mails"
        title="Correos de alertas"
        noun={{ one: 'correo', many: 'correos', none: 'Ningún' }}
        icon={IconMail}
        about="Cada aviso que sale por correo queda aquí, con sus intentos de envío."
        endpoint={alertMails.listMails}
        queryKey={alertsKey}
        columns={useMemo(() => columnsIn(zone), [zone])}
        filters={filters}
        searchLabel="Correo o asunto"
        open={(mail) => void open(mail.id)}
        actions={
          <ButtonLink to="/maintenance-alerts" variant="default" leftSection={<IconArrowLeft size={16} stroke={1.7} />}>
            Alertas
          </ButtonLink>
        }
        notice={
          canSend === false && (
            <p className={styles.notice}>
              <IconInfoCircle size={16} stroke={1.7} aria-hidden />
              No hay un servidor de correo configurado (SMTP_URL): los avisos quedan aquí, en espera.
            </p>
          )
        }
      />
      {opened > 0 && (
        <MailDrawer key={opened} id={opened} canSend={canSend ?? false} onClose={() => void open(undefined)} />
      )}
    </>
  )
}

const OUTCOMES = { sent: 'Enviado', failed: 'No se pudo', uncertain: 'Sin confirmar' }

function MailDrawer({ id, canSend, onClose }: { id: number; canSend: boolean; onClose: () => void }) {
  const zone = useZone()
  const client = useQueryClient()
  const mail = useQuery(mailQuery(id))
  const [isPending, setPending] = useState(false)
  const resend = async () => {
    setPending(true)
    try {
      await call(alertMails.resendMail, { params: { id } })
      say('Correo puesto en la cola ✅')
    } catch (error) {
      say('Error al enviar el correo ⛔️', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: alertsKey })
    }
  }
  const shown = mail.data
  return (
    <Drawer
      opened
      onClose={onClose}
      width={500}
      title={shown?.subject ?? 'Correo'}
      footer={
        <>
          {canSend && shown && MAIL_STATES[shown.state].again && (
            <Button variant="default" loading={isPending} onClick={() => void resend()}>
              {MAIL_STATES[shown.state].again}
            </Button>
          )}
          <Button variant="subtle" onClick={onClose}>
            Cerrar
          </Button>
        </>
      }
    >
      {mail.isError && !shown ? (
        <ErrorState error={mail.error} onRetry={() => void mail.refetch()} />
      ) : !shown ? (
        <Skeleton h={300} />
      ) : (
        <>
          <section className={styles.summary} aria-label="Envío">
            <div className={styles.summaryHead}>
              <span>{shown.to}</span>
              <MailPill state={shown.state} />
            </div>
            <p className={styles.summaryText}>
              Creado el {showMoment(shown.created_at, zone)}
              {MAIL_STATES[shown.state].waiting && shown.next_attempt_at && shown.attempts > 0
                ? `; se intenta otra vez el ${showMoment(shown.next_attempt_at, zone)}`
                : ''}
              .
            </p>
            {MAIL_STATES[shown.state].uncertain && (
              <p className={styles.warning}>
                El servidor pudo haberlo recibido: no se repite solo, para no avisar dos veces.
              </p>
            )}
          </section>
          <div>
            <h3 className={styles.heading}>Contenido</h3>
            {shown.html === null ? (
              <p className={styles.summaryText}>También habla de otros talleres, por eso no se muestra entero.</p>
            ) : (
              <iframe className={styles.mailBox} title="Contenido del correo" sandbox="" srcDoc={shown.html} />
            )}
          </div>
          <div>
            <h3 className={styles.heading}>Intentos</h3>
            {shown.tries.length === 0 ? (
              <p className={styles.summaryText}>Todavía no se ha intentado.</p>
            ) : (
              <ul className={styles.tries}>
                {shown.tries.map((one) => (
                  <li key={one.at}>
                    {showMoment(one.at, zone)} · {one.outcome ? OUTCOMES[one.outcome] : 'En curso'}
                    {one.answer && <small>{one.answer}</small>}
                  </li>
                ))}
              </ul>
            )}
          </div>
          <div>
            <h3 className={styles.heading}>Alertas</h3>
            <ul className={styles.told}>
              {shown.lines.map((line) => (
                <li key={line.alert_id}>
                  {line.exists ? (
                    <Link to="/maintenance-alerts" search={{ alert: line.alert_id }}>
                      {line.title}
                    </Link>
                  ) : (
                    line.title
                  )}
                  <small>{ALERT_EVENTS[line.event].label}</small>
                </li>
              ))}
            </ul>
          </div>
        </>
      )}
    </Drawer>
  )
}
