import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Control, useForm } from 'react-hook-form'
import { type Alert, AlertEdit, alerts, NewAlerts, REPEAT_FROM, REPEAT_UNITS } from '#contract/alerts/alerts.ts'
import { ALERT_FIELDS } from '#contract/alerts/fields.ts'
import { inForm } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useWorkshop } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { choicesOf } from '../ui/choices.ts'
import { DayField } from '../ui/date-field.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { NumberField, TextAreaField, TextField, WordField } from '../ui/field.tsx'
import { type AlertTyped, CategoriesField, EmailsField, Switched, UnitsField, useToggle } from './alert-fields.tsx'
import { AlertSummary } from './alert-summary.tsx'
import styles from './alerts.module.css'
import { alertQuery, alertsKey } from './queries.ts'
import { useAlertActions } from './use-alert-actions.tsx'

const UNITS = choicesOf(REPEAT_UNITS)
const FROM = choicesOf(REPEAT_FROM)

const startOf = (alert: Alert | undefined, trucks: number[], units: number[]): AlertTyped => ({
  name: alert?.name ?? '',
  category_maintenance_alert_id: alert?.category_maintenance_alert_id ?? [],
  description: alert?.description ?? '',
  selectedTrucks: alert?.selectedTrucks ?? trucks,
  selectedCoupled: alert?.selectedCoupled ?? units,
  expirationSettings: alert?.expirationSettings ?? {
    dateSelected: true,
    date: null,
    kilometersSelected: false,
    kilometers: null,
  },
  alertSettings: alert?.alertSettings ?? {
    daysSelected: false,
    days: null,
    kilometersSelected: false,
    kilometers_advance: null,
  },
  repeatSettings: alert?.repeatSettings ?? {
    dateSelected: false,
    every: null,
    unit: 'days',
    kilometersSelected: false,
    kilometers: null,
    from: 'done',
  },
  emails_to_notifications: { selected: alert?.emails_to_notifications.selected ?? [] },
})

/** What belongs to a plan that is off is off too. */
const consistent = (typed: AlertTyped): AlertTyped => {
  const { dateSelected, kilometersSelected } = typed.expirationSettings
  return {
    ...typed,
    alertSettings: {
      ...typed.alertSettings,
      daysSelected: typed.alertSettings.daysSelected && dateSelected,
      kilometersSelected: typed.alertSettings.kilometersSelected && kilometersSelected,
    },
  }
}

interface AlertDrawerProps {
  /** Left out: new ones are created. */
  alert?: Alert
  trucks?: number[]
  units?: number[]
  onClose: () => void
}

const field = inForm(ALERT_FIELDS)

export default function AlertDrawer({ alert, trucks = [], units = [], onClose }: AlertDrawerProps) {
  const client = useQueryClient()
  const workshop = useWorkshop()
  const form = useForm<AlertTyped, unknown, NewAlerts>({
    resolver: formResolver<AlertTyped, NewAlerts>(alert ? AlertEdit : NewAlerts, consistent),
    defaultValues: startOf(alert, trucks, units),
  })
  const { control } = form
  const { execute, remove, dialog } = useAlertActions(onClose)

  const { submit, isPending } = useSubmit({
    form,
    save: async (body, idempotencyKey) => {
      if (!alert) return call(alerts.createAlerts, { body, idempotencyKey })
      const after = await call(alerts.updateAlert, {
        params: { id: alert.id },
        body: { ...body, updated_at: alert.updated_at },
      })
      client.setQueryData(alertQuery(alert.id).queryKey, after)
      return after
    },
    refresh: [alertsKey],
    done: alert ? 'Alerta actualizada correctamente ✅' : 'Alerta creada correctamente ✅',
    failed: alert ? 'Error al actualizar alerta ⛔️' : 'Error al crear alerta ⛔️',
    onDone: onClose,
  })
  const planWrong = form.formState.errors.expirationSettings?.kilometers?.message

  return (
    <>
      <Drawer
        opened
        onClose={onClose}
        title={alert ? 'Editar alerta' : 'Nueva alerta'}
        dirty={form.formState.isDirty}
        onSubmit={submit}
        footer={(close) => (
          <>
            {alert && (
              <Button variant="subtle" color="red" className={styles.side} onClick={() => void remove([alert])}>
                Eliminar
              </Button>
            )}
            {alert ? (
              <Button variant="default" onClick={() => execute([alert])}>
                Ejecutada
              </Button>
            ) : (
              <Button variant="subtle" onClick={close}>
                Cancelar
              </Button>
            )}
            <Button type="submit" loading={isPending} disabled={alert !== undefined && !form.formState.isDirty}>
              {alert ? 'Actualizar alerta' : 'Crear alertas'}
            </Button>
          </>
        )}
      >
        {alert && <AlertSummary alert={alert} order />}
        <TextField control={control} {...field('name')} required autoFocus={!alert} maxLength={120} />
        <CategoriesField control={control} />
        <TextAreaField control={control} {...field('description')} />
        <UnitsField control={control} workshop={alert ? undefined : workshop.id} disabled={alert !== undefined} />

        <Plan control={control} problem={planWrong} />
        <Reminder control={control} />
        <Repetition control={control} />
        <EmailsField control={control} />
      </Drawer>
      {dialog}
    </>
  )
}

