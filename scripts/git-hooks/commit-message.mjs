// The rules for commit messages (CONTRIBUTING.md, "Commits"), and the program that the commit-msg hook runs. It uses no
// newer syntax, because it runs on whatever Node the contributor has.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const LONGEST_SUBJECT = 72

/** Messages that git writes, or that disappear when the branch is tidied. */
const WRITTEN_BY_GIT = /^(?:Merge |Revert "|Reapply "|fixup! |squash! |amend! )/

/** Subjects of the wrong form often begin with one of these; none of them is a verb. */
const NO_VERBS = new Set(
  (
    'a all also an and any as at both by each every for from he how i if in it its less more most my no nor not of on ' +
    'one only or our she so some such that the their then there these they this those to two we what when where which ' +
    'who whose why with without you'
  ).split(' '),
)
/** Imperatives that end like a participle or a third person. */
const VERBS = new Set(
  (
    'access address bless bring bypass canvas compress cross discuss dismiss embed exceed express feed focus guess heed ' +
    'miss need pass ping possess press process proceed seed shed speed spring string succeed suppress weed'
  ).split(' '),
)
const isImperative = (word) => VERBS.has(word) || !(NO_VERBS.has(word) || /(?:ed|ing|[^s]s)$/.test(word))

const SCISSORS = /^# -+ >8 -+$/
const TRAILER = /^[A-Z][\w-]*-[\w-]+: /

/** The lines that will be committed: without comments, and without the difference that `git commit -v` appends. */
function committedLines(message) {
  const lines = message.split(/\r?\n/)
  const cut = lines.findIndex((line) => SCISSORS.test(line))
  const kept = (cut === -1 ? lines : lines.slice(0, cut)).filter((line) => !line.startsWith('#'))
  while (kept.length > 0 && kept[0].trim() === '') kept.shift()
  return kept
}

/** One sentence for each rule that a commit message breaks; none when it is as it should be. */
export function commitProblems(message) {
  const [subject = '', separator = '', ...body] = committedLines(message)
  // Git itself refuses an empty message.
  if (subject === '' || WRITTEN_BY_GIT.test(subject)) return []
  const problems = []
  const { length } = [...subject]
  if (length > LONGEST_SUBJECT)
    problems.push(`The subject has ${length} characters; at most ${LONGEST_SUBJECT} are allowed.`)
  const [, word] = /^[a-z0-9][a-z0-9-]*(?:, [a-z0-9-]+)*: ([a-z]+(?:-[a-z]+)*)\s\S/.exec(subject) || []
  if (!word) problems.push('The subject has the form "domain: imperative verb and object", in lower case.')
  else if (!isImperative(word)) problems.push(`The subject starts with "${word}", which is no imperative verb.`)
  if (/\.$/.test(subject)) problems.push('The subject ends without a full stop.')
  if (separator.trim() !== '') problems.push('An empty line separates the subject from the body.')
  if (!body.some((line) => line.trim() !== '' && !TRAILER.test(line)))
    problems.push('The body is missing: say why, and how it was checked when that is not obvious.')
  return problems
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = commitProblems(readFileSync(process.argv[2], 'utf8'))
  if (problems.length > 0) {
    for (const problem of problems) console.error(`commit message: ${problem}`)
    console.error(
      'The form is described in CONTRIBUTING.md, "Commits". Example: fleet: refuse a reading from the future',
    )
    process.exitCode = 1
  }
}
