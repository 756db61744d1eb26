import { BAD_FILE } from '#contract/base/workbook.ts'
import type { Answer, Question, ReadSheet } from './reader.worker.ts'

const LONGEST = 60_000

/** What a file holds; rejects with a sentence for the person. */
export function readSheet(question: Question): Promise<ReadSheet> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadSheet>()
  const worker = new Worker(new URL('./reader.worker.ts', import.meta.url), { type: 'module' })
  const clock = setTimeout(() => reject(new Error(BAD_FILE.slow)), LONGEST)
  worker.onmessage = ({ data }: MessageEvent<Answer>) =>
    'sheet' in data ? resolve(data.sheet) : reject(new Error(data.problem))
  worker.onerror = () => reject(new Error(BAD_FILE.notWorkbook))
  worker.postMessage(question)
  return promise.finally(() => {
    clearTimeout(clock)
    worker.terminate()
  })
}
