import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A real package from elsewhere; its bytes are read when asked, so that one is in memory at a time. */
export interface ReportPackage {
  /** `vuln/diva-beta.apk` of the corpus, `owner/repository/path` of a repository, `npm/package/path` of a dev dependency. */
  readonly name: string
  readonly source: 'npm' | 'corpus' | 'repository'
  readonly sha256: string
  bytes(): Uint8Array
}

export interface PackageFolders {
  /** A folder with `packages/` and `committed/`. */
  readonly corpus: string | undefined
  /** Git directories `OWNER+NAME/repo` or `OWNER+NAME/repo/.git`. */
  readonly mirrors: string | undefined
}

/** `CORPUS_DIR` and `MIRRORS_DIR`. */
export const FOLDERS: PackageFolders = {
  corpus: process.env['CORPUS_DIR'] || undefined,
  mirrors: process.env['MIRRORS_DIR'] || undefined,
}

const NPM = ['appium-uiautomator2-server', 'io.appium.settings']
const PACKAGE = /\.(?:apk|aab|apks|xapk|aar|ipa)$/i
const SMALLEST = 5_000
const LARGEST = 20 * 2 ** 20
/** So that a collection of hundreds of test programs does not outweigh everything else. */
const MOST_OF_A_REPOSITORY = 12

/** All packages that are there, each content once, sorted by name; dev dependencies first, then corpus, then repositories. */
export function reportPackages({ corpus, mirrors }: PackageFolders): ReportPackage[] {
  const seen = new Set<string>()
  return [...npmPackages(), ...(corpus ? corpusPackages(corpus) : []), ...(mirrors ? mirroredPackages(mirrors) : [])]
    .map((one) => ({ ...one, sha256: createHash('sha256').update(one.bytes()).digest('hex') }))
    .filter(({ sha256 }) => !seen.has(sha256) && seen.add(sha256))
}

type Found = Omit<ReportPackage, 'sha256'>

const filesOf = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => PACKAGE.test(name))
        .sort()
    : []

const npmPackages = (): Found[] =>
  NPM.flatMap((name) =>
    filesOf(join('node_modules', name)).map((path) => ({
      name: `npm/${name}/${path}`,
      source: 'npm' as const,
      bytes: () => readFileSync(join('node_modules', name, path)),
    })),
  )

/** Vectors of signature tests are left out: hundreds of copies of one small program. */
const corpusPackages = (corpus: string): Found[] =>
  ['committed', 'packages'].flatMap((part) =>
    filesOf(join(corpus, part))
      .filter((name) => !/^(?:apksig|sigextra|js)\//.test(name))
      .map((name) => ({ name, source: 'corpus' as const, bytes: () => readFileSync(join(corpus, part, name)) })),
  )

const mirroredPackages = (mirrors: string): Found[] =>
  readdirSync(mirrors)
    .sort()
    .flatMap((folder) => {
      const directory = gitDirectory(mirrors, folder.replace('+', '/'))
      if (!directory) return []
      return packagesIn(directory)
        .slice(0, MOST_OF_A_REPOSITORY)
        .map(({ path, blob }) => ({
          name: `${folder.replace('+', '/')}/${path}`,
          source: 'repository' as const,
          bytes: () => git(directory, 'cat-file', 'blob', blob),
        }))
    })

/** The git directory of a repository that lies beside the project. */
export function gitDirectory(mirrors: string, repository: string): string | undefined {
  const folder = join(mirrors, repository.replace('/', '+'), 'repo')
  return [join(folder, '.git'), folder].find((name) => existsSync(join(name, 'HEAD')))
}

export const git = (directory: string, ...args: string[]): Buffer =>
  execFileSync('git', ['--git-dir', directory, ...args], { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] })

/** Packages of the newest commit whose content is there; each content once. */
function packagesIn(directory: string): { path: string; blob: string }[] {
  const seen = new Set<string>()
  return git(directory, 'ls-tree', '-r', '-l', '-z', 'HEAD')
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, blob = '', size = '', path = ''] = /^\d+ blob (\w+)\s+(\S+)\t(.+)$/s.exec(line) ?? []
      const bytes = Number(size)
      if (!PACKAGE.test(path) || !(bytes >= SMALLEST && bytes <= LARGEST) || seen.has(blob)) return []
      seen.add(blob)
      return [{ path, blob }]
    })
}
