import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { useCompany, useWorkshop } from '../platform/session.ts'
import { named } from '../ui/choices.ts'
import type { ListFilter } from './list-filters.tsx'

const useWorkshopChoices = () => named(useWorkshop().list)

/** The filter by workshop: only those who work in every workshop choose among them. */
export function useWorkshopFilter(words = { label: 'Taller', it: 'el taller' }): ListFilter {
  const workshop = useWorkshop()
  const company = useCompany()
  const inUse = workshop.list.find(({ id }) => id === workshop.id)?.name ?? ALL_WORKSHOPS
  return {
    key: 'WorkshopId',
    label: words.label,
    useChoices: useWorkshopChoices,
    locked: workshop.mayChoose ? undefined : (company.workshop_name ?? ''),
    hint: !workshop.mayChoose
      ? `Solo un super administrador puede cambiar ${words.it}`
      : workshop.id === undefined
        ? undefined
        : `Sin elegir: ${inUse}, el de la cabecera`,
    placeholder: inUse,
  }
}

/** What a list shows while nobody filters by workshop: that of the workshop in use. */
export function useWorkshopScope() {
  const { id } = useWorkshop()
  return { WorkshopId: id === undefined ? undefined : [id] }
}
