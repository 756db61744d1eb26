interface Candidate {
  version: string
  changelog: string
  /** Output of `git status --porcelain`; empty if nothing is uncommitted. */
  changes: string
  tags: string[]
}

/** The reason why a version cannot be released yet, or undefined. */
export function releaseProblem({ version, changelog, changes, tags }: Candidate) {
  const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version} `))
  if (!heading) return `CHANGELOG.md has no section "## ${version} (date)".`
  if (!/\(\d{4}-\d{2}-\d{2}\)$/.test(heading))
    return `The section of ${version} in CHANGELOG.md has no date: "${heading}".`
  if (tags.includes(`v${version}`)) return `The tag v${version} exists already: raise the version in package.json.`
  if (changes) return `Commit or remove these changes first:\n${changes}`
  return undefined
}
