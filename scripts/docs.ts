import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GENERATED_PAGES } from './settings-page.ts'

/** `npm run docs`: writes the pages that are made from the code; `server/test/docs.test.ts` compares them with it. */

for (const [path, content] of Object.entries(GENERATED_PAGES)) {
  const file = join(import.meta.dirname, '..', path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content())
  console.log(path)
}
