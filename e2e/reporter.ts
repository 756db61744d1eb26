import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter'

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

interface Progress {
  left: number
  milliseconds: number
  journeys: number
  failed: number
}

/** Prints a line for each file as its last journey ends, and all that helps to understand a journey that failed. */
export default class JourneyReporter implements Reporter {
  readonly #files = new Map<string, Progress>()
  #done = 0
  #passed = 0
  #failed = 0
  #skipped = 0

  onBegin(_config: FullConfig, suite: Suite) {
    for (const { location } of suite.allTests()) {
      const progress = this.#files.get(location.file) ?? { left: 0, milliseconds: 0, journeys: 0, failed: 0 }
      progress.left += 1
      progress.journeys += 1
      this.#files.set(location.file, progress)
    }
    console.log(`${suite.allTests().length} journeys in ${this.#files.size} files`)
  }

  onTestEnd(test: TestCase, result: TestResult) {
    const isPassed = test.outcome() === 'expected' && result.status !== 'skipped'
    if (result.status === 'skipped') this.#skipped += 1
    else if (isPassed) this.#passed += 1
    else this.#failed += 1
    const progress = this.#files.get(test.location.file)!
    progress.left -= 1
    progress.milliseconds += result.duration
    if (!isPassed) {
      progress.failed += 1
      this.#explain(test, result)
    }
    if (progress.left > 0) return
    this.#done += 1
    const width = String(this.#files.size).length
    const mark = progress.failed === 0 ? '✓' : '✗'
    const count = `[${String(this.#done).padStart(width)}/${this.#files.size}]`
    const file = relative(process.cwd(), test.location.file).padEnd(32)
    const journeys = progress.journeys === 1 ? '1 journey' : `${progress.journeys} journeys`
    console.log(`${mark} ${count} ${file} ${journeys}  ${seconds(progress.milliseconds)}`)
  }

  onError(error: TestError) {
    console.error(error.stack ?? error.message ?? error.value)
  }

  onEnd({ duration, status }: FullResult) {
    console.log(`${this.#passed} journeys passed, ${this.#failed} failed, ${seconds(duration)}`)
    const { MAESTRANZA_TEST_COUNTS } = process.env
    const counts = { passed: this.#passed, failed: this.#failed, skipped: this.#skipped }
    if (MAESTRANZA_TEST_COUNTS) writeFileSync(MAESTRANZA_TEST_COUNTS, JSON.stringify(counts))
    if (status === 'interrupted') console.log('Interrupted.')
  }

  #explain(test: TestCase, result: TestResult) {
    const place = `${relative(process.cwd(), test.location.file)}:${test.location.line}`
    console.log(`\n✗ ${place} › ${test.title} (${result.status}, ${seconds(result.duration)})`)
    for (const { stack, message, snippet } of result.errors) {
      console.log(stack ?? message)
      if (snippet) console.log(snippet)
    }
    for (const chunk of [...result.stdout, ...result.stderr]) console.log(String(chunk).trimEnd())
    for (const { name, path } of result.attachments) {
      if (!path) continue
      console.log(`${name}: ${relative(process.cwd(), path)}`)
      if (name === 'trace') console.log(`  open it with: npx playwright show-trace ${relative(process.cwd(), path)}`)
    }
    console.log('')
  }
}
