// The SDKs of the session protocol (sdk/session): modules for browsers and Node, Java and Swift as source.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { findJavac } from './build-sdk-android.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))
const folder = join(top, 'sdk/session')

/** One ES module without anything else to load; that for Node imports the modules of Node. */
export async function sessionModule(name) {
  const node = name === 'node'
  const result = await build({
    root: top,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: node ? 'node20' : 'es2020',
      minify: !node,
      lib: { entry: join(folder, `${name}.ts`), formats: ['es'] },
      rolldownOptions: node ? { external: /^node:/ } : { output: { minify: true } },
    },
  })
  const { output } = Array.isArray(result) ? result[0] : result
  return Buffer.from(output[0].code)
}

/** Files below folders of sdk/session with one of these endings, as a download holds them. */
export function sessionSources(folders, endings) {
  return folders.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => ({ name: relative(folder, path).split(sep).join('/'), data: readFileSync(path) })),
  )
}

/**
 * Compiles the Java client and the servlet filter, the latter against stub classes of ours, and what `more` names, into `into`. `files`
 * replaces the sources, `classpath` the stubs.
 */
export function compileSession(into, { more = [], files, classpath } = {}) {
  const javac = findJavac()
  if (!javac) throw Object.assign(new Error('no javac here (a JDK of version 11 or later)'), { reason: 'javac' })
  const names = files ?? sessionSources(['java', 'servlet'], ['.java']).map(({ name }) => join(folder, name))
  const path = classpath ? ['-cp', classpath] : []
  // A library names others in its manifest that need not be here.
  const lint = '-Xlint:all,-options,-serial,-path'
  const args = ['--release', '8', '-encoding', 'UTF-8', lint, '-Werror', ...path, '-d', into]
  const { status, stderr, stdout } = spawnSync(javac, [...args, ...names, ...more], { encoding: 'utf8' })
  if (status !== 0) throw Object.assign(new Error(`javac: ${stderr || stdout}`), { reason: 'compile' })
}
