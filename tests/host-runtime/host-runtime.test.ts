import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { OPCODE_NAMES } from '#engines/dex/opcodes.ts'
import { assembleSmali, classesOf } from './assemble-smali.ts'
import { buildHostRuntime, missingForHostRuntime } from './build-host-runtime.ts'
import { compareExecution } from './compare-execution.ts'
import { arithmeticPrograms, storageProgram } from './opcode-programs.ts'
import { runAllOnHost, runOnHost } from './run-on-host.ts'
import { verifyOnHost } from './verify-on-host.ts'
import { WRITTEN_CLASSES, WRITTEN_PROGRAMS } from './written-programs.ts'

const NO_HOST = missingForHostRuntime()
const PREDICTED = [...arithmeticPrograms(), storageProgram()]
const CLASSES = [...new Set([...WRITTEN_CLASSES, ...PREDICTED.flatMap((one) => one.classes)])]
const ALL = [...WRITTEN_PROGRAMS, ...PREDICTED]

describe.skipIf(NO_HOST)(`host Android runtime${NO_HOST ? `: ${NO_HOST}` : ''}`, () => {
  let dex: Uint8Array

  beforeAll(() => {
    buildHostRuntime()
    dex = assembleSmali(CLASSES)
  }, 120_000)

  test('the core library passes the verifier itself, class by class', async () => {
    const { launcher, coreLibrary } = buildHostRuntime()
    expect(launcher).toMatch(/host-runtime$/)
    const { classes, ...failures } = await verifyOnHost([readFileSync(coreLibrary)])
    expect(classes).toBeGreaterThan(150)
    expect(failures).toEqual({ hard: [], soft: [], access: [], unlinked: [] })
  })

  test.each(ALL)('$main prints what its instructions mean', async ({ main, stdout }) => {
    const run = await runOnHost([dex], main)
    expect(run.stdout).toBe(stdout)
    const thrown = main === 'programs.Exceptions' ? 'programs.Exceptions$Checked' : undefined
    expect(run.exception?.type).toBe(thrown)
    expect(run.exit).toBe(thrown ? 1 : 0)
  })

  test('the programs hold every instruction of the set, and pass the verifier', async () => {
    const words = CLASSES.join('\n').matchAll(/^\s*([a-z][a-z0-9/-]*)(?= |$)/gm)
    const used = new Set([...words].map(([, word]) => word))
    expect(OPCODE_NAMES.filter((name) => name !== 'unused' && !used.has(name))).toEqual([])
    // ART itself looks at the two again that it cannot prove: unbalanced monitors and references that lead nowhere.
    expect(await verifyOnHost([dex])).toEqual({
      classes: CLASSES.length,
      hard: [],
      soft: expect.arrayContaining(['programs.Exceptions', 'programs.Exceptions$Unbalanced']),
      access: [],
      unlinked: [],
    })
  })

  test('errors, log, arguments, exit status and exceptions of threads reach the caller', async () => {
    const text = await runOnHost([dex], 'programs.Text')
    expect(text.stderr).toBe('a line of the errors\n')
    expect(text.log).toBe('D/tag: a line of the log\n')
    const ended = await runOnHost([dex], 'programs.Exit', ['7'])
    expect(ended).toMatchObject({ stdout: 'before=7\n', exit: 7 })
    const failed = await runOnHost([dex], 'programs.ThreadFails')
    expect(failed).toMatchObject({
      exit: 1,
      exception: {
        type: 'java.lang.IllegalStateException',
        message: 'in a thread',
        stack: ['programs.ThreadFails.run'],
      },
    })
    const missing = await runOnHost([dex], 'programs.None')
    expect(missing).toMatchObject({ exit: 1, exception: { type: 'java.lang.ClassNotFoundException' } })
  })

  test('native methods are found by their names and by registration, call back and throw', async () => {
    const { natives } = buildHostRuntime()
    const lines = ['value=44', 'value=hello value', 'value=java.lang.IllegalStateException: from native code']
    const run = await runOnHost([dex], 'programs.Natives', [natives])
    expect(run).toMatchObject({ stdout: lines.map((line) => `${line}\n`).join(''), exit: 0 })
    const missing = await runOnHost([dex], 'programs.Natives', ['/nowhere/natives.so'])
    expect(missing.exception?.type).toBe('java.lang.UnsatisfiedLinkError')
  })

  test('a dex file that is in memory only is loaded, run, and refused when a byte of it is wrong', async () => {
    const payload = assembleSmali(classesOf(HIDDEN))
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
    const run = await runOnHost([dex], 'programs.Loading', ['programs.Hidden', hex(payload)])
    expect(run).toMatchObject({ stdout: 'loaded=class programs.Hidden\nhidden=programs.Hidden\n', exit: 0 })
    payload[payload.length - 1]! ^= 1
    const refused = await runOnHost([dex], 'programs.Loading', ['programs.Hidden', hex(payload)])
    expect(refused.exception).toMatchObject({ type: 'java.io.IOException' })
  })

  test('several programs run in one process, and one that ends it does not hide those behind it', async () => {
    const names = ['programs.Control', 'programs.Killed', 'programs.Crashed', 'programs.Calls', 'programs.Registers']
    const both = [dex, assembleSmali(classesOf(ENDINGS))]
    const runs = await runAllOnHost(both, names)
    expect([...runs.keys()]).toEqual(names)
    expect(names.map((name) => [runs.get(name)!.exit, runs.get(name)!.died])).toEqual([
      [0, undefined],
      [3, undefined],
      [null, 'SIGSEGV'],
      [0, undefined],
      [0, undefined],
    ])
    const { stdout } = WRITTEN_PROGRAMS.find(({ main }) => main === 'programs.Calls')!
    expect(runs.get('programs.Calls')!.stdout).toBe(stdout)
  })

  describe('negative controls', () => {
    test('a program that does not end is stopped and says so', async () => {
      const endless = await runOnHost([assembleSmali(classesOf(ENDINGS))], 'programs.Endless', [], 1500)
      expect(endless).toMatchObject({ exit: null, died: 'timeout' })
    })

    test('code that confuses types is a hard failure by class and method, and a VerifyError when it runs', async () => {
      const broken = [assembleSmali(classesOf(BROKEN_TYPES))]
      const { hard, ...others } = await verifyOnHost(broken)
      expect(others).toEqual({ classes: 2, soft: [], access: [], unlinked: [] })
      expect(hard).toEqual([
        {
          class: 'programs.Broken',
          method: 'void programs.Broken.main(java.lang.String[])',
          message: expect.stringMatching(/^\[0x2\] register v0 has type .*127 but expected .*java\.lang\.String$/),
        },
        { class: 'programs.Broken', method: 'int programs.Broken.number()', message: expect.stringContaining('[0x2]') },
      ])
      const run = await runOnHost(broken, 'programs.Broken')
      expect(run).toMatchObject({ stdout: '', exit: 1, exception: { type: 'java.lang.VerifyError' } })
      expect(await runOnHost(broken, 'programs.Sound')).toMatchObject({ exit: 0 })
    })

    test('a flipped byte, a wrong checksum and a missing end are refused before any class is read', async () => {
      const flipped = Uint8Array.from(dex)
      flipped[dex.length - 9]! ^= 4
      expect((await verifyOnHost([flipped])).refused).toContain('Bad checksum')
      expect((await runOnHost([flipped], 'programs.Control')).died).toContain('Bad checksum')
      const wrong = Uint8Array.from(dex)
      wrong[8]! ^= 1
      expect((await verifyOnHost([wrong])).refused).toContain('Bad checksum')
      expect((await verifyOnHost([dex.subarray(0, dex.length - 16)])).refused).toContain('Failed to open dex files')
    })

    test('a reference out of bounds under a right checksum is refused by the structure, not by the checksum', async () => {
      const damaged = Uint8Array.from(dex)
      const view = new DataView(damaged.buffer)
      // The type of the first method's owner: one more than there are types.
      view.setUint16(view.getUint32(0x5c, true), view.getUint32(0x40, true), true)
      const { refused } = await verifyOnHost([withChecksums(damaged)])
      expect(refused).toMatch(/Bad index|out of|Failure to verify/)
      expect(refused).not.toContain('checksum')
    })

    test('classes without their superclass, and below a final one, are not linked', async () => {
      const { unlinked, classes } = await verifyOnHost([assembleSmali(classesOf(UNLINKED))])
      expect(classes).toBe(2)
      expect(unlinked).toEqual([
        { class: 'programs.BelowFinal', exception: expect.objectContaining({ type: 'java.lang.VerifyError' }) },
        { class: 'programs.Orphan', exception: expect.objectContaining({ type: 'java.lang.NoClassDefFoundError' }) },
      ])
    })
  })

  describe('comparison', () => {
    const programs = ALL.map(({ main }) => main)

    test('the same files and files disassembled and assembled again behave alike', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'aw-again-'))
      try {
        writeFileSync(join(folder, 'a.dex'), dex)
        execFileSync('baksmali', ['disassemble', '-a', '29', '-o', join(folder, 'out'), join(folder, 'a.dex')])
        execFileSync('smali', ['assemble', '-a', '29', '-o', join(folder, 'b.dex'), join(folder, 'out')])
        const again = readFileSync(join(folder, 'b.dex'))
        expect(createHash('sha256').update(again).digest('hex')).not.toBe(
          createHash('sha256').update(dex).digest('hex'),
        )
        expect(await compareExecution([dex], [again], { programs })).toEqual([])
        expect((await verifyOnHost([again])).hard).toEqual([])
      } finally {
        rmSync(folder, { recursive: true })
      }
    })

    test('one changed constant, log line, exception and exit status are each found', async () => {
      const few = WRITTEN_CLASSES.filter((text) => /^\.class .*Lprograms\/(Exceptions.*|Text|Exit|Out);$/m.test(text))
      const change = (from: string, to: string) => {
        const changed = few.map((text) => text.replaceAll(from, to))
        expect(changed).not.toEqual(few)
        return compareExecution([dex], [assembleSmali(changed)], {
          programs: ['programs.Exceptions', 'programs.Text', 'programs.Exit'],
        })
      }
      expect(await change('0x63', '0x62')).toMatchObject([{ program: 'programs.Exceptions', what: 'stdout' }])
      expect(await change('a line of the log', 'another')).toMatchObject([{ program: 'programs.Text', what: 'log' }])
      expect(await change('with another', 'with one')).toMatchObject([
        { program: 'programs.Exceptions', what: 'exception', before: 'programs.Exceptions$Checked: with another' },
      ])
      const gone = await change('Lprograms/Exit;', 'Lprograms/Gone;')
      expect(gone).toMatchObject([{ program: 'programs.Exit', what: 'exception' }])
    })
  })
})

