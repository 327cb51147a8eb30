import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * A reporter of Vitest: writes reports/vitest.json, {passed, failed, skipped, flaky: string[], failures: {name, message}[], seconds: {file: s}}.
 * A suite that cannot start (its file does not load, or a beforeAll throws) counts as failed, and so does each of its tests, which
 * Vitest itself reports as skipped. `flaky` names the tests that passed only on a retry.
 */
export default class ResultReporter {
  sum = { passed: 0, failed: 0, skipped: 0, flaky: [], failures: [], seconds: {} }

  onTestRunEnd(modules, unhandledErrors) {
    for (const module of modules) {
      const name = relative('.', module.moduleId)
      const { collectDuration, setupDuration, duration } = module.diagnostic()
      this.sum.seconds[name] = (collectDuration + setupDuration + duration) / 1000
      this.addSuite(module, name, false)
    }
    for (const error of unhandledErrors) this.fail('unhandled error', error)
    writeFileSync('reports/vitest.json', JSON.stringify(this.sum))
  }

  addSuite(suite, name, blocked) {
    const errors = suite.errors()
    const started = !blocked && errors.length === 0
    if (errors.length > 0) this.fail(`${name}: the suite cannot start`, errors[0])
    for (const child of suite.children) {
      const childName = `${name}${suite.type === 'module' ? ':' : ' >'} ${child.name}`
      if (child.type === 'suite') this.addSuite(child, childName, !started)
      else this.addTest(child, childName, !started)
    }
  }

  addTest(test, name, blocked) {
    const { state, errors } = test.result()
    if (test.diagnostic()?.flaky) this.sum.flaky.push(name)
    if (state === 'passed') this.sum.passed++
    else if (state === 'failed') this.fail(name, errors?.[0])
    else if (test.options.mode === 'skip' || test.options.mode === 'todo') this.sum.skipped++
    else if (blocked) this.sum.failed++
    else if (state === 'skipped') this.sum.skipped++
    else this.fail(name, { message: 'did not run to its end' })
  }

  fail(name, error) {
    this.sum.failed++
    this.sum.failures.push({ name, message: error?.stack ?? error?.message ?? String(error) })
  }
}
