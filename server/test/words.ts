/**
 * Plain text scans for the rules of docs/vocabulary.md. They need no parser: a comment opens after a blank, a bracket or
 * a comma, so the `//` of an address and the `/**` of a glob inside quotes are not taken for one.
 */

/** A line comment, or a block comment. `m` lets `^` match at each line. */
const COMMENT = /(?<=^|[\s{(,;])(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm

export interface CommentBlock {
  /** Line of the file where the block begins, counted from 1. */
  line: number
  /** The words of the first line that has any, without comment signs. */
  opening: string
}

/** Comment blocks of a source file. Line comments on consecutive lines of their own are one block. */
export function commentBlocks(text: string): CommentBlock[] {
  const blocks: CommentBlock[] = []
  let joinsLine = -1
  for (const match of text.matchAll(COMMENT)) {
    const before = text.slice(0, match.index)
    const line = before.split('\n').length
    const isLineComment = match[0].startsWith('//')
    const standsAlone = before.slice(before.lastIndexOf('\n') + 1).trim() === ''
    const continues = isLineComment && standsAlone && line === joinsLine
    joinsLine = isLineComment && standsAlone ? line + 1 : -1
    if (!continues)
      blocks.push({
        line,
        opening: match[0]
          .replace(/^[/*\s]+/, '')
          .split('\n', 1)[0]!
          .trim(),
      })
  }
  return blocks
}

const OBSCURE_OPENING = /^(?:what|who|whose|of|where|nor|those)\b/i

/** Comments that open with a word which hides their subject. */
export const obscureComments = (text: string) =>
  commentBlocks(text).filter(({ opening }) => OBSCURE_OPENING.test(opening))

const DECLARATION =
  /^export (?:declare )?(?:default )?(?:abstract )?(?:async )?(?:function\*?|const|let|var|class|interface|type|enum) +([\w$]+)/gm
const DESTRUCTURED = /^export (?:const|let|var) [{[]([^=]*?)[}\]]\s*=/gm
const LISTED = /^export (?:type )?\{([^}]*)\}/gm

/** The last word of each entry in a list of names: `a`, `b as c`, `key: d`. */
const namesOf = (list: string) =>
  list
    .split(',')
    .map((entry) => /([\w$]+)\s*$/.exec(entry)?.[1])
    .filter((name) => name !== undefined && name !== 'default') as string[]

/** Names that a module exports, under the name by which others import them. */
export function exportedNames(text: string): string[] {
  const declared = [...text.matchAll(DECLARATION)].map(([, name]) => name!)
  const lists = [...text.matchAll(DESTRUCTURED), ...text.matchAll(LISTED)]
  return [...declared, ...lists.flatMap(([, list]) => namesOf(list!))]
}

/** The machine-readable stop list: the fenced block `stop-list` of docs/vocabulary.md, one or more words on each line. */
export function stopListOf(vocabulary: string): ReadonlySet<string> {
  const block = /^```stop-list\n([\s\S]*?)^```$/m.exec(vocabulary)?.[1]
  if (block === undefined) throw new Error('docs/vocabulary.md has no block ```stop-list')
  return new Set(block.split(/\s+/).filter((word) => word !== ''))
}

/** Exported names that are a word of the stop list, whatever their capitals. */
export const stoppedNames = (text: string, stopList: ReadonlySet<string>) =>
  exportedNames(text).filter((name) => stopList.has(name.toLowerCase()))
