import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** A reporter of Vitest: writes reports/flaky.json, the names of tests that passed only when tried again. */
export default class FlakyReporter {
  names = []

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.names.push(`${relative('.', test.module.moduleId)}: ${test.fullName}`)
  }

  onTestRunEnd() {
    writeFileSync('reports/flaky.json', JSON.stringify(this.names))
  }
}
