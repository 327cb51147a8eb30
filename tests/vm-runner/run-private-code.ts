import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiledLibrary, libraryOfBuild, type VmAbi } from '#engines/harden/vm/vm-library.ts'
// @ts-expect-error: plain JavaScript without types
import { COMPILE, TARGETS } from '../../scripts/build-harden-vm.mjs'
import { jniHeaders } from '../host-runtime/build-host-runtime.ts'
import { OWNER, type PrivateCode } from './private-code.ts'

const SOURCE = fileURLToPath(new URL('runner.c', import.meta.url))

/**
 * How the machine runs programs of an ABI. The emulated processors are early ones: ARMv8.0 without later instructions, ARMv7 without a
 * division of integers.
 */
const EMULATORS: Readonly<Record<VmAbi, readonly string[]>> = {
  'arm64-v8a': ['qemu-aarch64', '-cpu', 'cortex-a53'],
  'armeabi-v7a': ['qemu-arm', '-cpu', 'cortex-a8'],
  x86_64: process.arch === 'x64' ? [] : ['qemu-x86_64'],
}

/** Whether a program is there. */
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0

/** Why programs of the ABI cannot be run here, or undefined. */
export function missingForRunner(abi: VmAbi): string | undefined {
  const [emulator] = EMULATORS[abi]
  if (emulator && !isThere(emulator)) return `no ${emulator} here (package qemu-user)`
  if (!isThere('clang')) return 'no clang here (package clang)'
  if (!isThere('ld.lld')) return 'no lld here (package lld)'
  if (!isThere('smali')) return 'no smali here (package libsmali-java)'
  if (!jniHeaders()) return 'no jni.h here (package default-jdk-headless)'
  return undefined
}

export interface RunnerOutput {
  /** By program: what it printed. */
  readonly stdout: ReadonlyMap<string, string>
  /** By program: lines of android.util.Log. */
  readonly log: ReadonlyMap<string, string>
  /** By program: class of the exception that left main, with slashes. */
  readonly exceptions: ReadonlyMap<string, string>
  /** What the runner found wrong, or how the process ended. */
  readonly fault: string | undefined
  /** Bytes of the stack that the interpreter used for one call at most, and the method; global references that were made. */
  readonly most: { readonly stack: number; readonly method: string; readonly globals: number } | undefined
}

/** A compiled runner with the classes of some private code. */
export class Runner {
  private readonly abi: VmAbi
  private readonly code: PrivateCode
  private readonly folder: string
  private libraries = 0

  constructor(abi: VmAbi, code: PrivateCode) {
    this.abi = abi
    this.code = code
    this.folder = mkdtempSync(join(tmpdir(), 'aw-vm-runner-'))
    const headers = jniHeaders()!
    // jni.h asks for it and needs nothing of it.
    mkdirSync(join(this.folder, 'empty'))
    writeFileSync(join(this.folder, 'empty', 'stdio.h'), '')
    writeFileSync(join(this.folder, 'world.h'), code.world)
    writeFileSync(join(this.folder, 'image'), code.image)
    const { status, stderr } = spawnSync(
      'clang',
      [
        ...(TARGETS as Record<VmAbi, string[]>)[abi],
        ...(COMPILE as string[]),
        ...['-static', '-fno-pic', '-Wno-missing-field-initializers', `-I${this.folder}`],
        ...['-isystem', join(this.folder, 'empty'), '-isystem', headers, '-isystem', join(headers, 'linux')],
        ...['-o', join(this.folder, 'runner'), SOURCE],
      ],
      { encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`clang: ${stderr.slice(0, 4000)}`)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true })
  }

  /**
   * Runs `main` of each class, one after the other.
   * @param compiled another interpreter than that of the product
   */
  run(mains: readonly string[], compiled: Uint8Array = compiledLibrary(this.abi)): RunnerOutput {
    const library = join(this.folder, `vm${this.libraries++}.so`)
    writeFileSync(library, libraryOfBuild(compiled, this.code.key, OWNER))
    const command = [...EMULATORS[this.abi], join(this.folder, 'runner'), library, join(this.folder, 'image')]
    const classes = mains.map((name) => name.replaceAll('.', '/'))
    const { status, signal, stdout, stderr } = spawnSync(command[0]!, [...command.slice(1), ...classes], {
      encoding: 'utf8',
      timeout: 120_000,
      maxBuffer: 2 ** 28,
    })
    const printed = byProgram(stdout)
    const exceptions = new Map<string, string>()
    const texts = new Map<string, string>()
    for (const [name, text] of printed) {
      const [before, exception] = text.split('\x01') as [string, string?]
      texts.set(name, before)
      if (exception) exceptions.set(name, exception)
    }
    const [stack, method, globals] = printed.get('*')?.split(' ') ?? []
    texts.delete('*')
    const ended = status === 0 ? undefined : `ended with ${signal ?? status}: ${stderr.slice(-300)}`
    return {
      ...{ stdout: texts, log: byProgram(stderr), exceptions },
      fault: /^fault: (.*)$/m.exec(stderr)?.[1] ?? ended,
      most: stack ? { stack: Number(stack), method: method!, globals: Number(globals) } : undefined,
    }
  }
}

/** Parts of an output by class with dots; each begins with a NUL, the name and a line feed. */
const byProgram = (text: string): Map<string, string> =>
  new Map(
    text
      .split('\0')
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n')
        return [part.slice(0, end).replaceAll('/', '.'), part.slice(end + 1)]
      }),
  )
