import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readProgram } from '#engines/dex/read-program.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import type { BenchLine } from './bench-line.ts'

const CLI = 'dist/node/cli.js'
const COPIES = 7
const LARGE = 200 * 2 ** 20
/** Printed to the error output when the process ends, so that what is measured is the whole process. */
const TELL_USAGE = 'process.on("exit",()=>console.error("usage "+JSON.stringify(process.resourceUsage())))'
const ANDROGUARD = `
import resource, sys
from androguard.misc import AnalyzeAPK
AnalyzeAPK(sys.argv[1])
usage = resource.getrusage(resource.RUSAGE_SELF)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
`

interface Cost {
  cpuSeconds: number
  wallSeconds: number
  peakMb: number
}

/**
 * A full static scan by the built command line, as a whole process: an 18 MB package with 16 dex files against androguard's AnalyzeAPK, and a
 * package of 200 MB made of seven renamed copies of its code and noise. Needs `npm run build` before it.
 */
export async function run(): Promise<BenchLine[]> {
  if (!existsSync(CLI)) throw new Error(`${CLI} is missing: npm run build comes first`)
  const folder = mkdtempSync(join(tmpdir(), 'aw-scan-bench-'))
  try {
    const apk = samplePackage()
    const scan = best(() => scanCost(apk))
    const peer = androguardCost(apk)
    const large = join(folder, 'large.apk')
    writeFileSync(large, largePackage(apk))
    const largeScan = scanCost(large)
    return [
      codeLine(apk),
      line('scan-18mb-cpu', scan.cpuSeconds, 's', 'value < 4', scan.cpuSeconds < 4),
      {
        ...line('scan-18mb-against-androguard', scan.cpuSeconds, 's', 'ratio <= 0.2', true),
        peer: peer ? 'androguard AnalyzeAPK' : null,
        peer_value: peer && round(peer.cpuSeconds),
        ratio: peer && round(scan.cpuSeconds / peer.cpuSeconds),
        ok: peer === null || scan.cpuSeconds / peer.cpuSeconds <= 0.2,
        detail: peer ? { peer_peak_mb: Math.round(peer.peakMb) } : { skipped: 'androguard is not installed' },
      },
      line('scan-18mb-memory', scan.peakMb, 'MB', 'value < 600', scan.peakMb < 600),
      line('scan-200mb-wall', largeScan.wallSeconds, 's', 'value < 60', largeScan.wallSeconds < 60),
      line('scan-200mb-memory', largeScan.peakMb, 'MB', 'value < 1500', largeScan.peakMb < 1500),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000

const line = (name: string, value: number, unit: string, limit: string, ok: boolean): BenchLine => ({
  name,
  value: round(value),
  unit,
  peer: null,
  peer_value: null,
  ratio: null,
  limit,
  ok,
})

/** Unpacking, reading and indexing the code alone, in this process. */
function codeLine(apk: string): BenchLine {
  const zip = readZip(new Uint8Array(readFileSync(apk)))
  const before = process.cpuUsage()
  const parts = zip.entries
    .filter(({ name }) => /^classes\d*\.dex$/.test(name))
    .map((entry) => ({ entry: entry.name, bytes: entryBytes(zip, entry) }))
  const program = readProgram(parts)
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  const bytes = parts.reduce((sum, part) => sum + part.bytes.length, 0)
  return {
    ...line('read-code-18mb', seconds, 's', 'value < 1.5', seconds < 1.5),
    detail: {
      dex_files: parts.length,
      dex_mb: round(bytes / 1e6),
      classes: program.classCount,
      methods: program.methodCount,
    },
  }
}

/** A package of 18 MB with 16 dex files, from a dev dependency. */
export function samplePackage(): string {
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('appium-uiautomator2-server/package.json'))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return join(folder, 'apks', `appium-uiautomator2-server-v${version}.apk`)
}

/** The cheapest of three: what other processes do on the machine only adds. */
function best(measure: () => Cost): Cost {
  const costs = [measure(), measure(), measure()]
  return costs.reduce((a, b) => (b.cpuSeconds < a.cpuSeconds ? b : a))
}

/** A scan by a built command line as a whole process: CPU and wall seconds, and the largest resident memory. */
export function scanCost(apk: string, cli = CLI): Cost {
  const started = performance.now()
  const hook = `data:text/javascript,${encodeURIComponent(TELL_USAGE)}`
  const options = ['--gate', 'none', '--format', 'json', '--out', '/dev/null']
  const command = [process.execPath, '--import', hook, cli, 'scan', apk, ...options]
  const errorOutput = runQuietly('sh', ['-c', 'exec "$@" 2>&1 >/dev/null', 'sh', ...command])
  const usage = JSON.parse(errorOutput.slice(errorOutput.lastIndexOf('usage ') + 6)) as NodeJS.ResourceUsage
  return {
    cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    wallSeconds: (performance.now() - started) / 1000,
    peakMb: usage.maxRSS / 1024,
  }
}

function androguardCost(apk: string): Cost | null {
  const python = '/usr/bin/python3'
  try {
    execFileSync(python, ['-c', 'import androguard.misc'], { stdio: 'ignore' })
  } catch {
    return null
  }
  const started = performance.now()
  const [cpu = 0, peak = 0] = runQuietly(python, ['-c', ANDROGUARD, apk]).trim().split(' ').map(Number)
  return { cpuSeconds: cpu, wallSeconds: (performance.now() - started) / 1000, peakMb: peak / 1024 }
}

const runQuietly = (command: string, args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })

/** The manifest and resources of the sample, its code several times under other names, and bytes that do not compress. */
function largePackage(apk: string): Uint8Array {
  const zip = readZip(new Uint8Array(readFileSync(apk)))
  const dexes = zip.entries.filter(({ name }) => /^classes\d*\.dex$/.test(name)).map((entry) => entryBytes(zip, entry))
  const others = ['AndroidManifest.xml', 'resources.arsc'].flatMap((name) => {
    const entry = zip.byName.get(name)
    return entry ? [{ name, data: entryBytes(zip, entry) }] : []
  })
  const code = Array.from({ length: COPIES }, (_, copy) => dexes.map((dex) => renamed(dex, copy))).flat()
  const entries = [...others, ...code.map((data, i) => ({ name: `classes${i ? i + 1 : ''}.dex`, data }))]
  const size = writeZip(entries).length
  return writeZip([...entries, { name: 'assets/noise.bin', data: noise(LARGE - size), deflate: false }])
}

/** Packages that the code defines itself begin with another letter in each copy. */
function renamed(dex: Uint8Array, copy: number): Uint8Array {
  if (copy === 0) return dex
  const text = Buffer.from(dex).toString('latin1')
  const letter = String.fromCharCode(0x70 + copy)
  return new Uint8Array(
    Buffer.from(text.replace(/L(?=(io|com|org|androidx|kotlin)\/).(?=\w*\/)/g, `L${letter}`), 'latin1'),
  )
}

/** Bytes of a generator that is the same everywhere. */
function noise(length: number): Uint8Array {
  const words = new Uint32Array(length >> 2)
  let state = 0x9e3779b9
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    words[i] = state
  }
  return new Uint8Array(words.buffer)
}
