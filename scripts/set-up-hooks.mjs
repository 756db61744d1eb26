// Points git at the hooks of this repository, for those who commit here. `npm install` runs it (`prepare`); `npm start`
// and `npm test` install without scripts, so a machine that only runs the product is left alone. It writes one line into
// the clone's own configuration and nothing else, and never fails: an install without git, from an archive or in an image
// goes on.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Relative to the top of the work tree, which is where git runs hooks, so that it holds in every work tree. */
const HOOKS = 'scripts/git-hooks'

/** True when `core.hooksPath` was set by this call. A path or hooks of the contributor's own stay as they are. */
export function setUpHooks(folder = fileURLToPath(new URL('..', import.meta.url))) {
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', windowsHide: true })
    return { ok: status === 0, text: (stdout || '').trim() }
  }
  if (!existsSync(join(folder, '.git')) || !existsSync(join(folder, HOOKS))) return false
  // A prefix means that the folder lies inside somebody else's repository.
  const prefix = git('rev-parse', '--show-prefix')
  if (!prefix.ok || prefix.text !== '') return false
  if (git('config', '--get', 'core.hooksPath').ok) return false
  const common = git('rev-parse', '--git-common-dir')
  if (!common.ok) return false
  const ownHooks = join(resolve(folder, common.text), 'hooks')
  if (existsSync(ownHooks) && readdirSync(ownHooks).some((name) => !name.endsWith('.sample'))) return false
  return git('config', '--local', 'core.hooksPath', HOOKS).ok
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) setUpHooks()
