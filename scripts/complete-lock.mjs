// Completes package-lock.json after a change of packages (`npm run lock [-- FILE]`). Where the registry leaves out the binaries of foreign
// platforms, npm writes a lock that names optional packages without holding them, and `npm ci` refuses it. This adds one entry
// {version, optional, os, cpu, libc} for each of them; running it again changes nothing.
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = process.argv[2] ?? 'package-lock.json'
const SYSTEMS = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ')
const PROCESSORS = { mips64el: 'mips64el' }
for (const name of 'arm arm64 ia32 loong64 ppc64 riscv64 s390x wasm32 x64'.split(' ')) PROCESSORS[name] = name

const lock = JSON.parse(readFileSync(FILE, 'utf8'))
const { packages } = lock
let added = 0
for (const [path, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (!/^\d/.test(version) || isHeld(path, name)) continue
    const platform = platformOf(name)
    if (!platform) continue
    const fields = { ...platform, ...(entry.dev && { dev: true }), license: entry.license, optional: true }
    packages[`node_modules/${name}`] = { version, ...byKey(fields) }
    added++
  }
}
lock.packages = byKey(packages)
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} entries added to ${FILE}`)

/** Whether Node would find the package from this place of the tree. */
function isHeld(from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at && `${at}/`}node_modules/${name}`]) return true
    if (!at) return false
  }
}

/** os, cpu and libc from the package's name; undefined where it has neither system nor processor. */
function platformOf(name) {
  const words = name.split('/').at(-1).split(/[-_.]/)
  const os = SYSTEMS.find((one) => words.includes(one))
  const cpu = Object.keys(PROCESSORS).find((one) => words.includes(one))
  if (!os && !cpu) return undefined
  const musl = words.some((word) => word.startsWith('musl'))
  const libc = os === 'linux' && (musl ? 'musl' : words.includes('gnu') ? 'glibc' : undefined)
  return { ...(cpu && { cpu: [PROCESSORS[cpu]] }), ...(os && { os: [os] }), ...(libc && { libc: [libc] }) }
}

/** npm's own order of keys, so that a later `npm install` changes no line. */
function byKey(object) {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
