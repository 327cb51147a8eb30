import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'

/** How modules are put into files for the browser. Left to the bundler, a page would request 150 files, most of them of a few lines. */

/** Packages with one module that exports everything: an import of one name from it is an edge to all of them in the graph of imports. */
const BARRELS = ['lucide-react', 'react-aria-components']
const LOGIN = ['src/features/start/login/login-page.tsx']
const SHELL = ['src/app/signed-in.tsx', 'src/app/shell/shell.tsx', 'src/app/overflow-tooltip.ts']
/** Libraries for maps and charts are large and stay in files of their own. */
const LARGE = /node_modules[\\/](@?maplibre|react-map-gl|@deck|@luma|@math|@loaders|@probe|echarts|zrender|topojson)/
/** Bytes of source below which a shared file is merged into one that similar pages load. */
const SMALL = 1_500

type Graph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null }

/** Names are imported from the file that defines them, so that the graph of imports says what a page really needs. */
export const withoutBarrels = {
  name: 'without-barrels',
  apply: 'build' as const,
  transform(code: string, id: string) {
    if (id.includes('node_modules') || !BARRELS.some((one) => code.includes(`"${one}"`) || code.includes(`'${one}'`)))
      return undefined
    return code.replace(
      new RegExp(`^import \\{([^}]*)\\} from ["'](${BARRELS.join('|')})["'];?`, 'gm'),
      (_whole, names: string, barrel: string) => {
        const exported = exportsOf(barrel)
        return pairs(names)
          .map(([name, local]) => {
            const source = exported.get(name)
            if (!source) throw new Error(`${barrel} exports no ${name}`)
            return `import { ${source.name} as ${local} } from ${JSON.stringify(source.file)};`
          })
          .join(' ')
      },
    )
  },
}

const known = new Map<string, Map<string, { name: string; file: string }>>()
/** Where a barrel has each name from: `export { a as B } from './file'`. */
function exportsOf(barrel: string): Map<string, { name: string; file: string }> {
  let exported = known.get(barrel)
  if (exported) return exported
  exported = new Map()
  const folder = dirname(createRequire(import.meta.url).resolve(`${barrel}/package.json`))
  const { exports, module } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'))
  const entry = resolve(folder, exports?.['.']?.import ?? module)
  const text = readFileSync(entry, 'utf8')
  const at = (file: string) => (file.startsWith('.') ? resolve(dirname(entry), file) : file)
  const imported = new Map<string, { name: string; file: string }>()
  for (const [, names, file] of text.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g))
    for (const [name, local] of pairs(names as string)) imported.set(local, { name, file: at(file as string) })
  for (const [, names, file] of text.matchAll(/export\s*\{([^}]*)\}\s*(?:from\s*["']([^"']+)["'])?/g))
    for (const [name, as] of pairs(names as string)) {
      const source = file ? { name, file: at(file) } : imported.get(name)
      if (source) exported.set(as, source)
    }
  known.set(barrel, exported)
  return exported
}

/** The names between the braces of an import or export, with what follows `as`. */
function pairs(names: string): [name: string, as: string][] {
  return names
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .map((one) => {
      const [name, as = name] = one.split(/\s+as\s+/) as [string, string?]
      return [name, as]
    })
}

const reached = new Map<string, Set<string>>()
/** Every module that a file imports, itself or through others; not what it loads later. */
function reach(root: string, graph: Graph): Set<string> {
  const before = reached.get(root)
  if (before) return before
  // A file that was moved would be an empty set, and everything would be loaded by every page.
  if (!graph.getModuleInfo(resolve(root))) throw new Error(`${root} is not part of the bundle`)
  const seen = new Set<string>()
  const left = [resolve(root)]
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    left.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  reached.set(root, seen)
  return seen
}

const isIn = (roots: readonly string[], id: string, graph: Graph) => roots.some((root) => reach(root, graph).has(id))

/**
 * `start` what every page loads, `common` what both the login page and the shell need, `shell` the rest of the shell; then what pages
 * share, in as few files as possible.
 */
export const chunkGroups = [
  { name: 'start', tags: ['$initial' as const] },
  {
    name: (id: string, graph: Graph) => (isIn(LOGIN, id, graph) && isIn(SHELL, id, graph) ? 'common' : null),
  },
  { name: (id: string, graph: Graph) => (isIn(SHELL, id, graph) ? 'shell' : null) },
  { name: (id: string, graph: Graph) => (isIn(LOGIN, id, graph) ? 'login' : null) },
  // Every page of a signed-in account opens it after its first load.
  { name: 'live-connection', test: /shared[\\/]live[\\/]live-connection/ },
  {
    name: 'shared',
    test: (id: string) => !LARGE.test(id),
    minShareCount: 3,
    entriesAware: true,
    entriesAwareMergeThreshold: SMALL,
  },
]

/** What is shared would be named after every page that loads it. */
export const chunkFileNames = ({ name }: { name: string }) =>
  `assets/${name.startsWith('shared~') ? 'shared' : '[name]'}-[hash].js`

const COMPONENTS = 'src/app/page-components.ts'
type Chunk = {
  type: 'chunk'
  fileName: string
  facadeModuleId: string | null
  moduleIds: readonly string[]
  imports: readonly string[]
  viteMetadata?: { importedCss: ReadonlySet<string> }
}

/**
 * Writes page-files.json: for the login page and each page of the page table the files that opening it loads, itself or through others. The
 * server names them with the page (server/http/static-files.ts), so that the browser requests all of them at once.
 */
export const pageFiles = {
  name: 'page-files',
  apply: 'build' as const,
  generateBundle(
    this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): string },
    _options: unknown,
    bundle: Readonly<Record<string, Chunk | { type: 'asset' }>>,
  ) {
    const chunks = new Map(
      Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])),
    )
    const ofModule = new Map(
      [...chunks.values()].flatMap((one) => one.moduleIds.map((id) => [id, one.fileName] as const)),
    )
    const ofFacade = new Map([...chunks.values()].map((one) => [one.facadeModuleId, one.fileName]))
    const filesOf = (modules: readonly string[]) => {
      const files = new Set<string>()
      const add = (name: string | undefined) => {
        const chunk = name === undefined ? undefined : chunks.get(name)
        if (!chunk || files.has(chunk.fileName)) return
        files.add(chunk.fileName)
        for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css)
        for (const needed of chunk.imports) add(needed)
      }
      for (const one of modules.map((file) => resolve(file))) {
        if (!ofModule.has(one)) throw new Error(`${one} is not part of the bundle`)
        // A module that is part of a larger file is imported through a small one of its name.
        add(ofFacade.get(one) ?? ofModule.get(one))
      }
      return [...files]
    }
    const pages: Record<string, string[]> = { login: filesOf(LOGIN) }
    const text = readFileSync(COMPONENTS, 'utf8')
    const components = [...text.matchAll(/^ {2}(\w+): \(\) => import\('#([^']+)'\)/gm)]
    // One that is written in another way would open slowly, and nothing would say so.
    if (components.length !== text.split('=> import(').length - 1) throw new Error(`${COMPONENTS}: a page was not read`)
    for (const [, page, file] of components) pages[page as string] = filesOf([...SHELL, file as string])
    this.emitFile({ type: 'asset', fileName: 'page-files.json', source: JSON.stringify(pages) })
  },
}
