import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { PAGE_NAMES, PAGES } from '#contracts/pages.ts'

/** One slice has one name in contracts/http, server/modules and src/features, and no two folders import each other. */

const names = (folder: string) =>
  readdirSync(folder, { withFileTypes: true }).map((one) => one.name.replace(/[.]ts$/, ''))
const contracts = names('contracts/http').filter((name) => name !== 'index' && name !== 'endpoint')
const modules = names('server/modules')
const groups = readdirSync('src/features')

/** Server slices that other slices' pages show, or none: name -> where. */
const WITHOUT_PAGES: Record<string, string> = {
  baselines: 'awareness/abnormal-returns',
  erasures: 'awareness/devices',
  exports: 'the export menu of every list (src/shared/table)',
  health: 'read by machines; the shell shows the state',
  ingest: 'platform/settings',
  jobs: 'the notifications of the shell',
  ldap: 'platform/settings',
  oidc: 'platform/settings and start/login',
  'platform-info': 'the user menu of the shell, start/login and knowledge/about',
  'saved-views': 'the query bar (src/shared/query)',
  search: 'the command palette (src/app/actions)',
  'second-factor': 'start/login and the account dialogs of the shell',
  sites: 'platform/settings',
  tokens: 'platform/settings',
  accounts: 'start/login and the shell',
}

test('every endpoint file of contracts/http has a server module of the same name, and the other way round', () => {
  expect([...modules].sort()).toEqual([...contracts].sort())
})

test('every endpoint file below contracts/http is listed in contracts/http/index.ts', () => {
  const index = readFileSync('contracts/http/index.ts', 'utf8')
  const files = readdirSync('contracts/http', { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /[.]ts$/.test(file) &&
      !/^index[.]ts$/.test(file) &&
      /= endpoint\(/.test(readFileSync(`contracts/http/${file}`, 'utf8')),
  )
  expect(files.length).toBeGreaterThan(30)
  expect(files.filter((file) => !index.includes(`'./${file}'`))).toEqual([])
})

test('every server module has a client slice of the same name, or is listed as shown elsewhere', () => {
  const slices = new Set([...groups, ...groups.flatMap((group) => readdirSync(join('src/features', group)))])
  const without = modules.filter((name) => !slices.has(name))
  expect(without.sort()).toEqual(Object.keys(WITHOUT_PAGES).sort())
})

test('the component of every page lies below the folder of its page group, or in the slice of a server module', () => {
  const text = readFileSync('src/app/page-components.ts', 'utf8')
  const found = [...text.matchAll(/^ {2}(\w+): \(\) => import\('#src\/features\/([\w-]+)\/([\w-]+)\/[\w-]+[.]tsx'\)/gm)]
  expect(found.length).toBeGreaterThan(40)
  const misplaced = found.filter(
    ([, page, group, slice]) =>
      PAGE_NAMES.some((name) => name === page) &&
      PAGES[page as keyof typeof PAGES].group !== group &&
      !modules.includes(slice as string),
  )
  expect(misplaced.map(([, page, group]) => `${page} in ${group}`)).toEqual([])
})

/** The folder that a file counts to: its own at `depth` segments, or shorter where it lies higher. */
const folderOf = (file: string, depth: number) => posix.dirname(file).split('/').slice(0, depth).join('/')

/** `from -> to` folders below `root` by import lines of product files. */
function folderImports(root: string, depth: number): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/[.]tsx?$/.test(name) || /[.]test[.]tsx?$/.test(name)) continue
    const file = `${root}/${name}`
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      if (!specifier || !/^[#.]/.test(specifier)) continue
      const target = specifier.startsWith('#') ? specifier.slice(1) : posix.join(posix.dirname(file), specifier)
      if (!target.startsWith(`${root}/`)) continue
      const [from, to] = [folderOf(file, depth), folderOf(target, depth)]
      if (from === to) continue
      const targets = edges.get(from) ?? new Set()
      edges.set(from, targets.add(to))
    }
  }
  return edges
}

/** One closed path of folders, or undefined. */
function findCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>()
  const walk = (folder: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder]
    if (done.has(folder)) return undefined
    for (const next of edges.get(folder) ?? []) {
      const cycle = walk(next, [...path, folder])
      if (cycle) return cycle
    }
    done.add(folder)
    return undefined
  }
  for (const folder of edges.keys()) {
    const cycle = walk(folder, [])
    if (cycle) return cycle
  }
  return undefined
}

test('the search for folder cycles finds a planted one', () => {
  const edges = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['a'])],
  ])
  expect(findCycle(edges)).toEqual(['a', 'b', 'c', 'a'])
  expect(findCycle(new Map([['a', new Set(['b', 'c'])]]))).toBeUndefined()
})

test.each([
  ['server', 2],
  ['server/modules', 3],
  ['server/platform', 3],
  ['engines', 2],
  ['engines/detect', 3],
  ['storage', 2],
  ['storage/events', 3],
  ['realtime', 2],
  ['realtime/collect', 3],
  ['contracts', 2],
  ['src', 2],
  ['src/app', 3],
  ['src/features', 3],
  ['src/features', 4],
  ['src/shared', 3],
] as const)('no folders below %s import each other in a circle', (root, depth) => {
  const edges = folderImports(root, depth)
  // Files at the top of the root itself compose what lies below: they are no folder.
  edges.delete(root)
  for (const targets of edges.values()) targets.delete(root)
  expect(findCycle(edges)?.join(' -> ')).toBeUndefined()
})
