import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { clientSource } from './client-source.ts'

const ROOT = join(import.meta.dirname, '..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const COMPILER = [
  ...[
    '--target',
    'es2022',
    '--lib',
    'es2023,dom,dom.iterable',
    '--module',
    'nodenext',
    '--moduleResolution',
    'nodenext',
  ],
  ...[
    '--strict',
    '--declaration',
    '--rewriteRelativeImportExtensions',
    '--skipLibCheck',
    '--ignoreConfig',
    '--types',
    '',
  ],
]

/** Builds the package into a folder that is emptied first. */
export function buildClient(into: string) {
  const { version } = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const source = join(into, 'source')
  fs.rmSync(into, { recursive: true, force: true })
  fs.mkdirSync(source, { recursive: true })
  fs.writeFileSync(join(source, 'index.ts'), clientSource())
  fs.copyFileSync(join(ROOT, 'client/runtime.ts'), join(source, 'runtime.ts'))
  // The output is an ES module, whichever folder it is built in.
  fs.writeFileSync(join(into, 'package.json'), '{ "type": "module" }')
  compile([join(source, 'index.ts'), '--outDir', into, '--rootDir', source])
  fs.rmSync(source, { recursive: true })
  fs.copyFileSync(join(ROOT, 'client/README.md'), join(into, 'README.md'))
  const manifest = {
    name: 'maestranza-client',
    version,
    description: 'Typed client of the Maestranza API',
    license: 'UNLICENSED',
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    files: ['*.js', '*.d.ts', 'README.md'],
    engines: { node: '>=18' },
    sideEffects: false,
  }
  fs.writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Runs the compiler with the settings of the package; throws an error with what it wrote. */
export function compile(args: string[]) {
  try {
    execFileSync(process.execPath, [TSC, ...COMPILER, ...args], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout || String(error))
  }
}
