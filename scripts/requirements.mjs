// Lists the ids of docs/requirements.md that no test title has: node scripts/requirements.mjs
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const ids = [...readFileSync('docs/requirements.md', 'utf8').matchAll(/^\| ([A-Z]+-\d+) \| (.*) \|$/gm)]
const tests = execFileSync('git', ['ls-files', '-z', '*.test.ts', '*.test.tsx', '*.e2e.ts'], { encoding: 'utf8' })
const tested = new Set()
for (const file of tests.split('\0').filter(Boolean))
  for (const [, id] of readFileSync(file, 'utf8').matchAll(/\[([A-Z]+-\d+)\]/g)) tested.add(id)
const missing = ids.filter(([, id]) => !tested.has(id))
for (const [, id, text] of missing) console.log(`${id}\t${text}`)
console.log(`${ids.length - missing.length} of ${ids.length} requirements have a test`)
