import { join, relative } from 'node:path'
import { buildClient } from './build-client.ts'

/** `npm run client`: builds the TypeScript client of the API into `dist-client`, ready for `npm publish`. */

const folder = join(import.meta.dirname, '..', 'dist-client')
buildClient(folder)
console.log(`Cliente construido en ${relative(process.cwd(), folder)}: publíquelo con npm publish desde ahí.`)