interface PartProps {
  control: Control<AlertTyped, unknown, NewAlerts>
}

function Plan({ control, problem }: PartProps & { problem: string | undefined }) {
  const hasKilometers = useToggle(control, 'expirationSettings.kilometersSelected')
  return (
    <fieldset className={styles.group}>
      <legend>Plan</legend>
      <Switched control={control} name="expirationSettings.dateSelected" label="Fecha de mantención">
        <DayField control={control} name="expirationSettings.date" label="Fecha" required />
      </Switched>
      <Switched control={control} name="expirationSettings.kilometersSelected" label="Kilometraje de mantención">
        <NumberField
          control={control}
          name="expirationSettings.kilometers"
          label="Kilómetros"
          digits={10}
          suffix="km"
          required
        />
      </Switched>
      {!hasKilometers && problem && (
        <p className={styles.warning} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

function Reminder({ control }: PartProps) {
  const hasDate = useToggle(control, 'expirationSettings.dateSelected')
  const hasKilometers = useToggle(control, 'expirationSettings.kilometersSelected')
  return (
    <fieldset className={styles.group}>
      <legend>Recordatorio</legend>
      <Switched control={control} name="alertSettings.daysSelected" label="Días de anticipación" disabled={!hasDate}>
        <NumberField control={control} name="alertSettings.days" label="Días antes" digits={3} suffix="días" required />
      </Switched>
      <Switched
        control={control}
        name="alertSettings.kilometersSelected"
        label="Kilómetros de anticipación"
        disabled={!hasKilometers}
      >
        <NumberField
          control={control}
          name="alertSettings.kilometers_advance"
          label="Kilómetros antes"
          digits={10}
          suffix="km"
          required
        />
      </Switched>
      <p className={styles.about}>Sin recordatorio se avisa al llegar la fecha o el kilometraje.</p>
    </fieldset>
  )
}

function Repetition({ control }: PartProps) {
  const byDate = useToggle(control, 'repeatSettings.dateSelected')
  const byKilometers = useToggle(control, 'repeatSettings.kilometersSelected')
  return (
    <fieldset className={styles.group}>
      <legend>Repetición</legend>
      <Switched control={control} name="repeatSettings.dateSelected" label="Repetir por tiempo">
        <div className={styles.every}>
          <NumberField control={control} name="repeatSettings.every" label="Cada" digits={4} required />
          <WordField control={control} name="repeatSettings.unit" label="Unidad" choices={UNITS} />
        </div>
      </Switched>
      <Switched control={control} name="repeatSettings.kilometersSelected" label="Repetir por kilómetros">
        <NumberField control={control} name="repeatSettings.kilometers" label="Cada" digits={10} suffix="km" required />
      </Switched>
      {(byDate || byKilometers) && (
        <WordField control={control} name="repeatSettings.from" label="Se cuenta" choices={FROM} />
      )}
      <p className={styles.about}>Al ejecutar esta alerta se crea la siguiente.</p>
    </fieldset>
  )
}
