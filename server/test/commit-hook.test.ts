import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url))
const { commitProblems }: { commitProblems: (message: string) => string[] } = await import(
  new URL('../../scripts/git-hooks/commit-message.mjs', import.meta.url).href
)
const { setUpHooks }: { setUpHooks: (folder: string) => boolean } = await import(
  new URL('../../scripts/set-up-hooks.mjs', import.meta.url).href
)

const BODY = '\n\nA reading of tomorrow hid the one of today.\n'

describe('a commit message', () => {
  it.each([
    'fleet: refuse a reading from the future',
    'work-orders: sort common search matches by name without loading them all',
    'e2e: process the queue before the page is left',
    'server, web: seed one company per worker',
    'Merge keyboard and network fixes from the second bug hunt',
    'Revert "fleet: refuse a reading from the future"',
  ])('passes with the subject %s', (subject) => {
    expect(commitProblems(subject + BODY)).toEqual([])
  })
  it.each([
    [`fleet: refuse ${'x'.repeat(60)}`, 'at most 72'],
    ['Refuse a reading from the future', 'domain: imperative'],
    ['fleet: Refuse a reading from the future', 'domain: imperative'],
    ['fleet: refuse', 'domain: imperative'],
    ['fleet: refused a reading from the future', '"refused"'],
    ['fleet: refusing a reading from the future', '"refusing"'],
    ['fleet: refuses a reading from the future', '"refuses"'],
    ['lists: what many rows have is sorted by names', '"what"'],
    ['warehouses: the recording has a file of its own', '"the"'],
    ['fleet: refuse a reading from the future.', 'full stop'],
  ])('is refused with the subject %s', (subject, reason) => {
    const problems = commitProblems(subject + BODY)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(reason)
  })
  it('is refused without a body, also when only trailers or comments follow', () => {
    const subject = 'fleet: refuse a reading from the future'
    for (const rest of ['', '\n', '\n\nCo-authored-by: Ana <ana@example.com>\n', '\n\n# Please enter the message\n'])
      expect(commitProblems(subject + rest).join()).toContain('The body is missing')
    const scissors = '\n\n# ------------------------ >8 ------------------------\ndiff --git a/x b/x\n'
    expect(commitProblems(subject + scissors).join()).toContain('The body is missing')
  })
  it('is refused without an empty line after the subject', () => {
    const problems = commitProblems('fleet: refuse a reading from the future\nIt hid the one of today.\nIt stayed.\n')
    expect(problems).toEqual(['An empty line separates the subject from the body.'])
  })
  it('is counted in characters, not in bytes', () => {
    expect(commitProblems(`fleet: show ${'ñ'.repeat(60)}${BODY}`)).toEqual([])
  })
})

const git = (folder: string, ...args: string[]) =>
  spawnSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
const hooksPathOf = (folder: string) => git(folder, 'config', '--local', '--get', 'core.hooksPath').stdout.trim()

const folders: string[] = []
beforeEach(() => {
  // The contributor's own settings would decide the outcome.
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null')
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1')
})
afterEach(() => {
  vi.unstubAllEnvs()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A project folder with nothing but what an install runs. */
function projectFolder({ repository }: { repository: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), 'maestranza-hooks-'))
  folders.push(folder)
  mkdirSync(join(folder, 'scripts'))
  cpSync(join(SCRIPTS, 'git-hooks'), join(folder, 'scripts/git-hooks'), { recursive: true })
  cpSync(join(SCRIPTS, 'set-up-hooks.mjs'), join(folder, 'scripts/set-up-hooks.mjs'))
  if (repository) git(folder, 'init', '--quiet')
  return folder
}

describe.skipIf(spawnSync('git', ['--version']).status !== 0)('setting up hooks', () => {
  it('makes git refuse a message that breaks the rules, and accept one that does not', () => {
    const folder = projectFolder({ repository: true })
    expect(setUpHooks(folder)).toBe(true)
    const commit = (message: string) => git(folder, 'commit', '--allow-empty', '--quiet', '-m', message)
    const refused = commit('Fixed things')
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain('domain: imperative verb and object')
    expect(commit(`fleet: refuse a reading from the future${BODY}`).status).toBe(0)
    expect(git(folder, 'status', '--porcelain', '--untracked-files=no').stdout).toBe('')
  })
  it('runs by the prepare script of package.json, which goes on where the scripts are missing', () => {
    const { prepare } = JSON.parse(readFileSync(join(SCRIPTS, '../package.json'), 'utf8')).scripts
    const folder = projectFolder({ repository: true })
    expect(spawnSync(prepare, { cwd: folder, shell: true }).status).toBe(0)
    expect(hooksPathOf(folder)).toBe('scripts/git-hooks')
    const bare = mkdtempSync(join(tmpdir(), 'maestranza-hooks-'))
    folders.push(bare)
    expect(spawnSync(prepare, { cwd: bare, shell: true }).status).toBe(0)
  })
  it('leaves alone a path and hooks of the contributor', () => {
    const folder = projectFolder({ repository: true })
    git(folder, 'config', '--local', 'core.hooksPath', '.husky')
    expect(setUpHooks(folder)).toBe(false)
    expect(hooksPathOf(folder)).toBe('.husky')
    const second = projectFolder({ repository: true })
    mkdirSync(join(second, '.git/hooks'), { recursive: true })
    writeFileSync(join(second, '.git/hooks/pre-commit'), '')
    expect(setUpHooks(second)).toBe(false)
    expect(hooksPathOf(second)).toBe('')
  })
  it('does nothing outside a repository, or inside the repository of something else', () => {
    const folder = projectFolder({ repository: false })
    expect(setUpHooks(folder)).toBe(false)
    expect(existsSync(join(folder, '.git'))).toBe(false)
    const outer = projectFolder({ repository: true })
    cpSync(join(outer, 'scripts'), join(outer, 'vendor/scripts'), { recursive: true })
    expect(setUpHooks(join(outer, 'vendor'))).toBe(false)
    expect(hooksPathOf(outer)).toBe('')
  })
  it('does nothing, and does not fail, without git', () => {
    const folder = projectFolder({ repository: true })
    vi.stubEnv('PATH', folder)
    expect(setUpHooks(folder)).toBe(false)
  })
})
