import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { healthz } from '#contracts/http/health.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import { PAGE_NAMES, PAGES } from '#contracts/pages.ts'
import { COLLECT_POLICY_PATH } from '#contracts/telemetry/policy.ts'
import { COLLECT_ENROL_PATH, COLLECT_EVENTS_PATH } from '#contracts/telemetry/wire.ts'
import { ANDROID_ITEMS } from '#engines/detect/catalogue/rule-items.ts'
import privacy from '#engines/detect/data/privacy-items.json' with { type: 'json' }
import sdks from '#engines/detect/data/sdks.json' with { type: 'json' }
import { IOS_ITEMS } from '#engines/detect/ios/ios-items.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** The documents name files, commands and numbers that exist. Package listings in docs/third-party.md are generated. */

const list = (...args: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...args], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && existsSync(file))
const FILES = list()
const FOLDERS = new Set(FILES.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))))
const TOP_FOLDERS = new Set([...FOLDERS].filter((folder) => folder && !folder.includes('/')))
const DOCUMENTS = FILES.filter((file) => file.endsWith('.md') && file !== 'docs/third-party.md')
/** What the help of the command line lists, and what only a delivered package has. */
const COMMANDS = [
  'start',
  'demo',
  ...[...readFileSync('cli/main.ts', 'utf8').matchAll(/^ {2}([a-z]+) .* {2,}\S/gm)].map(([, name]) => name as string),
]
const SERVED = [
  ...[...ENDPOINTS.values()].map(({ path }) => path),
  COLLECT_EVENTS_PATH,
  COLLECT_ENROL_PATH,
  COLLECT_POLICY_PATH,
  '/api/openapi.json',
]
const VARIABLES = new Set(
  list('*.ts', '*.mjs', '*.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bAPPWARDEN_[A-Z_]+/g)].map(([name]) => name),
  ),
)

