import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import type { ReportPackage } from './report-packages.ts'

const ENJARIFY_MS = 240_000
const PROCYON_MS = 240_000

/** Both programs take minutes for a large application: what is not done in time is named. */
const BUDGET_MS = 1000 * Number(process.env['DECOMPILE_SECONDS'] ?? 3600)
const began = performance.now()

/** Whether both programs of Debian are there. */
export const hasDecompiler = (): boolean => ['enjarify', 'procyon'].every((name) => existsSync(join('/usr/bin', name)))

/**
 * The Java sources of an application's own classes: dex to class files by enjarify, to Java by procyon-decompiler. They are kept in
 * `folder` (outside of the repository). Gives a reason where one of both fails.
 */
export function decompiled(one: ReportPackage, prefix: string, folder: string): readonly string[] | { failed: string } {
  const into = join(folder, one.sha256)
  if (!existsSync(join(into, 'done'))) {
    if (performance.now() - began > BUDGET_MS) return { failed: 'not done in DECOMPILE_SECONDS' }
    rmSync(into, { recursive: true, force: true })
    mkdirSync(join(into, 'classes'), { recursive: true })
    try {
      writeFileSync(join(into, 'a.apk'), one.bytes())
      run('enjarify', ENJARIFY_MS, join(into, 'a.apk'), '-f', '-o', join(into, 'a.jar'))
      const zip = readZip(new Uint8Array(readFileSync(join(into, 'a.jar'))))
      const own = [...zip.byName.values()].filter(({ name }) => name.startsWith(prefix) && name.endsWith('.class'))
      if (!own.length) throw new Error(`enjarify gives no class below ${prefix}`)
      own.forEach((entry, at) => {
        writeFileSync(join(into, 'classes', `${at}.class`), entryBytes(zip, entry))
      })
      const files = readdirSync(join(into, 'classes')).map((name) => join(into, 'classes', name))
      run('procyon', PROCYON_MS, '-o', join(into, 'java'), ...files)
      writeFileSync(join(into, 'done'), '')
    } catch (error) {
      return { failed: (error as Error).message.split('\n')[0]!.replaceAll(into, '').slice(0, 160) }
    }
  }
  return readdirSync(join(into, 'java'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .sort()
    .map((name) => readFileSync(join(into, 'java', name), 'utf8'))
}

const run = (program: string, timeout: number, ...args: string[]): void =>
  void execFileSync(program, args, {
    timeout,
    env: { ...process.env, PYTHON: '/usr/bin/python3' },
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
