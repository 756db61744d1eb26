import { type SQL, sql } from 'drizzle-orm'
import { all } from './conditions.ts'
import { type Db, one, rows } from './db.ts'

/* Words that a list is searched for: every one of them is somewhere in the text, accents and case aside. */

/** Signs that `plain()` of the database spells out, as far as people here write them. */
const SPELT = new Map(
  [
    "ª=a|ºø=o|đð=d|ı=i|ħ=h|ŀł=l|ŋ=n|ĸ=q|ſ=s|ŧ=t|ŉ='n|ß=ss|æ=ae|œ=oe|þ=th|ĳ=ij|№=no|℃=°c|µ=μ|©=(c)|®=(r)",
    `\u00ad‐‑‒–—―−=-|‘’‛′='|“”‟″="|‚=,|„=,,|…=...|¡=!|¿=?|«=<<|»=>>|‹=<|›=>|÷⁄=/|×=*|±=+/-`,
    '¼= 1/4|½= 1/2|¾= 3/4|⅓= 1/3|⅔= 2/3|⅛= 1/8|⅜= 3/8|⅝= 5/8|⅞= 7/8',
  ].flatMap((line) =>
    line.split('|').flatMap((each) => {
      const [signs = '', spelt = ''] = each.split('=')
      return [...signs].map((sign) => [sign, spelt] as const)
    }),
  ),
)
/** Lower case without accents, like `plain()` in the database. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replace(/[^\0-\x7f]/g, (sign) => SPELT.get(sign) ?? sign)
export const likeWord = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/** A word that is in a plain text. One with separators also matches without them (`BBBB-12` finds BBBB12). */
type HasWord = (text: SQL) => SQL
const hasWord =
  (word: string): HasWord =>
  (text) => {
    const bare = word.replace(/[^\p{L}\p{N}]/gu, '')
    return bare && bare !== word
      ? sql`(${text} like ${likeWord(word)} or ${text} like ${likeWord(bare)})`
      : sql`${text} like ${likeWord(word)}`
  }

/**
 * Every word is somewhere, in any order; accents and case aside. `where` says where one may be: in a text of the row, or in
 * the name of something few that the row names, which is then looked for once, and not joined to every row.
 */
export function everyWord(search: string | undefined, where: (has: HasWord) => SQL[]): SQL | undefined {
  const words = plain(search ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
  if (words.length === 0) return undefined
  return all(
    words.map((word) => {
      const places = where(hasWord(word))
      return places.length === 1 ? places[0] : sql`(${sql.join(places, sql` or `)})`
    }),
  )
}

/** The index of parts of words knows some of them; of less than that it would look at everything it has. */
export const hasPart = (search: string | undefined) => /[\p{L}\p{N}]{3}/u.test(plain(search ?? ''))

/** Every searched word is somewhere in `text`, which is plain already: lower case, without accents. */
export const matches = (text: SQL, search: string | undefined) => everyWord(search, (has) => [has(text)])

const LONG = /^\p{L}{6,}$/u
/**
 * A word is in the text, which an index of parts of words has. Each part costs the index a list to go through: of a long
 * word it is asked for those that follow each other, and what has them is compared with the word itself.
 */
export function hasByParts(text: SQL, word: string): SQL {
  const letters = plain(word)
  if (!LONG.test(letters)) return matches(text, word)!
  const parts = letters.match(/.{3}/gu)!.join('%')
  return sql`strpos(${text}, ${letters}) > 0 and ${text} like ${`%${parts}%`}`
}

interface Places {
  search: string | undefined
  /** A row has the words: any of these says so. */
  has: SQL[]
  /** The ids of all rows that do, as the indexes of words find them. */
  ids: SQL[]
  /** The rows in their usual order, under the name that `has` gives them. */
  recent: SQL
}

/** So many of the last rows are looked at to estimate how many have the words. */
const SAMPLE = 400

/**
 * The rows named `name` that have the words. Where many have them, each row is looked at until the page is full: gathering
 * all of them would take longer. Where few do, an index gathers them. The planner cannot tell, so a sample does.
 */
export async function havingWords(db: Db, name: SQL, { search, has, ids, recent }: Places): Promise<SQL> {
  const hasWords = sql`(${sql.join(has, sql` or `)})`
  if (!hasPart(search)) return hasWords
  const sample = sql`select from (${recent} limit ${SAMPLE}) ${name} where ${hasWords}`
  const { many } = one(
    await rows<{ many: boolean }>(db, sql`select count(*) > ${SAMPLE / 20} as many from (${sample}) f`),
  )
  return many ? hasWords : sql`${name}.id = any(array(${sql.join(ids, sql` union `)}))`
}