/** `a/{b,c}/*.ts` and `<slice>` as a pattern. */
const patternOf = (path: string) =>
  path
    .replace(/[.+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(',', '|')})`)
    .replace(/\*+|<[^>]+>|NNNN/g, '[^/]*')
    .replace(/\/$/, '')
const exists = (path: string) =>
  FOLDERS.has(path.replace(/\/$/, '')) || FILES.some((file) => new RegExp(`^${patternOf(path)}(?:/|$)`).test(file))
/** A path that a document gives from a folder of its area. */
const isEndOfFile = (path: string) => FILES.some((file) => new RegExp(`(?:^|/)${patternOf(path)}$`).test(file))

/** Paths from the top of the repository, and names of source files, that a text names. */
function unknownPaths(text: string): string[] {
  const links = /\]\([^)]*\)|https?:\/\/\S+/g
  const words = text.replace(links, ' ').matchAll(/(?<![\w/.@#*-])[\w.-]*[\w}>](?:\/[\w.{},*<>-]+)*\/?/g)
  const unknown: string[] = []
  for (const [word] of words) {
    const path = word.replace(/[.,]+$/, '')
    if (/^(?:reports|dist|data)\//.test(path)) continue
    const top = path.split('/')[0] as string
    const isSource = /[.](?:tsx?|mjs|tsv)$/.test(path)
    if (
      path.includes('/') && TOP_FOLDERS.has(top) && /[.]\w+$|\/$/.test(path)
        ? !exists(path) && !isEndOfFile(path)
        : isSource && !isEndOfFile(path)
    )
      unknown.push(path)
  }
  return unknown
}

test('planted unknown paths are found, known ones and other words are not', () => {
  const planted =
    'See `server/main.ts`, server/none.ts, `read/{batch,slices}.ts`, storage/nowhere/ and nothing.mjs; and/or 1/2.'
  expect(unknownPaths(planted)).toEqual(['server/none.ts', 'storage/nowhere/', 'nothing.mjs'])
})

describe.each(DOCUMENTS)('%s', (document) => {
  const text = readFileSync(document, 'utf8')

  test('every relative link leads to a file', () => {
    const targets = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target]) => target as string)
    const missing = targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(posix.join(posix.dirname(document), target)))
    expect(missing).toEqual([])
  })

  test('every path of the repository exists', () => {
    expect(unknownPaths(text)).toEqual([])
  })

  test('every npm script and every command of appwarden exists', () => {
    const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name as string)
    expect(scripts.filter((name) => !(name in packageJson.scripts))).toEqual([])
    const commands = [...text.matchAll(/(?:npx|[.][/])\s?appwarden ([a-z][a-z-]*)/g)].map(([, name]) => name as string)
    expect(commands.filter((name) => !COMMANDS.includes(name))).toEqual([])
  })

  test('every endpoint and page below a known group exists', () => {
    const endpoints = [...text.matchAll(/(?<![\w.])\/(?:api|collect)\/[\w./:{}-]+/g)].map(([path]) => path)
    expect(
      endpoints.filter((path) => !SERVED.some((known) => known.startsWith(path.replace(/\{.*|[.,]$/, '')))),
    ).toEqual([])
    const pages = [
      ...text.matchAll(
        /(?<![\w./])\/(?:detection|statistics|mssa|exceptions|platform|protect|knowledge|assets)\/[\w/:]+/g,
      ),
    ]
    const paths = PAGE_NAMES.map((name) => PAGES[name].path)
    expect(pages.map(([path]) => path).filter((path) => !paths.some((known) => known.startsWith(path)))).toEqual([])
  })

  test('every environment variable is read by the code', () => {
    const names = [...text.matchAll(/\bAPPWARDEN_[A-Z_]+/g)].map(([name]) => name)
    expect(names.filter((name) => !VARIABLES.has(name))).toEqual([])
  })
})

/** References to the specification or to a folder outside the repository, in a text whose lines are joined. Public standards are named. */
function outsideReferences(text: string): string[] {
  const joined = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ')
  const cited = joined.matchAll(
    /\bthe specification\b|\bspecification(?:'s\b|,? (?:sections?|chapters?)\b)|\bspec(?:ification)? \d|(?<=\s|^)[(]spec(?:ification)?[:,)]|§ ?\d/gi,
  )
  const folders = joined.matchAll(/(?<![\w./@#-])(?:[/](?:work|home|Users)[/][\w./-]+|shared[/][\w./-]+)/g)
  return [
    ...[...cited].map(({ index }) => joined.slice(Math.max(0, index - 20), index + 40)),
    ...[...folders].map(([path]) => path).filter((path) => !exists(`src/${path.replace(/[.]+$/, '')}`)),
  ]
}

test('planted references to what is outside the repository are found, public standards and own folders are not', () => {
  const planted = [
    'as the\n * specification says',
    '(spec: x)',
    'specification, section 4',
    'see shared/corpus/list',
    // Put together here, so that this file holds no such path itself.
    `/${'home'}/a/b`,
  ]
  for (const text of planted) expect(outsideReferences(text), text).toHaveLength(1)
  expect(outsideReferences('DEX format, section 4; the CMS specification; shared/table and src/shared/none')).toEqual(
    [],
  )
})

test('nothing refers to a specification or a file outside the repository, except the preface of docs/requirements.md', () => {
  const texts = list('*.ts', '*.tsx', '*.mjs', '*.cjs', '*.md', '*.java', '*.css', '*.html', '*.sh', '*.yml').filter(
    (file) => !/third-party[.]md$|documents[.]test[.]ts$/.test(file),
  )
  expect(texts.length).toBeGreaterThan(1000)
  const found = texts.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const checked = file === 'docs/requirements.md' ? text.slice(text.indexOf('| id |')) : text
    return outsideReferences(checked).map((reference) => `${file}: ${reference}`)
  })
  expect(found).toEqual([])
})

test('the README and the areas state as many detection items and SDKs as there are', () => {
  const total = ANDROID_ITEMS.length + IOS_ITEMS.length
  const readme = readFileSync('README.md', 'utf8')
  expect(readme).toContain(`**Detection**: ${total} items`)
  expect(readme).toContain(`${sdks.rows.length.toLocaleString('en')} SDKs`)
  expect(readme).toContain(`${privacy.items.length} checks on personal information`)
  expect(readFileSync('docs/areas/detection-rules.md', 'utf8')).toContain(`the pack, ${ANDROID_ITEMS.length} items`)
  expect(readFileSync('docs/areas/engines-packages.md', 'utf8')).toContain(`the ${IOS_ITEMS.length} items of iOS`)
})

test('the README lists the pages that are not built, in the order of the page table', () => {
  const unbuilt = PAGE_NAMES.map((name) => PAGES[name]).filter(({ built, hidden }) => !built && !hidden)
  const readme = readFileSync('README.md', 'utf8').replace(/\s+/g, ' ')
  if (unbuilt.length) expect(readme).toContain(`- Pages: ${unbuilt.map(({ en }) => en).join(', ')}. They show`)
  else expect(readme).not.toContain('- Pages: ')
})

test('docs/operations/monitoring.md lists the metrics of /metrics, and the Grafana dashboard draws no other', () => {
  const source = readFileSync('server/processes/metrics.ts', 'utf8')
  const served = [...source.matchAll(/add\('([a-z_]+)', '(counter|gauge)', '([^']*)'/g)]
  const rows = served.map(([, name, type, help]) => `| appwarden_${name} | ${type} | ${help} |`)
  const documented = readFileSync('docs/operations/monitoring.md', 'utf8').match(/^\| appwarden_.*$/gm)
  expect(documented).toEqual(rows)
  const dashboard = readFileSync('docs/operations/grafana-dashboard.json', 'utf8')
  const drawn = [...dashboard.matchAll(/\bappwarden_([a-z_]+)/g)].map(([, name]) => name)
  expect(drawn.length).toBeGreaterThan(0)
  expect(drawn.filter((name) => !served.some(([, metric]) => metric === name))).toEqual([])
})

test('docs/operations/health.md explains every state that /healthz has', () => {
  const text = readFileSync('docs/operations/health.md', 'utf8')
  const { stores, problem, journal_incidents, processes } = healthz.response.shape
  const states = [
    ...Object.entries(stores.shape).flatMap(([store, { options }]) => options.map((one) => `stores.${store}: ${one}`)),
    ...Object.entries(processes.shape).flatMap(([name, { options }]) =>
      options.map((one) => `processes.${name}: ${one}`),
    ),
    ...problem.unwrap().shape.kind.options.map((kind) => `problem.kind: ${kind}`),
    ...journal_incidents.element.shape.reason.options.map((reason) => `reason: ${reason}`),
  ].filter((state) => !state.endsWith(': ok'))
  expect(states.filter((state) => !text.includes(`\`${state}\``))).toEqual([])
})

