import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const below = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(folder, name))

const { findJavac } = (await import(new URL('../../scripts/build-sdk-android.mjs', import.meta.url).href)) as {
  findJavac(): string | undefined
}
const javac = findJavac()

/** The articles say of Java that it is compiled: against stub classes of ours, which hold the signatures that the articles use. */
test.skipIf(!javac)('every Java file of the articles compiles without a warning (needs a JDK)', () => {
  const files = below('knowledge/articles')
  expect(files.length).toBeGreaterThan(40)
  const classes = mkdtempSync(join(tmpdir(), 'appwarden-articles-'))
  try {
    const args = ['-encoding', 'UTF-8', '-Xlint:all,-options,-serial,-removal', '-Werror', '-d', classes]
    const { status, stderr } = spawnSync(javac as string, [...args, ...files, ...below('knowledge/stubs')], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  } finally {
    rmSync(classes, { recursive: true, force: true })
  }
})
