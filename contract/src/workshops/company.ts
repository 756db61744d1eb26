import { z } from 'zod'
import { DEFAULT_ZONE } from '../base/dates.ts'
import { OptionalDni } from '../base/rut.ts'
import { catalogue, Download, endpoint, Id, Instant, Nothing, Text } from '../base/wire.ts'

/** Zones a Chilean company can be in. */
export const TIME_ZONES = {
  [DEFAULT_ZONE]: { label: 'Chile continental' },
  'America/Punta_Arenas': { label: 'Aysén y Magallanes' },
  'Pacific/Easter': { label: 'Isla de Pascua' },
} as const
export type TimeZone = keyof typeof TIME_ZONES
const ZONE_NAMES = Object.keys(TIME_ZONES) as [TimeZone, ...TimeZone[]]

export const Company = z.object({
  id: Id,
  name: z.string(),
  dni: z.string().nullable(),
  time_zone: z.string(),
  has_logo: z.boolean(),
  updated_at: Instant,
})
export type Company = z.infer<typeof Company>
export const CompanyEdit = z.object({
  name: Text(120),
  dni: OptionalDni,
  time_zone: z.enum(ZONE_NAMES, 'Elija una zona horaria de la lista.'),
  updated_at: Instant.optional(),
})
export type CompanyEdit = z.infer<typeof CompanyEdit>

export const MAX_LOGO_BYTES = 512 * 1024

/* Settings: the order is the wire's, and `has_warehouse` comes first. */

const HourOfDay = z.number('Ingrese un número.').min(0, 'No puede ser negativa.').max(24, 'Debe ser a lo más 24 h.')

const MailsADay = z
  .number('Ingrese un número.')
  .int('Debe ser un número entero.')
  .min(1, 'Debe ser al menos 1.')
  .max(500, 'Debe ser a lo más 500.')

export const SETTINGS = {
  has_warehouse: {
    label: 'Las órdenes de trabajo descuentan de bodega',
    about: 'Los insumos de una orden salen del stock de una bodega. Apagado, se anotan al costo del catálogo.',
    value: z.boolean(),
    initial: true,
  },
  work_order_text: {
    label: 'Texto al pie de la orden de trabajo',
    about: 'Se imprime en cada orden de trabajo, sobre las firmas.',
    value: z.string().trim().max(2000),
    initial: '',
  },
  purchase_order_text: {
    label: 'Texto al pie de la orden de compra',
    about: 'Se imprime en cada orden de compra: lugar y horario de entrega, condiciones de pago.',
    value: z.string().trim().max(2000),
    initial: '',
  },
  receipt_tolerance: {
    label: 'Cuánto más de lo aprobado se puede recibir',
    about: 'En cantidad o en precio. Sobre este porcentaje recibe quien aprueba órdenes de compra. Por defecto, 10 %.',
    value: z
      .number('Ingrese un número.')
      .int('Debe ser un número entero.')
      .min(0, 'No puede ser negativo.')
      .max(100, 'Debe ser a lo más 100 %.'),
    initial: 10,
  },
  first_month: {
    label: 'Primer mes de la empresa',
    about: 'Las facturas anteriores a este mes se rechazan. Por defecto, 2015-01.',
    value: z
      .string()
      .trim()
      .regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, 'Escriba el año y el mes: 2015-01.'),
    initial: '2015-01',
  },
  kilometers_per_day: {
    label: 'Kilómetros que un equipo puede recorrer en un día',
    about: 'Una lectura que supone más que esto pide confirmación antes de guardarse.',
    value: z
      .number('Ingrese un número.')
      .int('Debe ser un número entero.')
      .min(100, 'Debe ser al menos 100 km.')
      .max(5000, 'Debe ser a lo más 5.000 km.'),
    initial: 1500,
  },
  labour_counts: {
    label: 'La mano de obra cuenta en los costos',
    about:
      'Las órdenes y los reportes muestran, junto al total, el total con mano de obra. El costo por hora se escribe en cada especialista. Por defecto, apagado.',
    value: z.boolean(),
    initial: false,
  },
  hours_per_day: {
    label: 'Horas de una jornada',
    about: 'Lo que un mecánico está presente cada día en que trabajó, para el reporte de horas. Por defecto, 8 h.',
    value: z.number('Ingrese un número.').min(1, 'Debe ser al menos 1 h.').max(24, 'Debe ser a lo más 24 h.'),
    initial: 8,
  },
  opens_at: { label: 'El taller abre a las', about: 'Por defecto, 8 h.', value: HourOfDay, initial: 8 },
  closes_at: { label: 'De lunes a viernes cierra a las', about: 'Por defecto, 18 h.', value: HourOfDay, initial: 18 },
  saturday_closes_at: {
    label: 'Los sábados cierra a las',
    about: 'Con 0 no abre. Por defecto, 13 h.',
    value: HourOfDay,
    initial: 13,
  },
  sunday_closes_at: {
    label: 'Los domingos cierra a las',
    about: 'Con 0 no abre, y así es por defecto.',
    value: HourOfDay,
    initial: 0,
  },
  shared_fleet: {
    label: 'Los equipos son de todos los talleres',
    about:
      'Cada taller ve los equipos de los demás, con su historial y su plan, y puede nombrarlos en sus órdenes. Los edita solo su taller. Por defecto, encendido en empresas nuevas.',
    value: z.boolean(),
    /** Of companies that were there before it; new ones begin with it on. */
    initial: false,
  },
  mails_per_person: {
    label: 'Correos a proveedores que una persona envía en un día',
    about: 'Cuenta las órdenes de compra enviadas por correo. Por defecto, 20.',
    value: MailsADay,
    initial: 20,
  },
  mails_per_order: {
    label: 'Veces que una orden de compra se envía por correo en un día',
    about: 'Por defecto, 3.',
    value: MailsADay,
    initial: 3,
  },
} as const
export type SettingName = keyof typeof SETTINGS
export const SETTING_NAMES = Object.keys(SETTINGS) as [SettingName, ...SettingName[]]
export type Settings = { [Name in SettingName]: z.infer<(typeof SETTINGS)[Name]['value']> }

