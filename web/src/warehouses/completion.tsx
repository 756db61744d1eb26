import { Button } from '@mantine/core'
import { IconFileAlert } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { showDay } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { DOCUMENT_FIELDS } from '#contract/warehouses/fields.ts'
import { Completion, type Transaction } from '#contract/warehouses/transactions.ts'
import { inForm } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useSubmit } from '../platform/submit.ts'
import { providerChoicesQuery } from '../providers/queries.ts'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import styles from './document.module.css'
import { warehouseQuery, warehousesKey } from './queries.ts'
import { sayLacking } from './words.ts'

const field = inForm(DOCUMENT_FIELDS)
// Completing a purchase makes it payable and gives its prices a provider.
const CHANGED = [warehousesKey, ['work-orders'], ['purchasing'], ['supplies'], ['providers']]

/** A purchase on credit that lacks its document or provider says so, and takes them. */
export function CompletionNotice({ entry, mayWrite }: { entry: Transaction; mayWrite: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className={styles.lacking} aria-label="Por completar">
      <IconFileAlert size={20} stroke={1.7} aria-hidden />
      <p>
        <strong>{sayLacking(entry)}</strong> Sin eso no aparece en lo que se debe ni en las compras de su proveedor.
      </p>
      {mayWrite && (
        <Button size="xs" onClick={() => setOpen(true)}>
          Completar
        </Button>
      )}
      {isOpen && <CompletionDrawer entry={entry} onClose={() => setOpen(false)} />}
    </section>
  )
}

interface CompletionTyped {
  document: string
  providerId: number | null
}

function CompletionDrawer({ entry, onClose }: { entry: Transaction; onClose: () => void }) {
  const { document, providerId } = entry.transaction
  const workshop = useQuery(warehouseQuery(entry.warehouse_id)).data?.workshop_id
  const providers = useQuery({ ...providerChoicesQuery(workshop ?? 0), enabled: workshop !== undefined }).data
  const form = useForm<CompletionTyped, unknown, Completion>({
    resolver: formResolver<CompletionTyped, Completion>(Completion),
    defaultValues: { document: '', providerId: null },
  })
  const { control } = form
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      call(purchasing.completeTransaction, { params: { id: entry.id }, body, idempotencyKey }),
    refresh: CHANGED,
    done: `${entry.code} actualizada ✅`,
    failed: 'Error al completar la entrada ❌',
    onDone: onClose,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title={`Completar ${entry.code}`}
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Guardar
          </Button>
        </>
      )}
    >
      <p className={styles.hint}>
        Compra a crédito del {showDay(entry.transaction.date)} por {showMoney(entry.total)}. Sus montos y el stock no
        cambian.
      </p>
      {providerId === null && (
        <SelectField
          control={control}
          {...field('providerId')}
          choices={providers?.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          autoFocus
        />
      )}
      {document === null && (
        <TextField control={control} {...field('document')} maxLength={60} autoFocus={providerId !== null} />
      )}
    </Drawer>
  )
}
