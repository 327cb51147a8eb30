import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchLine, line } from './bench-line.ts'

const CLI = 'dist/node/cli.js'
const APKS = 'node_modules/appium-uiautomator2-server/apks'
const ROUNDS = 5

/**
 * The signatures of a package of 18 MB by the built command line against apksigner, whole processes in turn, the fastest of each. Needs
 * `npm run build` before it. Where apksigner is not installed its line says so.
 */
export async function run(): Promise<BenchLine[]> {
  if (!existsSync(CLI)) throw new Error(`${CLI} is missing: npm run build comes first`)
  const name = readdirSync(APKS).find((one) => /server-v[\d.]+\.apk$/.test(one))
  if (!name) throw new Error(`no package in ${APKS}`)
  const apk = join(APKS, name)
  const peer = isThere()
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(seconds(process.execPath, [CLI, 'verify', apk]))
    if (peer) theirs.push(seconds('apksigner', ['verify', apk]))
  }
  const value = Math.min(...ours) * 1000
  const against = peer ? Math.min(...theirs) * 1000 : null
  return [
    {
      ...line(
        'verify-18mb-against-apksigner',
        value,
        'ms',
        peer ? 'apksigner verify' : null,
        against,
        'ratio <= 1',
        against === null || value <= against,
      ),
      ...(!peer && { detail: { skipped: 'apksigner is not installed' } }),
    },
  ]
}

function isThere(): boolean {
  try {
    execFileSync('apksigner', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Both say that the package is verified, or the figure is worth nothing: another exit code is thrown. */
function seconds(file: string, args: string[]): number {
  const started = performance.now()
  execFileSync(file, args, { stdio: 'ignore' })
  return (performance.now() - started) / 1000
}
