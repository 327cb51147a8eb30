import { describe, expect, test } from 'vitest'
import { apkBytes, type MadePackage } from '#tests/support/detect-package.ts'
import { constString, invokeStatic, invokeVirtual, STATIC } from '#tests/support/dex-program.ts'
import type { DexReferenceNumbers, WrittenDexClass } from '#tests/support/dex-writer.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { readProgram } from '../../dex/read-program.ts'
import { readPackage } from '../../package/read-package.ts'
import { comparePackages } from '../compare-packages.ts'
import { hardenApk } from '../harden-apk.ts'
import type { HardenRequest } from '../harden-request.ts'
import { hardenText } from '../harden-texts.ts'
import { readKeepRules } from '../keep-rules.ts'

const PREFERENCES = 'Landroid/content/SharedPreferences;'
const NAMED = `getSharedPreferences(Ljava/lang/String;I)${PREFERENCES}`
const GET = `Landroid/content/Context;->${NAMED}`
const DEFAULTS = `Landroid/preference/PreferenceManager;->getDefaultSharedPreferences(Landroid/content/Context;)${PREFERENCES}`

type Code = (x: DexReferenceNumbers) => number[]
const run = (name: string, code: Code, superclass?: string): WrittenDexClass => ({
  name,
  ...(superclass && { superclass }),
  methods: [{ name: 'run()V', flags: STATIC, registers: 4, code: (x) => [...code(x), 0x0e] }],
})
/** `const/4`. */
const constant = (register: number, value: number): number => 0x12 | (register << 8) | (value << 12)
const superCall = (method: number, ...registers: number[]): number[] => {
  const [head, ...rest] = invokeVirtual(method, ...registers)
  return [head! + 1, ...rest]
}
/** Opens preferences of a constant name and mode. */
const opens = (owner: string, file: string, mode = 0, callee = GET): WrittenDexClass =>
  run(owner, (x) => [...constString(1, x.string(file)), constant(2, mode), ...invokeVirtual(x.method(callee), 0, 1, 2)])
/** Opens preferences of a name that comes from elsewhere. */
const opensAny = (owner: string, mode = 0): WrittenDexClass =>
  run(owner, (x) => [
    ...invokeStatic(x.method('Lext/Other;->text()Ljava/lang/String;')),
    0x010c,
    constant(2, mode),
    ...invokeVirtual(x.method(GET), 0, 1, 2),
  ])
const loads = (text: string, owner = 'Lorg/maker/app/Texts;'): WrittenDexClass =>
  run(owner, (x) => constString(0, x.string(text)))
const main = opens('Lorg/maker/app/Main;', 'account')

async function harden(made: MadePackage, more: Partial<HardenRequest> = {}) {
  const before = apkBytes({ application: { allowBackup: false }, ...made })
  const hardened = await hardenApk(before, 'made.apk', {
    ...{ keep: readKeepRules(''), seed: Buffer.alloc(32, 7), preferences: true },
    ...more,
  })
  const lines = hardened.lines.map(
    (line) =>
      `${line.outcome} ${line.file}${line.place && `(${line.place})`}: ${hardenText(line, 'en')}: ${line.count}`,
  )
  return { before, lines, bytes: new Uint8Array(Buffer.concat(hardened.pieces)) }
}

function read(bytes: Uint8Array) {
  const found = readPackage(bytes, 'made.apk')
  if (found.kind !== 'apk') throw new Error('no APK')
  return found
}

const ABSENT = 'absent : encryption of databases and of other files that the app writes: 1'
const applied = (count: number) => `applied classes.dex: calls that open preferences redirected: ${count}`

