import { expect, it } from 'vitest'
import { releaseProblem } from '../../scripts/release-problem.ts'

const ready = { version: '0.2.0', changelog: '# Changelog\n\n## 0.2.0 (2026-12-01)\n', changes: '', tags: ['v0.1.0'] }

it('releases a version with a dated changelog, a clean tree and a new tag', () => {
  expect(releaseProblem(ready)).toBeUndefined()
})

it.each([
  [{ version: '0.3.0' }, 'has no section "## 0.3.0 (date)"'],
  [{ changelog: '## 0.2.0 (not released yet)' }, 'has no date'],
  [{ tags: ['v0.2.0'] }, 'exists already'],
  [{ changes: ' M README.md' }, 'M README.md'],
])('refuses %o', (change, reason) => {
  expect(releaseProblem({ ...ready, ...change })).toContain(reason)
})