test('docs/fault-tolerance.md names for each requirement A0 to A21 at least one test, and each of them exists', () => {
  const rows = readFileSync('docs/fault-tolerance.md', 'utf8').matchAll(/^\| (A\d+) \|[^|]+\| (.*) \|$/gm)
  const tests = new Map(
    [...rows].map(([, id, cell]) => [id, [...(cell as string).matchAll(/[\w./-]+\.ts\b/g)].map(([file]) => file)]),
  )
  expect([...tests.keys()]).toEqual(Array.from({ length: 22 }, (_, at) => `A${at}`))
  const isTest = (file: string) => existsSync(file) && /\.test\.ts$|^tests\/fault\//.test(file)
  expect([...tests].filter(([, files]) => !files.length || !files.every(isTest))).toEqual([])
})

test('docs/operations/dependencies.md lists exactly the entries of the lock file that have no integrity', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string; integrity?: string; link?: boolean }>
  }
  const without = Object.entries(packages)
    .filter(([path, { integrity, link }]) => path && !integrity && !link)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`)
  const text = readFileSync('docs/operations/dependencies.md', 'utf8')
  expect([...text.matchAll(/^- `(\S+ \S+)`$/gm)].map(([, entry]) => entry)).toEqual(without)
  expect(text).toContain(`${without.length} of ${Object.keys(packages).length - 1} entries have none`)
})

test('at most 60 pictures are part of the repository, and each is shown or linked by a document', () => {
  const pictures = FILES.filter((file) => file.startsWith('docs/screens/'))
  expect(pictures.length).toBeLessThanOrEqual(60)
  const texts = DOCUMENTS.map((file) => readFileSync(file, 'utf8')).join('\n')
  expect(pictures.filter((file) => !texts.includes(file.slice('docs/'.length)))).toEqual([])
  const linked = [...texts.matchAll(/screens\/([\w-]+\.png)/g)].map(([, name]) => `docs/screens/${name}`)
  expect(linked.filter((file) => !pictures.includes(file))).toEqual([])
})