describe('[HARD-02] preferences of an app', () => {
  test('calls on contexts, activities and what extends them lead to a class of ours, those of libraries and of a method above too', async () => {
    const activity = (code: Code) => run('Lorg/maker/app/Page;', code, 'Landroid/app/Activity;')
    const classes = [
      main,
      opens('Lcom/squareup/Library;', 'library'),
      opens('Lorg/maker/app/Other;', 'page', 0, `Lorg/maker/app/Page;->${NAMED}`),
      activity((x) => [
        ...constString(1, x.string('above')),
        constant(2, 0),
        ...superCall(x.method(`Landroid/app/Activity;->${NAMED}`), 0, 1, 2),
        ...invokeVirtual(x.method(`Landroid/app/Activity;->getPreferences(I)${PREFERENCES}`), 0, 2),
        ...invokeStatic(x.method(DEFAULTS), 0),
        // Another method of this name.
        ...invokeVirtual(x.method(`Lorg/maker/app/Own;->${NAMED}`), 0, 1, 2),
      ]),
      { name: 'Lorg/maker/app/Own;', methods: [{ name: NAMED, code: () => [0x0012, 0x0011], registers: 4 }] },
    ]
    const { lines, bytes, before } = await harden({ classes })
    expect(lines).toEqual([
      // The call that stays names a file: it stays for all.
      'skipped (above): it is opened by Lorg/maker/app/Page; in another way: 1',
      ABSENT,
      applied(6),
    ])
    const program = readProgram(read(bytes).code)
    const owners = new Set(
      ['L*;->getSharedPreferences', 'L*;->getPreferences', DEFAULTS].flatMap((pattern) =>
        program.callsTo(pattern).map(({ method }) => method.owner),
      ),
    )
    owners.delete('Lorg/maker/app/Page;')
    // Ours itself.
    expect([...owners]).toEqual([expect.stringMatching(/^L[a-z]{6}\/[a-z]{5};$/)])
    const { checks } = comparePackages(read(before), read(bytes))
    expect(checks.filter(({ passed }) => !passed)).toEqual([])
  })

  test.each<[string, MadePackage, string]>([
    ['no call', { classes: [loads('text')] }, 'no call of the package opens preferences'],
    [
      'a context of its own',
      {
        classes: [
          main,
          {
            name: 'Lorg/maker/app/Base;',
            superclass: 'Landroid/content/ContextWrapper;',
            methods: [{ name: NAMED, code: () => [0x0012, 0x0011], registers: 4 }],
          },
        ],
      },
      'Lorg/maker/app/Base; decides itself which preferences are opened',
    ],
    [
      'native code',
      { files: { 'lib/arm64-v8a/liba.so': writeElf({ imports: ['x'], soname: 'android/content/SharedPreferences' }) } },
      'native code or scripts may open preferences (lib/arm64-v8a/liba.so)',
    ],
    [
      'a script',
      { files: { 'assets/app/main.js': 'context.getSharedPreferences("account", 0)' } },
      'native code or scripts may open preferences (assets/app/main.js)',
    ],
    [
      'code that is loaded',
      {
        classes: [
          main,
          run('Lorg/maker/app/L;', (x) => [
            ...constString(1, x.string('x')),
            ...invokeStatic(x.method('Ldalvik/system/DexClassLoader;-><init>(Ljava/lang/String;)V'), 0, 1),
          ]),
        ],
      },
      'code that Lorg/maker/app/L; loads may open it',
    ],
    [
      'reflection',
      { classes: [main, loads('getSharedPreferences')] },
      'Lorg/maker/app/Texts; may open it by reflection',
    ],
    [
      'the folder of the files',
      { classes: [main, loads('/shared_prefs/account.xml')] },
      'it is opened by Lorg/maker/app/Texts; in another way',
    ],
    [
      'a shared user',
      { manifest: { sharedUserId: 'org.maker' } },
      'packages of the same user id may open preferences (org.maker)',
    ],
    ['an old Android', { minSdk: 19 }, 'Android before 5.0 loads the first dex file alone'],
    [
      'a mode for others and a name that is not known',
      { classes: [main, opensAny('Lorg/maker/app/Any;', 4)] },
      'Lorg/maker/app/Any; opens it for several processes or other apps',
    ],
  ])('all stay, with the reason, where something else may open them: %s', async (_, made, reason) => {
    const { lines, bytes, before } = await harden({ classes: [main], ...made })
    expect(lines).toEqual([`skipped : ${reason}: 1`])
    expect(readProgram(read(bytes).code).classCount).toBe(readProgram(read(before).code).classCount)
  })

  test.each<[string, WrittenDexClass[], string, number]>([
    [
      'several processes',
      [opens('Lorg/maker/app/Sync;', 'account', 4)],
      '(account): Lorg/maker/app/Sync; opens it for several processes or other apps',
      2,
    ],
    [
      'settings pages of Android',
      [run('Lorg/maker/app/Prefs;', () => [], 'Landroid/preference/PreferenceActivity;')],
      '(org.maker.app_preferences): settings pages of Android write it themselves (Lorg/maker/app/Prefs;)',
      1,
    ],
    [
      'settings pages for a file',
      [
        run('Lorg/maker/app/Prefs;', (x) => [
          ...constString(1, x.string('pages')),
          ...invokeVirtual(
            x.method('Landroid/preference/PreferenceManager;->setSharedPreferencesName(Ljava/lang/String;)V'),
            0,
            1,
          ),
        ]),
      ],
      '(pages): settings pages of Android write it themselves (Lorg/maker/app/Prefs;)',
      1,
    ],
    [
      'another storage area',
      [
        run('Lorg/maker/app/Boot;', (x) => [
          ...constString(2, x.string('account')),
          ...invokeVirtual(
            x.method(
              'Landroid/content/Context;->moveSharedPreferencesFrom(Landroid/content/Context;Ljava/lang/String;)Z',
            ),
            0,
            1,
            2,
          ),
        ]),
      ],
      '(account): Lorg/maker/app/Boot; moves it to another storage area',
      1,
    ],
    ['the web view', [loads('WebViewChromiumPrefs')], '(WebViewChromiumPrefs): the web view of Android writes it', 1],
  ])('a file stays by its name, and others are encrypted: %s', async (_, others, reason, count) => {
    const { lines } = await harden({ classes: [main, ...others] })
    expect(lines.filter((line) => line !== ABSENT)).toEqual(
      expect.arrayContaining([`skipped ${reason}: 1`, applied(count)]),
    )
  })

  test('a class that a rule keeps is not changed: the file that it names stays for all, and all files where it names none', async () => {
    const keep = readKeepRules('-keep class org.maker.app.Kept')
    const named = await harden({ classes: [main, opens('Lorg/maker/app/Kept;', 'kept')] }, { keep })
    expect(named.lines).toEqual([
      'skipped (kept): it is opened by Lorg/maker/app/Kept;, which a rule keeps: 1',
      ABSENT,
      applied(1),
    ])
    const unnamed = await harden({ classes: [main, opensAny('Lorg/maker/app/Kept;')] }, { keep })
    expect(unnamed.lines).toEqual(['skipped : it is opened by Lorg/maker/app/Kept;, which a rule keeps: 1'])
  })

  test('names and modes that a static method is given are those of its callers', async () => {
    const helper: WrittenDexClass = {
      name: 'Lorg/maker/app/Store;',
      methods: [
        {
          name: 'open(Landroid/content/Context;Ljava/lang/String;I)V',
          flags: STATIC,
          registers: 3,
          ins: 3,
          code: (x) => [...invokeVirtual(x.method(GET), 0, 1, 2), 0x0e],
        },
      ],
    }
    const calls = (owner: string, file: string, mode: number) =>
      run(owner, (x) => [
        ...constString(1, x.string(file)),
        constant(2, mode),
        ...invokeStatic(
          x.method('Lorg/maker/app/Store;->open(Landroid/content/Context;Ljava/lang/String;I)V'),
          0,
          1,
          2,
        ),
      ])
    const quiet = await harden({ classes: [helper, calls('Lorg/maker/app/A;', 'a', 0)] })
    expect(quiet.lines).toEqual([ABSENT, applied(1)])
    const shared = await harden({
      classes: [helper, calls('Lorg/maker/app/A;', 'a', 0), calls('Lorg/maker/app/B;', 'b', 4)],
    })
    expect(shared.lines).toEqual([
      'skipped (a): Lorg/maker/app/Store; opens it for several processes or other apps: 1',
      'skipped (b): Lorg/maker/app/Store; opens it for several processes or other apps: 1',
      ABSENT,
      applied(1),
    ])
  })

  test('what code of Google Play services opens beside its SDK stays for both', async () => {
    const classes = [
      main,
      loads('x', 'Lcom/google/android/gms/dynamite/Module;'),
      opens('Lcom/google/android/gms/measurement/M;', 'com.google.android.gms.measurement.prefs'),
      run('Lcom/google/android/gms/internal/Consent;', (x) => invokeStatic(x.method(DEFAULTS), 0)),
      opensAny('Lcom/google/android/gms/internal/Any;'),
    ]
    const reason = 'code of Google Play services may open it, too'
    expect((await harden({ classes })).lines.toSorted()).toEqual(
      [
        `skipped (com.google.android.gms.measurement.prefs): ${reason} (Lcom/google/android/gms/measurement/M;): 1`,
        `skipped (org.maker.app_preferences): ${reason} (Lcom/google/android/gms/internal/Consent;): 1`,
        ABSENT,
        applied(1),
      ].toSorted(),
    )
  })

  test('libraries that name the folder and leave the content of files, and a copy of Android’s loader, keep none readable', async () => {
    const classes = [
      main,
      loads('/shared_prefs/', 'Landroidx/datastore/preferences/Migration;'),
      loads('shared_prefs', 'Lcom/google/android/gms/common/util/SharedPreferencesUtils;'),
      run('Ldalvik/system/DelegateLastClassLoader;', (x) =>
        invokeStatic(x.method('Ldalvik/system/PathClassLoader;-><init>(Ljava/lang/String;)V'), 0, 1),
      ),
    ]
    expect((await harden({ classes })).lines).toEqual([ABSENT, applied(1)])
  })

  test('the report names an app that allows backups, unless the result does not allow them', async () => {
    const backup =
      'skipped AndroidManifest.xml(allowBackup): the app allows backups: encrypted preferences that another phone restores count as absent: 1'
    const made = { classes: [main], application: {} }
    expect((await harden(made)).lines).toContain(backup)
    expect((await harden(made, { manifest: true })).lines).not.toContain(backup)
  })
})
