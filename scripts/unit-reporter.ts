import { writeFileSync } from 'node:fs'
import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node'

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const many = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/**
 * Prints one line per test file with the progress, then the errors, then the totals. The captured logs of a test are
 * printed only when it fails (`silent: 'passed-only'`).
 */
export default class UnitReporter extends DefaultReporter {
  #files = 0
  #done = 0
  #began = Date.now()
  #counts = { passed: 0, failed: 0, skipped: 0 }

  constructor() {
    super({ summary: false, silent: 'passed-only' })
  }

  override onInit(ctx: Parameters<DefaultReporter['onInit']>[0]) {
    // The base class would print a banner with the version and the folder.
    this.ctx = ctx
  }

  override onTestRunStart(specifications: readonly TestSpecification[]) {
    super.onTestRunStart(specifications)
    this.#files = specifications.length
    this.#began = Date.now()
  }

  protected override printTestModule(module: TestModule) {
    const states = [...module.children.allTests()].map((test) => test.result().state)
    const count = (state: string) => states.filter((each) => each === state).length
    const [failed, skipped] = [count('failed'), count('skipped')]
    // A hook or an import that fails has no test of its own, but the file did not pass.
    const broken = !module.ok() && failed === 0 ? 1 : 0
    this.#counts.passed += count('passed')
    this.#counts.failed += failed + broken
    this.#counts.skipped += skipped
    const notes = [failed && `${failed} failed`, broken && 'outside its tests: failed', skipped && `${skipped} skipped`]
    const more = notes.filter(Boolean).map((note) => `, ${note}`)
    const place = `[${++this.#done}/${this.#files}]`
    const took = seconds(module.diagnostic().duration)
    this.log(`${place} ${module.relativeModuleId}  ${many(states.length, 'test')}${more.join('')}  ${took}`)
  }

  override reportTestSummary(_files: unknown, errors: unknown[]) {
    this.#counts.failed += errors.length
    const { passed, failed, skipped } = this.#counts
    const more = skipped ? `, ${skipped} skipped` : ''
    const took = seconds(Date.now() - this.#began)
    this.log(`${many(this.#done, 'file')}: ${passed} passed, ${failed} failed${more} in ${took}`)
    // scripts/test.mjs adds up the counts of its steps.
    const counts = process.env.MAESTRANZA_TEST_COUNTS
    if (counts) writeFileSync(counts, JSON.stringify(this.#counts))
  }
}
