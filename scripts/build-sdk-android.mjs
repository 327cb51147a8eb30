// The Android SDK: Java source, compiled against stub classes of Android (signatures of ours, which are not packed).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const android = fileURLToPath(new URL('../sdk/android', import.meta.url))
const source = join(android, 'src')
const stubs = join(android, 'stubs')

/** The compiler of this machine, or undefined. APPWARDEN_JAVAC names one; empty means no compiler. */
export function findJavac() {
  const { APPWARDEN_JAVAC: named } = process.env
  if (named !== undefined) return named && existsSync(named) ? named : undefined
  const places = [process.env.JAVA_HOME && join(process.env.JAVA_HOME, 'bin/javac'), '/usr/bin/javac']
  if (existsSync('/usr/lib/jvm'))
    for (const name of readdirSync('/usr/lib/jvm')) places.push(`/usr/lib/jvm/${name}/bin/javac`)
  return places.find((one) => one && existsSync(one))
}

/** Source files as the download holds them. */
export function androidSources() {
  return filesBelow(source, '.java').map((path) => ({ name: nameOf(source, path), data: readFileSync(path) }))
}

/** Compiles the SDK (and what `more` names) into `folder`; its classes run on Android 5 and on any JVM from 8 on. */
export function compileAndroid(folder, more = []) {
  const javac = findJavac()
  if (!javac) throw Object.assign(new Error('no javac here (a JDK of version 11 or later)'), { reason: 'javac' })
  const files = [...filesBelow(source, '.java'), ...filesBelow(stubs, '.java'), ...more]
  const args = [
    '--release',
    '8',
    '-encoding',
    'UTF-8',
    '-Xlint:all,-options,-serial',
    '-Werror',
    '-g:lines,source',
    '-d',
    folder,
  ]
  const { status, stderr, stdout } = spawnSync(javac, [...args, ...files], { encoding: 'utf8' })
  if (status !== 0) throw Object.assign(new Error(`javac: ${stderr || stdout}`), { reason: 'compile' })
}

/** Classes of the SDK alone, with a manifest. */
export function androidClasses(version) {
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-android-'))
  try {
    compileAndroid(folder)
    const manifest = `Manifest-Version: 1.0\r\nImplementation-Title: AppWarden for Android\r\nImplementation-Version: ${version}\r\n\r\n`
    const classes = filesBelow(join(folder, 'io'), '.class')
    return [
      { name: 'META-INF/MANIFEST.MF', data: Buffer.from(manifest) },
      ...classes.map((path) => ({ name: nameOf(folder, path), data: readFileSync(path) })),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function filesBelow(folder, ending) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function nameOf(folder, path) {
  return relative(folder, path).split(sep).join('/')
}
