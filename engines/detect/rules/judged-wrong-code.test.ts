import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { code, MAIN, verdictOf } from '#tests/support/made-code.ts'

const STRING = 'Ljava/lang/String;'

/** Kinds of findings that were read and judged wrong (docs/detection-judgements.tsv), each beside one that is right. */
describe('DET-03 findings about code and protection that were judged wrong', () => {
  test('commands of a look for root, also from an array, run nothing of interest', () => {
    const run = (pick: (body: Body) => Argument) =>
      code((body) => {
        const runtime = body.static('Ljava/lang/Runtime;->getRuntime()Ljava/lang/Runtime;')
        body.virtual(`Ljava/lang/Runtime;->exec(${STRING})Ljava/lang/Process;`, runtime, pick(body))
      })
    const whole = (...words: string[]) =>
      code((body) => {
        const runtime = body.static('Ljava/lang/Runtime;->getRuntime()Ljava/lang/Runtime;')
        body.virtual(`Ljava/lang/Runtime;->exec([${STRING})Ljava/lang/Process;`, runtime, body.texts(...words))
      })
    const id = 'android-runtime-exec'
    expect(
      verdictOf(
        id,
        run(() => 'which su'),
      ),
    ).toBe('pass')
    expect(
      verdictOf(
        id,
        run((body) => body.at(body.texts('/system/xbin/which su', 'which su'), 1)),
      ),
    ).toBe('pass')
    expect(verdictOf(id, whole('/system/xbin/which', 'su'))).toBe('pass')
    expect(
      judgeOne(
        id,
        run((body) => body.at(body.texts('which su', 'rm -r /data'), 1)),
      ).findings,
    ).toHaveLength(1)
    expect(verdictOf(id, whole('mount', '-o', 'remount,rw', '/system'))).toBe('fail')
    expect(
      verdictOf(
        id,
        run(() => 'su'),
      ),
    ).toBe('fail')
    expect(
      verdictOf(
        id,
        run((body) => body.parameter(1)),
      ),
    ).toBe('fail')
  })

  test('a statement whose values are bound takes no SQL from anybody but the name of its table', () => {
    const runs = (...parts: ((body: Body) => Argument)[]) =>
      code((body) => {
        const builder = body.make('Ljava/lang/StringBuilder;')
        for (const part of parts)
          body.virtual(`Ljava/lang/StringBuilder;->append(${STRING})Ljava/lang/StringBuilder;`, builder, part(body))
        const sql = body.virtual(`Ljava/lang/StringBuilder;->toString()${STRING}`, builder)
        const values = body.static(`${MAIN}->values()[Ljava/lang/Object;`)
        body.virtual(
          `Landroid/database/sqlite/SQLiteDatabase;->execSQL(${STRING}[Ljava/lang/Object;)V`,
          null,
          sql,
          values,
        )
      })
    const given = (body: Body) => body.parameter(1)
    const id = 'android-sql-injection-local'
    expect(
      verdictOf(
        id,
        runs(
          () => 'INSERT INTO ',
          given,
          () => ' (a,b) VALUES (?,?);',
        ),
      ),
    ).toBe('pass')
    expect(
      verdictOf(
        id,
        runs(
          () => 'INSERT INTO t (a,b) VALUES (?,',
          given,
          () => ');',
        ),
      ),
    ).toBe('fail')
    expect(
      verdictOf(
        id,
        runs(
          () => 'DELETE FROM ',
          given,
          () => " WHERE a=? AND b='",
          given,
          () => "'",
        ),
      ),
    ).toBe('fail')
    expect(
      verdictOf(
        id,
        runs(
          () => 'DELETE FROM ',
          given,
          () => ' WHERE a=? AND b=',
          given,
        ),
      ),
    ).toBe('fail')
  })

  test('whether parts of a packer check the files is not known', () => {
    const holding = (files: Record<string, string>): MadePackage => ({ ...code(() => {}), files })
    const packed: MadePackage = {
      ...holding({ 'lib/armeabi/libAPKProtect.so': 'x' }),
      application: { name: 'APKPMainAPP140CF' },
    }
    expect(verdictOf('android-no-integrity-check', packed)).toBe('not_assessed')
    expect(verdictOf('android-no-integrity-check', holding({}))).toBe('fail')
    // The code stays readable, and a packer does not prove the device.
    expect(verdictOf('android-no-attestation', packed)).toBe('fail')
    expect(verdictOf('android-print-stack-trace', packed)).toBe('pass')
  })

  test('a context of the package itself loads no foreign code', () => {
    const verdict = (name: string, ...steps: string[]) =>
      verdictOf(
        'android-dynamic-dex-loading',
        code((body) => {
          const create = `Landroid/content/Context;->createPackageContext(${STRING}I)Landroid/content/Context;`
          const context = body.virtual(create, null, name, 3)
          for (const step of steps) body.virtual(step, context)
        }),
      )
    const loader = 'Landroid/content/Context;->getClassLoader()Ljava/lang/ClassLoader;'
    expect(verdict('org.maker.app')).toBe('pass')
    expect(verdict('org.other')).toBe('fail')
    expect(verdict('org.maker.app', loader)).toBe('fail')
  })

  test('the class loader of a context of the package itself is a note, unless the name may be of another package', () => {
    const level = (of: string, ...others: string[]) =>
      judgeOne(
        'android-dynamic-dex-loading',
        code((body) => {
          const create = `Landroid/content/Context;->createPackageContext(${STRING}I)Landroid/content/Context;`
          const name = body.virtual(`${of}->getPackageName()${STRING}`, body.parameter(0))
          const made = body.virtual(create, body.parameter(0), name, 3)
          body.virtual('Landroid/content/Context;->getClassLoader()Ljava/lang/ClassLoader;', made)
          for (const other of others) body.virtual(create, body.parameter(0), other, 0)
        }),
      ).level
    expect(level('Landroid/content/Context;')).toBe('info')
    expect(level('Landroid/content/Context;', 'org.maker.app')).toBe('info')
    expect(level('Landroid/content/Context;', 'org.other')).toBe('middle')
    expect(level('Lorg/maker/app/Module;')).toBe('middle')
  })

  test('a program that only reports something is low, whatever its arguments', () => {
    const level = (...parts: string[]) =>
      judgeOne(
        'android-runtime-exec',
        code((body) => {
          const command = body.make('Ljava/lang/StringBuilder;')
          const append = `Ljava/lang/StringBuilder;->append(${STRING})Ljava/lang/StringBuilder;`
          for (const part of [...parts, body.parameter(1)]) body.virtual(append, command, part)
          const whole = body.virtual(`Ljava/lang/StringBuilder;->toString()${STRING}`, command)
          body.virtual(`Ljava/lang/Runtime;->exec(${STRING})Ljava/lang/Process;`, null, whole)
        }),
      ).level
    expect(level('getprop ')).toBe('low')
    expect(level('mkdir -p ')).toBe('low')
    expect(level('rm ')).toBe('middle')
    expect(level('sh -c getprop ')).toBe('middle')
    expect(level()).toBe('middle')
    // A builder that is emptied between says nothing of what it is given then.
    const reused = judgeOne(
      'android-runtime-exec',
      code((body) => {
        const command = body.make('Ljava/lang/StringBuilder;')
        const append = `Ljava/lang/StringBuilder;->append(${STRING})Ljava/lang/StringBuilder;`
        body.virtual(append, command, 'getprop ')
        body.virtual('Ljava/lang/StringBuilder;->setLength(I)V', command, 0)
        body.virtual(append, command, body.parameter(1))
        const whole = body.virtual(`Ljava/lang/StringBuilder;->toString()${STRING}`, command)
        body.virtual(`Ljava/lang/Runtime;->exec(${STRING})Ljava/lang/Process;`, null, whole)
      }),
    )
    expect(reused.level).toBe('middle')
  })

  test('the shell around pages holds next to nothing to protect', () => {
    const ids = ['android-no-packer', 'android-no-obfuscation', 'android-no-signature-check']
    const levels = (steps: number, files: Record<string, string> = {}, first: (body: Body) => void = () => {}) =>
      ids.map((id) => {
        const write = (body: Body) => {
          first(body)
          // Own code uses the network.
          for (let n = 0; n < steps; n++) body.static('Lretrofit2/Retrofit;->go()V')
        }
        const classes = [MAIN, 'Lorg/maker/app/Helper;'].map((name) => ({ name, methods: [method('work()V', write)] }))
        const others = ['INTERNET', 'READ_CONTACTS'].map((name) =>
          element('uses-permission', { name: `android.permission.${name}` }),
        )
        return judgeOne(id, { classes, files, others, components: [element('activity', { name: '.Main' })] }).level
      })
    expect(levels(10)).toEqual(['low', 'low', 'low'])
    // Two methods of 3n + 1 code units each: 2996 and 3002.
    expect(levels(499)).toEqual(['low', 'low', 'low'])
    expect(levels(500)).toEqual(['middle', 'middle', 'middle'])
    expect(levels(10, { 'lib/arm64-v8a/liba.so': 'x' })).not.toContain('low')
    // The rest may come while it runs.
    expect(levels(10, {}, (body) => void body.make('Ldalvik/system/DexClassLoader;'))).toEqual([
      'middle',
      'middle',
      'middle',
    ])
  })

  test('a report of the system is harmless, a command that changes something is not', () => {
    const level = (...words: string[]) =>
      judgeOne(
        'android-runtime-exec',
        code((body) => {
          const runtime = body.static('Ljava/lang/Runtime;->getRuntime()Ljava/lang/Runtime;')
          body.virtual(`Ljava/lang/Runtime;->exec([${STRING})Ljava/lang/Process;`, runtime, body.texts(...words))
        }),
      ).level
    expect(level('bugreport')).toBe('low')
    expect(level('pm', 'uninstall', 'org.other')).toBe('middle')
  })
})