/** The dex with its signature and checksum made right. */
function withChecksums(bytes: Uint8Array): Uint8Array {
  bytes.set(createHash('sha1').update(bytes.subarray(32)).digest(), 12)
  let low = 1
  let high = 0
  for (const byte of bytes.subarray(12)) {
    low = (low + byte) % 65521
    high = (high + low) % 65521
  }
  new DataView(bytes.buffer).setUint32(8, ((high << 16) | low) >>> 0, true)
  return bytes
}

const HIDDEN = `
.class public Lprograms/Hidden;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 2
    const-string v0, "hidden"
    const/4 v1, 0x0
    aget-object v1, p0, v1
    invoke-static {v0, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return-void
.end method
`

const ENDINGS = `
.class public Lprograms/Killed;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 1
    const/4 v0, 0x3
    invoke-static {v0}, Ljava/lang/System;->exit(I)V
    return-void
.end method
.class public Lprograms/Crashed;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 4
    invoke-static {}, Lsun/misc/Unsafe;->getUnsafe()Lsun/misc/Unsafe;
    move-result-object v0
    const-wide/16 v1, 0x8
    invoke-virtual {v0, v1, v2}, Lsun/misc/Unsafe;->getInt(J)I
    return-void
.end method
.class public Lprograms/Endless;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 0
    :again
    nop
    goto :again
.end method
`

const BROKEN_TYPES = `
.class public Lprograms/Broken;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 1
    const/16 v0, 0x7f
    invoke-static {v0}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    return-void
.end method
.method public static number()I
    .locals 1
    const-string v0, "a text"
    return v0
.end method
.class public Lprograms/Sound;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 0
    return-void
.end method
`

const UNLINKED = `
.class public Lprograms/BelowFinal;
.super Ljava/lang/String;
.class public Lprograms/Orphan;
.super Lprograms/Nowhere;
`