export const Setting = z.object({
  id: Id,
  name: z.enum(SETTING_NAMES),
  label: z.string(),
  pivot: z.object({ setting_value: z.union([z.boolean(), z.string(), z.number()]) }),
})
export type Setting = z.infer<typeof Setting>

/** What is left out stays as it is. */
export const SettingsEdit = z
  .object({
    has_warehouse: SETTINGS.has_warehouse.value,
    work_order_text: SETTINGS.work_order_text.value,
    purchase_order_text: SETTINGS.purchase_order_text.value,
    receipt_tolerance: SETTINGS.receipt_tolerance.value,
    first_month: SETTINGS.first_month.value,
    kilometers_per_day: SETTINGS.kilometers_per_day.value,
    labour_counts: SETTINGS.labour_counts.value,
    hours_per_day: SETTINGS.hours_per_day.value,
    opens_at: SETTINGS.opens_at.value,
    closes_at: SETTINGS.closes_at.value,
    saturday_closes_at: SETTINGS.saturday_closes_at.value,
    sunday_closes_at: SETTINGS.sunday_closes_at.value,
    shared_fleet: SETTINGS.shared_fleet.value,
    mails_per_person: SETTINGS.mails_per_person.value,
    mails_per_order: SETTINGS.mails_per_order.value,
  })
  .partial()
export type SettingsEdit = z.infer<typeof SettingsEdit>

/** From this share of the quota on, those who run the company are warned. */
export const STORAGE_WARNING = 0.8
export const Storage = z.object({
  /** Bytes. */
  used: z.number(),
  /** Bytes; null for no limit. */
  quota: z.number().nullable(),
})
export type Storage = z.infer<typeof Storage>
export const isStorageLow = ({ used, quota }: Storage) => quota !== null && used >= quota * STORAGE_WARNING

export const companies = {
  getStorage: endpoint({
    method: 'GET',
    path: '/v1/company/storage',
    may: 'company.manage',
    summary: 'How much the files of the company take, and how much they may',
    reply: Storage,
  }),
  getCompany: endpoint({
    method: 'GET',
    path: '/v1/company',
    may: 'session',
    summary: 'The company in use',
    reply: Company,
  }),
  updateCompany: endpoint({
    method: 'PUT',
    path: '/v1/company',
    may: 'company.manage',
    summary: 'Change the name, RUT or time zone of the company',
    body: CompanyEdit,
    reply: Company,
  }),
  getLogo: endpoint({
    method: 'GET',
    path: '/v1/company/logo',
    may: 'session',
    summary: 'The logo of the company',
    reply: Download,
    heavy: false,
  }),
  updateLogo: endpoint({
    method: 'PUT',
    path: '/v1/company/logo',
    may: 'company.manage',
    summary: 'Give the company a logo: a PNG or JPG of at most 512 kB, printed on its documents',
    upload: { maxBytes: MAX_LOGO_BYTES },
    body: z.object({ file: z.file() }),
    reply: Company,
  }),
  deleteLogo: endpoint({
    method: 'DELETE',
    path: '/v1/company/logo',
    may: 'company.manage',
    summary: 'Take the logo off',
    reply: Nothing,
  }),
  listSettings: endpoint({
    method: 'GET',
    path: '/v1/settings',
    may: 'session',
    summary: 'Settings of the company; the first is has_warehouse',
    reply: catalogue(Setting),
  }),
  updateSettings: endpoint({
    method: 'PUT',
    path: '/v1/settings',
    may: 'company.manage',
    summary: 'Change settings of the company',
    body: SettingsEdit,
    reply: catalogue(Setting),
  }),
}
