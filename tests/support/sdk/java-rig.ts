import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SimulatedPhone } from './simulated-phone.ts'

type Tools = { findJavac(): string | undefined; compileAndroid(folder: string, more?: readonly string[]): void }
const { findJavac, compileAndroid } = (await import(
  new URL('../../../scripts/build-sdk-android.mjs', import.meta.url).href
)) as Tools

/** Why Java tests cannot run here; undefined where they can. npm test installs a compiler where it may (scripts/test.mjs). */
export const NO_JAVA = findJavac()
  ? undefined
  : 'no javac here and it could not be installed (apt-get install default-jdk-headless)'

export type JavaRig = { ask(command: object): Promise<Record<string, unknown>>; close(): Promise<void> }

let compiled: string | undefined
function classes(): string {
  if (compiled) return compiled
  const folder = mkdtempSync(join(tmpdir(), 'aw-android-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  compileAndroid(folder, [join(import.meta.dirname, 'Rig.java')])
  compiled = folder
  return folder
}

/** A JVM with the Android SDK's core (tests/support/sdk/Rig.java). */
export function startRig(): JavaRig {
  const java = join(dirname(findJavac() as string), 'java')
  const args = [
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-Xmx128m',
    '-Dfile.encoding=UTF-8',
    '-cp',
    classes(),
    'Rig',
  ]
  const child: ChildProcess = spawn(java, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const waiting: { resolve(answer: Record<string, unknown>): void; reject(error: Error): void }[] = []
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4000)
  })
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) =>
    waiting.shift()?.resolve(JSON.parse(line)),
  )
  child.on('exit', (code) => {
    for (const one of waiting.splice(0)) one.reject(new Error(`the rig ended (${code}): ${errors}`))
  })
  return {
    ask: (command) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin?.write(`${JSON.stringify(command)}\n`)
      }),
    close: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null) return resolve()
        child.on('exit', () => resolve())
        child.stdin?.end()
      }),
  }
}

/** The Android SDK's core with a made-up clock and network against a collector that runs. */
export function javaPhone(
  rig: JavaRig,
  origin: string,
  key: string,
  device: string,
): SimulatedPhone & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'aw-phone-'))
  const facts = { platform: 'android', app_version: '1.0', os: 'Android 14', package_name: 'cn.example.app' }
  const queue = join(folder, 'sdk', 'queue')
  return {
    folder,
    async setClock(wall, elapsed) {
      await rig.ask({ op: 'clock', wall, elapsed })
    },
    async setNetwork(mode) {
      await rig.ask({ op: 'net', mode })
    },
    async start() {
      await rig.ask({ op: 'start', endpoint: origin, key, device, facts, folder: join(folder, 'sdk') })
      await rig.ask({ op: 'event', type: 'start', detail: {} })
    },
    async emit(number) {
      await rig.ask({ op: 'event', type: 'env', detail: { n: number } })
    },
    run: async () => (await rig.ask({ op: 'run' }))['killed'] === true,
    waiting: async () => (existsSync(queue) ? readdirSync(queue).filter((name) => name.endsWith('.json')).length : 0),
    async close() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
