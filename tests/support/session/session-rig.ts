import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

type Android = { findJavac(): string | undefined }
type Build = { compileSession(into: string, options?: { more?: string[]; files?: string[]; classpath?: string }): void }
const scripts = '../../../scripts'
const { findJavac } = (await import(new URL(`${scripts}/build-sdk-android.mjs`, import.meta.url).href)) as Android
export const { compileSession } = (await import(
  new URL(`${scripts}/build-sdk-session.mjs`, import.meta.url).href
)) as Build

/** Why Java tests cannot run here; undefined where they can. */
export const NO_JAVA = findJavac()
  ? undefined
  : 'no javac here and it could not be installed (apt-get install default-jdk-headless)'

const BOUNCY_CASTLE = '/usr/share/java/bcprov.jar'
export const NO_BOUNCY_CASTLE =
  NO_JAVA ?? (existsSync(BOUNCY_CASTLE) ? undefined : `no ${BOUNCY_CASTLE} here (apt-get install libbcprov-java)`)

export type SessionRig = {
  /** The words after `ok`; rejects with the rest of another answer. */
  ask(...words: readonly (string | number | Uint8Array)[]): Promise<string[]>
  close(): Promise<void>
}

/** Byte strings are `x` and hex, texts are written as they are. */
const wordOf = (word: string | number | Uint8Array) =>
  word instanceof Uint8Array ? `x${Buffer.from(word).toString('hex')}` : String(word)
export const bytesOf = (word: string | undefined): Uint8Array => Buffer.from((word ?? '').slice(1), 'hex')

let compiled: string | undefined
function classes(): string {
  if (compiled) return compiled
  const folder = mkdtempSync(join(tmpdir(), 'aw-session-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  compileSession(folder, { more: [join(import.meta.dirname, 'SessionRig.java')] })
  compiled = folder
  return folder
}

/** A JVM with the Java SDK (SessionRig.java). */
export function startSessionRig(): SessionRig {
  return startJava([classes()], 'io.appwarden.session.SessionRig')
}

/** A JVM with Bouncy Castle and none of our Java (BouncyRig.java). */
export function startBouncyRig(): SessionRig {
  const folder = mkdtempSync(join(tmpdir(), 'aw-bouncy-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  compileSession(folder, { files: [join(import.meta.dirname, 'BouncyRig.java')], classpath: BOUNCY_CASTLE })
  return startJava([folder, BOUNCY_CASTLE], 'BouncyRig')
}

function startJava(classpath: string[], main: string): SessionRig {
  const java = join(dirname(findJavac() as string), 'java')
  // The JDK's own server otherwise waits 40 ms with each answer for what it sends with it.
  const args = [
    '-Dsun.net.httpserver.nodelay=true',
    '-XX:+UseSerialGC',
    '-Xmx256m',
    '-Dfile.encoding=UTF-8',
    '-cp',
    classpath.join(delimiter),
    main,
  ]
  const child: ChildProcess = spawn(java, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const waiting: { resolve(words: string[]): void; reject(error: Error): void }[] = []
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4000)
  })
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const one = waiting.shift()
    if (line.startsWith('ok ')) one?.resolve(line.slice(3).split(' '))
    else one?.reject(new Error(line))
  })
  child.on('exit', (code) => {
    for (const one of waiting.splice(0)) one.reject(new Error(`the JVM ended (${code}): ${errors}`))
  })
  return {
    ask: (...words) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin?.write(`${words.map(wordOf).join(' ')}\n`)
      }),
    close: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null) return resolve()
        child.on('exit', () => resolve())
        child.stdin?.end()
      }),
  }
}
