import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const UNIT = resolve(import.meta.dirname, '../../docs/operations/appwarden.service')
const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(isInstalled)(
  'systemd-analyze accepts the unit of docs/operations (skipped without systemd-analyze)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'appwarden-unit-'))
    const file = join(folder, 'appwarden.service')
    const text = readFileSync(UNIT, 'utf8')
    const verify = (unit: string) => {
      writeFileSync(file, unit)
      return promisify(execFile)('systemd-analyze', ['verify', '--man=no', file])
    }
    // It refuses a program that this machine does not have.
    const unit = text.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true')
    expect(unit).not.toBe(text)
    try {
      const { stdout, stderr } = await verify(unit)
      expect(stdout + stderr).not.toContain('appwarden.service')
      // A mistake is noticed: else this test would say nothing.
      const wrong = await verify(unit.replace('Restart=on-failure', 'Restart=sometimes')).catch((error) => error)
      expect(wrong.stderr).toContain('appwarden.service')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
