import { posix } from 'node:path'
import { exportedNames } from './words.ts'

/** Finds in a page of documentation what it says exists: files, links, exported names, npm commands, decisions. */

export interface Repository {
  /** Paths from the root, with `/`, of every file under version control. */
  files: ReadonlySet<string>
  /** Every folder that holds one of them. */
  folders: ReadonlySet<string>
  /** Every word that occurs in the sources outside comments: names, fields, columns, environment variables. */
  words: ReadonlySet<string>
  commands: ReadonlySet<string>
}

export interface SourceFile {
  path: string
  text: string
}

const COMMENT = /(?<=^|[\s{(,;])(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm

export function repositoryOf(paths: string[], sources: SourceFile[], commands: string[]): Repository {
  const folders = new Set<string>()
  for (const path of paths)
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) folders.add(folder)
  const words = new Set<string>()
  for (const { text } of sources)
    for (const [word] of text.replaceAll(COMMENT, ' ').matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) words.add(word)
  for (const { text } of sources) for (const name of exportedNames(text)) words.add(name)
  return { files: new Set(paths), folders, words, commands: new Set(commands) }
}

/** Fenced blocks have other rules than text, but commands and paths from the root are checked in them too. */
const withoutFences = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, '')
const codeSpans = (text: string) => [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!)

const FILE = /^[\w.*<>@-]+(?:\/[\w.*<>@-]+)*\.(?:tsx?|[cm]?js|css|md|sql|json|ya?ml|service|example|html)$/
const FROM_ROOT = /(?<![\w./-])(?:server|contract|web|e2e|scripts|bench|docs|packaging)\/[\w.*<>/-]*[\w*>]/g

/** `<name>` and `*` stand for anything within one part of a path. */
const patternOf = (path: string) =>
  new RegExp(`(?:^|/)${path.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*\*|\*|<[^>]*>/g, '[^/]*')}$`)

/** Readers find a file by the end of its path, so a page may leave out the folders before it. */
const exists = (path: string, { files, folders }: Repository) => {
  const clean = path.replace(/\/$/, '')
  if (files.has(clean) || folders.has(clean)) return true
  const pattern = patternOf(clean)
  return [...files, ...folders].some((each) => pattern.test(each))
}

/** Folder of a page's own domain on every floor, for READMEs that name their files without a folder. */
const isNear = (page: string, file: string, { files }: Repository) => {
  const domain = /^server\/src\/([\w-]+)\/README\.md$/.exec(page)?.[1]
  if (!domain) return true
  return [...files].some((each) => each.includes(`/${domain}/`) && posix.basename(each) === file)
}

export function deadPaths(page: string, text: string, repository: Repository): string[] {
  const written = codeSpans(text).flatMap((span) => {
    if (FILE.test(span)) return [span]
    const [first = ''] = span.split('/')
    const isFolder = /^[\w-]+(?:\/[\w.-]+)+\/?$/.test(span) && exists(first, repository)
    return isFolder ? [span] : []
  })
  const rooted = text.replaceAll(/https?:\/\/\S+/g, '').match(FROM_ROOT) ?? []
  return [...new Set([...written, ...rooted])].filter((path) => {
    if (/^(?:web\/)?dist\//.test(path)) return false
    const isBare = FILE.test(path) && !path.includes('/') && !/[*<]/.test(path)
    return !exists(path, repository) || (isBare && !isNear(page, path, repository))
  })
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
export const anchorsOf = (text: string) =>
  new Set([...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!)))

export function deadLinks(
  page: string,
  text: string,
  repository: Repository,
  read: (file: string) => string,
): string[] {
  const links = [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '')
    if (!repository.files.has(target) && !repository.folders.has(target)) return true
    return anchor !== undefined && !anchorsOf(read(target)).has(anchor)
  })
}

/** A name as code writes it: `listPage`, `listPage()`, `TRUCK_FIELDS`, `order_tallies`, `Problem`. */
const NAME = /^([A-Za-z_$][\w$]*)(?:\(\))?$/
/** Fields, constants and calls with arguments: the name before the bracket, the parts around each point. */
const namesIn = (span: string) => {
  const plain = NAME.exec(span)?.[1]
  if (plain) return [plain]
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+(?:\(\))?$/.test(span) && !FILE.test(span))
    return span.replace('()', '').split('.')
  const called = /^([A-Za-z_$][\w$]*)\(.*\)$/.exec(span)?.[1]
  return called ? [called] : []
}

/** Tables headed "instead of | write" propose names: neither the old nor the new one has to exist. */
const withoutProposals = (text: string) => text.replaceAll(/^\| instead of \| write \|\n(?:\|.*\n?)+/gm, '')

/** `others` are names of PostgreSQL, of packages and of the shell, which are not ours to declare. */
export function deadNames(text: string, { words }: Repository, others: ReadonlySet<string>): string[] {
  return [...new Set(codeSpans(withoutProposals(text)).flatMap(namesIn))].filter(
    (name) => !words.has(name) && !others.has(name),
  )
}

export const deadCommands = (text: string, { commands }: Repository): string[] =>
  [...new Set([...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name!))].filter(
    (name) => !commands.has(name),
  )

/** Numbers of decision records as a page or a comment writes them: `decision 0024`. */
export const decisionReferences = (text: string): string[] =>
  [...text.matchAll(/\bdecisions? (\d+(?:(?:, | and )\d+)*)/gi)].flatMap(([, list]) => list!.match(/\d+/g)!)

export interface Diagram {
  /** Columns that the drawing shows, by table. */
  columns: Record<string, string[]>
  /** `child → parent` for each line of the drawing. */
  references: string[]
}

/** The tables and lines of a mermaid `erDiagram`: `parent ||--o{ child : ""`, `table { type column }`. */
export function diagramOf(page: string): Diagram {
  const drawing = /^```mermaid\nerDiagram\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? ''
  const columns = [...drawing.matchAll(/^ {2}(\w+) \{\n([^}]*)\}/gm)].map(
    ([, table, body]) => [table!, [...body!.matchAll(/^\s+\w+ (\w+)$/gm)].map(([, column]) => column!)] as const,
  )
  const references = [...drawing.matchAll(/^ {2}(\w+) \|\|--o\{ (\w+) :/gm)].map(
    ([, parent, child]) => `${child} → ${parent}`,
  )
  return { columns: Object.fromEntries(columns), references }
}
