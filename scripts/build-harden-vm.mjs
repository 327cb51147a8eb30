// Compiles the interpreter of virtualised methods (engines/harden/vm/interpreter.c) for each ABI with the packages clang and lld; no NDK is needed,
// since it uses no library.
//   node scripts/build-harden-vm.mjs
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../engines/harden/vm/', import.meta.url))
/** Options of the compiler by ABI; the test that runs the interpreter under an emulator compiles with the same ones. */
export const TARGETS = {
  'arm64-v8a': ['--target=aarch64-linux-android26'],
  'armeabi-v7a': ['--target=armv7a-linux-androideabi26', '-mfloat-abi=softfp', '-mfpu=vfpv3-d16'],
  x86_64: ['--target=x86_64-linux-android26'],
}
export const COMPILE = [
  ...['-std=c11', '-Os', '-Wall', '-Wextra', '-Werror', '-ffreestanding', '-fno-builtin', '-fno-stack-protector'],
  ...['-ffp-contract=off', '-fno-unwind-tables', '-fno-asynchronous-unwind-tables', '-nostdlib', '-fuse-ld=lld'],
]
/** Same bytes on each machine: no paths, no build id. 16 KiB pages as Android 15 wants them. */
const FLAGS = [
  ...COMPILE,
  ...['-fvisibility=hidden', '-fPIC', '-shared', '-s'],
  ...['-Wl,--build-id=none', '-Wl,--no-undefined', '-Wl,--hash-style=both'],
  ...['-Wl,-z,now', '-Wl,-z,relro', '-Wl,-z,max-page-size=16384', '-Wl,-z,noexecstack'],
]

/**
 * @param {string} [change] text of the source in place of which another one is compiled, for tests that want a wrong interpreter
 * @param {string} [by]
 * @param {readonly string[]} [abis]
 * @returns {Record<string, Buffer>} the library of each ABI
 */
export function compileInterpreter(change = '', by = '', abis = Object.keys(TARGETS)) {
  const made = mkdtempSync(join(tmpdir(), 'aw-vm-'))
  try {
    const operations = JSON.parse(readFileSync(join(FOLDER, 'vm-operations.json'), 'utf8'))
    const names = operations.map((name) => `OP_${name.toUpperCase().replaceAll('-', '_')},`)
    const source = readFileSync(join(FOLDER, 'interpreter.c'), 'utf8')
    if (change && !source.includes(change)) throw new Error(`the source has no ${change}`)
    writeFileSync(
      join(made, 'vm.c'),
      `enum {\n${names.join('\n')}\n};\n${change ? source.replace(change, () => by) : source}`,
    )
    return Object.fromEntries(
      abis.map((abi) => {
        execFileSync('clang', [...TARGETS[abi], ...FLAGS, '-o', 'vm.so', 'vm.c'], { cwd: made })
        return [abi, readFileSync(join(made, 'vm.so'))]
      }),
    )
  } finally {
    rmSync(made, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const libraries = Object.entries(compileInterpreter()).map(([abi, bytes]) => [abi, bytes.toString('base64')])
  writeFileSync(join(FOLDER, 'vm-libraries.generated.json'), `${JSON.stringify(Object.fromEntries(libraries))}\n`)
}
