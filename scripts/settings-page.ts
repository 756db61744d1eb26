import { type Bilingual, SETTING_GROUPS, SETTINGS, type Setting } from '#server/platform/running/settings.ts'

/** The page of the environment variables in both languages, written from the one table of `settings.ts`. */

type Language = keyof Bilingual

const TEXT = {
  title: { en: 'Configuration', es: 'Configuración' },
  generated: {
    en: '*For those who change the product: `npm run docs` writes this page from `server/src/platform/running/settings.ts`.*',
    es: '*Para quien cambia el producto: esta página la escribe `npm run docs` desde `server/src/platform/running/settings.ts`.*',
  },
  intro: {
    en:
      'The product is configured by environment variables, all of them optional. A value that cannot be used stops the ' +
      'start with a sentence that names the variable. An empty variable counts as not set. With systemd they stand in ' +
      '`/etc/maestranza.env`, with containers in `.env` ([installing](installing.md)). Commands such as `npm run backup` ' +
      'take the same environment: [`maestranza-run`](installing.md#commands) gives it to them.',
    es:
      'El producto se configura con variables de entorno, todas opcionales. Con un valor que no sirve el producto no se ' +
      'inicia, y una frase nombra la variable. Una variable vacía cuenta como no definida. Con systemd van en ' +
      '`/etc/maestranza.env`, con contenedores en `.env` ([instalar](instalar.md)). Los comandos, como `npm run backup`, ' +
      'usan el mismo entorno: se lo da [`maestranza-run`](instalar.md#comandos).',
  },
  columns: {
    en: ['Variable', 'What it is', 'Default', 'Example', 'Effect'],
    es: ['Variable', 'Qué es', 'Sin definir', 'Ejemplo', 'Efecto'],
  },
}

const code = (text: string) => `\`${text}\``
const defaultOf = ({ default: value }: Setting, language: Language) =>
  value === null ? '–' : typeof value === 'string' ? code(value) : value[language]
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

export function settingsPage(language: Language): string {
  const columns = TEXT.columns[language]
  const tables = Object.entries(SETTING_GROUPS).map(([group, title]) => {
    const settings: Setting[] = SETTINGS.filter((setting) => setting.group === group)
    const lines = settings.map((setting) =>
      line([
        code(setting.name),
        setting.purpose[language],
        defaultOf(setting, language),
        code(setting.example),
        setting.effect[language],
      ]),
    )
    return [`## ${title[language]}`, '', line(columns), line(columns.map(() => '---')), ...lines].join('\n')
  })
  return `${[`# ${TEXT.title[language]}`, TEXT.intro[language], ...tables, TEXT.generated[language]].join('\n\n')}\n`
}

/** Path in the repository and content of each page that `npm run docs` writes. */
export const GENERATED_PAGES: Record<string, () => string> = {
  'docs/configuration.md': () => settingsPage('en'),
  'docs/es/configuracion.md': () => settingsPage('es'),
}
