import { execFileSync } from 'node:child_process'

/** What binutils' readelf says of a library. */
export function readelfSays(path: string) {
  const run = (...options: string[]): string =>
    execFileSync('readelf', ['-W', ...options, path], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const header = run('-h')
  const programs = run('-l')
  const dynamic = run('-d')
  const stack = /GNU_STACK.* ([R ][W ][E ]) (?:0x)?[\da-f]+$/m.exec(programs)
  const symbols = run('--dyn-syms')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((row) => /^\d+:$/.test(row[0] ?? '') && row[4] !== 'LOCAL' && row[7])
    .map((row) => ({ name: row[7]!.replace(/@.*/, ''), defined: row[6] !== 'UND' }))
  return {
    bits: /Class:\s+ELF64/.test(header) ? 64 : 32,
    needed: [...dynamic.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map((match) => match[1]!),
    soname: /\(SONAME\).*\[(.*)\]/.exec(dynamic)?.[1] ?? null,
    bindNow: /\(BIND_NOW\)|\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW/.test(dynamic),
    relro: /GNU_RELRO/.test(programs),
    noExecutableStack: stack !== null && !stack[1]!.includes('E'),
    buildId: /Build ID: ([0-9a-f]+)/.exec(run('-n'))?.[1] ?? null,
    imports: symbols
      .filter(({ defined }) => !defined)
      .map(({ name }) => name)
      .toSorted(),
    exports: symbols
      .filter(({ defined }) => defined)
      .map(({ name }) => name)
      .toSorted(),
  }
}
