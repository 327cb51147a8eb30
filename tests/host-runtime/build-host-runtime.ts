import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
// @ts-expect-error: plain JavaScript without types
import { findJavac } from '../../scripts/build-sdk-android.mjs'
import { assembleSmali } from './assemble-smali.ts'
import { coreLibrary } from './core-library.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const LAUNCHER = join(HERE, 'launcher')
/** libart.so.0 names none of these itself; libsigchain has to come before the C library. */
const LIBRARIES = ['sigchain', 'art', 'backtrace', 'base', 'log', 'ziparchive', 'nativebridge', 'nativeloader']
/** What launcher/intruder.c does, by its numbers there. */
const INTRUSIONS = [
  ...(['writableCode', 'libraryOfMemory', 'toolFile', 'hook', 'unprivileged', 'writableCodeLater'] as const),
  'hookOfApp',
] as const
export type Intrusion = (typeof INTRUSIONS)[number]
const EMPTY_LIBRARIES = ['icu_jni', 'javacore', 'openjdk']

export interface HostRuntime {
  /** The program of launcher/host-runtime.cc. */
  readonly launcher: string
  readonly coreLibrary: string
  /** The library that programs.Natives loads. */
  readonly natives: string
  /** A library that has the process traced which loads it. */
  readonly tracer: string
  /** A library that does nothing, to be loaded under a name. */
  readonly empty: string
  /** Libraries that do to the process which loads them what tools of dumps and hooks do. */
  readonly intruder: Readonly<Record<Intrusion, string>>
  readonly environment: NodeJS.ProcessEnv
}

/** Folder with the libraries of the package android-libart. */
function libraryFolder(): string | undefined {
  if (!existsSync('/usr/lib')) return undefined
  const folders = readdirSync('/usr/lib').map((name) => `/usr/lib/${name}/android`)
  return folders.find((folder) => existsSync(join(folder, 'libart.so.0')))
}

/** Folder with jni.h of a JDK. */
export function jniHeaders(): string | undefined {
  const javac: string | undefined = findJavac()
  const folder = javac && join(dirname(dirname(realpathSync(javac))), 'include')
  return folder && existsSync(join(folder, 'jni.h')) ? folder : undefined
}

/** Why no dex file can be run here, or undefined. `npm test` installs what is missing where it may. */
export function missingForHostRuntime(): string | undefined {
  const libraries = libraryFolder()
  if (!libraries) return 'no ART here (package android-libart)'
  const absent = LIBRARIES.find((name) => !existsSync(join(libraries, `lib${name}.so.0`)))
  if (absent) return `no lib${absent}.so.0 here (package android-lib${absent})`
  if (!existsSync('/usr/bin/smali')) return 'no smali here (package libsmali-java)'
  if (!existsSync('/usr/bin/g++')) return 'no C++ compiler here (package g++)'
  if (!jniHeaders()) return 'no jni.h here (package default-jdk-headless)'
  return undefined
}

let built: HostRuntime | undefined

/** The launcher and the core library, made again where their sources changed; about five seconds. */
export function buildHostRuntime(): HostRuntime {
  built ??= buildOnce()
  return built
}

function buildOnce(): HostRuntime {
  const classes = coreLibrary()
  const hash = createHash('sha256')
  for (const text of classes) hash.update(text)
  for (const name of readdirSync(LAUNCHER).sort()) hash.update(readFileSync(join(LAUNCHER, name)))
  hash.update(readFileSync(fileURLToPath(import.meta.url)))
  const cache = resolve(HERE, '../../node_modules/.cache/host-runtime')
  const folder = join(cache, hash.digest('hex').slice(0, 16))
  const libraries = libraryFolder()!
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true })
    // Built beside and moved in: another worker may build at the same time.
    const making = mkdtempSync(join(cache, 'making-'))
    compileLauncher(making, libraries)
    writeFileSync(join(making, 'core.dex'), assembleSmali(classes))
    try {
      renameSync(making, folder)
    } catch (error) {
      rmSync(making, { recursive: true })
      if (!existsSync(folder)) throw error
    }
    for (const name of readdirSync(cache))
      if (!name.startsWith('making-') && join(cache, name) !== folder) rmSync(join(cache, name), { recursive: true })
  }
  return {
    launcher: join(folder, 'host-runtime'),
    coreLibrary: join(folder, 'core.dex'),
    natives: join(folder, 'natives.so'),
    tracer: join(folder, 'tracer.so'),
    empty: join(folder, 'lib', `lib${EMPTY_LIBRARIES[0]}.so`),
    intruder: Object.fromEntries(INTRUSIONS.map((one) => [one, join(folder, `${one}.so`)])) as HostRuntime['intruder'],
    environment: {
      PATH: process.env['PATH'],
      LD_LIBRARY_PATH: `${join(folder, 'lib')}:${libraries}`,
      ...Object.fromEntries(
        [
          'ANDROID_ROOT',
          'ANDROID_DATA',
          'ANDROID_ART_ROOT',
          'ANDROID_I18N_ROOT',
          'ANDROID_TZDATA_ROOT',
          'ICU_DATA',
        ].map((name) => [name, folder]),
      ),
    },
  }
}

function compileLauncher(folder: string, libraries: string): void {
  const headers = jniHeaders()!
  compile(
    'g++',
    ...['-std=c++17', '-O1', '-Wall', '-Wextra', `-I${headers}`, `-I${join(headers, 'linux')}`],
    ...[join(LAUNCHER, 'host-runtime.cc'), '-o', join(folder, 'host-runtime'), '-rdynamic', '-Wl,--no-as-needed'],
    ...LIBRARIES.map((name) => join(libraries, `lib${name}.so.0`)),
    // The libraries of Android leave symbols to each other and to these two.
    ...['-l:libz.so.1', '-l:liblz4.so.1', '-ldl', '-Wl,--unresolved-symbols=ignore-all', `-Wl,-rpath,${libraries}`],
  )
  const library = (source: string, name: string, ...more: string[]) =>
    compile(
      'gcc',
      ...['-shared', '-fPIC', '-Wall', '-Wextra', `-I${headers}`, `-I${join(headers, 'linux')}`, ...more],
      ...[join(LAUNCHER, `${source}.c`), '-o', join(folder, `${name}.so`)],
    )
  for (const name of ['natives', 'tracer']) library(name, name)
  for (const [index, name] of INTRUSIONS.entries())
    library('intruder', name, `-DINTRUDE=${index + 1}`, '-Wno-unused-function')
  mkdirSync(join(folder, 'lib'))
  const art = readFileSync(join(libraries, 'libart.so.0'))
  keepStacksFromCode(art)
  writeFileSync(join(folder, 'lib', 'libart.so.0'), art)
  for (const name of EMPTY_LIBRARIES)
    compile('gcc', '-shared', '-fPIC', join(LAUNCHER, 'empty-library.c'), '-o', join(folder, 'lib', `lib${name}.so`))
}

/** Debian's ART asks for stacks that code runs on, as no library of Android does: the flag of its PT_GNU_STACK (ELF, 64 bits) is taken away. */
function keepStacksFromCode(elf: Buffer): void {
  const headers = Number(elf.readBigUInt64LE(0x20))
  const [size, count] = [elf.readUInt16LE(0x36), elf.readUInt16LE(0x38)]
  for (let at = headers; at < headers + size * count; at += size)
    if (elf.readUInt32LE(at) === 0x6474e551) elf.writeUInt32LE(6, at + 4)
}

function compile(compiler: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(compiler, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${compiler}: ${error?.message ?? stderr.slice(0, 4000)}`)
}
