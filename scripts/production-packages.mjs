// Which packages the built programs load at run time, read out of the bundles and the lock file.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PLATFORM = { os: 'linux', cpu: 'x64', libc: 'glibc' }

/**
 * Lock paths of every package that the bundles in `dist` load and of what those depend on. The packages of the browser are inside dist/web, so they are not among them.
 */
export function productionPackages(top, dist = join(top, 'dist/node')) {
  const packages = lockedPackages(top)
  return packageClosure(top, loadedPackages(dist, Object.keys(packages[''].dependencies)))
}

/** Lock paths (`node_modules/a/node_modules/b`) of the packages and of everything that they need here, sorted. */
export function packageClosure(top, names) {
  const packages = lockedPackages(top)
  const found = new Set()
  const queue = names.map((name) => ['', name])
  for (const [from, name] of queue) {
    if (/^(@types\/|undici-types$)/.test(name)) continue // types only
    const path = resolveInLock(packages, from, name)
    if (!path || found.has(path) || !runsHere(packages[path]) || !existsSync(join(top, path))) continue
    found.add(path)
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path]
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
    for (const next of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      queue.push([path, next])
  }
  return [...found].sort()
}

function lockedPackages(top) {
  return JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')).packages
}

/** Import statements stand at the start of a line in the bundles; the rest are calls with a literal: import(), resolve(), require(). */
const LOADED = [
  /^(?:import|export)\b[^'"`;]*["']([^"'./#][^"']*)["']/gm,
  /(?:\bimport|\bresolve|\brequire|\))\(\s*["'`]([^"'`./#][^"'`]*)["'`]/g,
]

function loadedPackages(dist, names) {
  const loaded = new Set()
  for (const file of readdirSync(dist).filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(join(dist, file), 'utf8')
    for (const pattern of LOADED) for (const [, module] of text.matchAll(pattern)) loaded.add(module)
  }
  return names.filter((name) => [...loaded].some((module) => module === name || module.startsWith(`${name}/`)))
}

/** Where Node would find `name` from the package at `from`. */
function resolveInLock(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at && `${at}/`}node_modules/${name}`
    if (packages[path]) return path
    if (!at) return undefined
  }
}

function runsHere(entry) {
  return Object.entries(PLATFORM).every(([field, value]) => !entry[field] || entry[field].includes(value))
}
