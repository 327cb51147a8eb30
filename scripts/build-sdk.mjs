// Builds what customers download: the web SDK as a script and as a module, the Android SDK as a jar and as source, the client of the
// interface, the SDKs of the session protocol. What cannot be built here (no javac) is named with the reason in the manifest, and the console says so.
//   node scripts/build-sdk.mjs [folder]        default: dist/sdk
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { androidClasses, androidSources } from './build-sdk-android.mjs'
import { sessionModule, sessionSources } from './build-sdk-session.mjs'
import { zip } from './build-sdk-zip.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))
const folder = resolve(process.argv[2] ?? join(top, 'dist/sdk'))
const version = /'([\d.]+)'/.exec(readFileSync(join(top, 'sdk/web/version.ts'), 'utf8'))[1]
const files = []
const missing = []

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const web = await webScripts()
add('web-script', 'web', `appwarden-web-${version}.js`, web.iife)
add('web-module', 'web', `appwarden-web-${version}.mjs`, web.es)
add('android-source', 'android', `appwarden-android-${version}-sources.zip`, zip(androidSources()))
const { version: product } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
add('client-module', 'server', `appwarden-client-${product}.mjs`, await client())
add('vite-plugin', 'server', `appwarden-vite-plugin-${product}.mjs`, await vitePlugin())
add('session-browser', 'web', `appwarden-session-browser-${version}.mjs`, await sessionModule('browser'))
add('session-node', 'server', `appwarden-session-node-${version}.mjs`, await sessionModule('node'))
const java = sessionSources(['java/src', 'servlet/src'], ['.java'])
add('session-java', 'android', `appwarden-session-java-${version}-sources.zip`, zip(java))
const swift = sessionSources(['swift'], ['.swift', '.md'])
add('session-swift', 'ios', `appwarden-session-swift-${version}-sources.zip`, zip(swift))
const protocol = ['protocol.md', 'vectors.generated.json'].map((name) => ({
  name,
  data: readFileSync(join(top, 'sdk/session', name)),
}))
add('session-protocol', 'any', `appwarden-session-protocol-${version}.zip`, zip(protocol))
try {
  add('android-jar', 'android', `appwarden-android-${version}.jar`, zip(androidClasses(version)))
} catch (error) {
  missing.push({ id: 'android-jar', platform: 'android', reason: error.reason ?? 'compile' })
  console.error(`appwarden-android-${version}.jar: ${error.message}`)
}
writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ version, files, missing }, null, 2)}\n`)

function add(id, platform, name, bytes) {
  writeFileSync(join(folder, name), bytes)
  const hash = (algorithm, form) => createHash(algorithm).update(bytes).digest(form)
  files.push({
    id,
    platform,
    name,
    size: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    sha256: hash('sha256', 'hex'),
    integrity: `sha384-${hash('sha384', 'base64')}`,
  })
}

/** One file each, without anything else to load. */
async function webScripts() {
  const [{ output: iife }, { output: es }] = await Promise.all(['iife', 'es'].map(bundle))
  return { iife: Buffer.from(iife[0].code), es: Buffer.from(es[0].code) }
}

async function bundle(format) {
  const result = await build({
    root: top,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2020',
      lib: { entry: join(top, 'sdk/web/appwarden.ts'), name: 'AppWarden', formats: [format] },
      rolldownOptions: { output: { minify: true } },
    },
  })
  return Array.isArray(result) ? result[0] : result
}

/** For Node: the modules of Node are all that it imports. */
function client() {
  return moduleForNode('sdk/client/appwarden-client.ts')
}

/** The same for builds: the obfuscator and the parser are inside. */
function vitePlugin() {
  return moduleForNode('sdk/vite-plugin/appwarden-vite-plugin.ts')
}

async function moduleForNode(entry) {
  const result = await build({
    root: top,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'node20',
      minify: false,
      lib: { entry: join(top, entry), formats: ['es'] },
      rolldownOptions: { external: /^node:/ },
    },
  })
  const { output } = Array.isArray(result) ? result[0] : result
  return Buffer.from(output[0].code)
}
