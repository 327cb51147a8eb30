import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Seconds of test time that `npm test` gives to the long files of each kind; two files run at a time. */
const BUDGETS = { process: 800, browser: 800 }

/**
 * What one run of `npm test` takes of the long test files, and what it leaves to `npm run test:all`.
 * @param {string} seed the same seed takes the same files
 * @param {Record<string, number>} seconds of each long file in a whole run; files that are not in it always run
 * @param {{ process: number, browser: number }} budgets seconds of test time by kind
 * @returns {{ taken: string[], left: string[] }} the seconds of what is taken stay within the budgets
 */
export function sampleTests(seed, seconds = recordedSeconds(), budgets = BUDGETS) {
  const rank = (file) => createHash('sha256').update(`${seed} ${file}`).digest('hex')
  const remaining = { ...budgets }
  const taken = []
  const left = []
  const ranked = Object.entries(seconds).map(([file, time]) => ({ file, time, rank: rank(file) }))
  for (const { file, time } of ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1))) {
    const kind = kindOf(file)
    if (time > remaining[kind]) left.push(file)
    else {
      remaining[kind] -= time
      taken.push(file)
    }
  }
  return { taken: taken.sort(), left: left.sort() }
}

/** Files of a whole run that are long enough to be sampled: 5 s and more, and no unit or component test. */
export function longFiles(seconds) {
  const long = Object.entries(seconds).filter(([file, time]) => time >= 5 && kindOf(file))
  return Object.fromEntries(long.map(([file, time]) => [file, Math.ceil(time)]).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function kindOf(file) {
  if (file.endsWith('.e2e.ts')) return 'browser'
  return file.endsWith('.process.test.ts') || /^tests\/(?!architecture|package)/.test(file) ? 'process' : undefined
}

function recordedSeconds() {
  return JSON.parse(readFileSync(new URL('../tests/long-files.json', import.meta.url), 'utf8'))
}
