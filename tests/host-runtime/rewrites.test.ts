import { beforeAll, describe, expect, test } from 'vitest'
import type { DexModel } from '#engines/dex-edit/dex-model.ts'
import { readDexModels } from '#engines/dex-edit/read-dex-model.ts'
import { writeDexFiles } from '#engines/dex-edit/write-dex.ts'
import { HardenLog } from '#engines/harden/hardening.ts'
import { addScreenGuard, secureScreens } from '#engines/harden/secure-screens.ts'
import { assembleSmali, classesOf } from './assemble-smali.ts'
import { missingForHostRuntime } from './build-host-runtime.ts'
import { compareExecution } from './compare-execution.ts'
import { arithmeticPrograms, storageProgram } from './opcode-programs.ts'
import { REWRITES } from './rewrites.ts'
import { runOnHost } from './run-on-host.ts'
import { verifyOnHost } from './verify-on-host.ts'
import { WRITTEN_CLASSES, WRITTEN_PROGRAMS } from './written-programs.ts'

const NO_HOST = missingForHostRuntime()
const PREDICTED = [...arithmeticPrograms(), storageProgram()]
const CLASSES = [...new Set([...WRITTEN_CLASSES, ...PREDICTED.flatMap((one) => one.classes)])]
const PROGRAMS = [...WRITTEN_PROGRAMS, ...PREDICTED].map(({ main }) => main)

describe.skipIf(NO_HOST)(`rewritten programs on the host runtime${NO_HOST ? `: ${NO_HOST}` : ''}`, () => {
  let dex: Uint8Array
  beforeAll(() => {
    dex = assembleSmali(CLASSES)
  }, 120_000)

  test.each(REWRITES)('$name: every program does the same, and the verifier finds nothing new', async (one) => {
    const after = one.rewrite([dex])
    const before = await verifyOnHost([dex])
    const verified = await verifyOnHost(after)
    expect(verified).toEqual({ ...before, classes: expect.any(Number) })
    expect(verified.classes).toBeGreaterThanOrEqual(before.classes)
    const except = one.withoutLog ? (['log'] as const) : []
    expect(await compareExecution([dex], after, { programs: PROGRAMS, except })).toEqual([])
    expect((await runOnHost(after, 'programs.Text')).log).toBe(one.withoutLog ? '' : 'D/tag: a line of the log\n')
  })

  test('hidden texts are not in the file', () => {
    const texts = ['a line of the errors', 'checked', 'a line of the log']
    const found = (bytes: Uint8Array) => texts.filter((text) => Buffer.from(bytes).includes(text))
    expect(found(dex)).toEqual(texts)
    const hiding = REWRITES.find(({ name }) => name === 'texts hidden')!
    expect(hiding.rewrite([dex]).flatMap(found)).toEqual([])
  })

  test('chosen activities set FLAG_SECURE when they are created, with an onCreate of their own and without', async () => {
    const framework = assembleSmali(classesOf(FRAMEWORK))
    const screens = assembleSmali(classesOf(SCREENS))
    const [model] = readDexModels(screens) as [DexModel]
    const log = new HardenLog()
    const guard = 'Lhidden/guard;'
    const chosen = new Set(['Lprograms/Screens$Own;', 'Lprograms/Screens$Inherits;'])
    secureScreens({ file: 'classes.dex', model, classes: [...model.classes] }, chosen, guard, log)
    addScreenGuard(model, guard)
    const secured = [...writeDexFiles(model), framework]
    expect(await verifyOnHost(secured)).toMatchObject({ hard: [], soft: [], access: [], unlinked: [] })
    const flags = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')
    const before = await runOnHost([screens, framework], 'programs.Screens')
    expect(before.stdout).toBe(flags('own', 'created', '0', 'created', '0', 'created', '0'))
    const after = await runOnHost(secured, 'programs.Screens')
    expect(after.stdout).toBe(flags('own', 'created', '8192', 'created', '8192', 'created', '0'))
  })
})

/** As much of Android as an activity needs. */
const FRAMEWORK = `
.class public Landroid/app/Activity;
.super Ljava/lang/Object;
.field private final window:Landroid/view/Window;
.method public constructor <init>()V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    new-instance v0, Landroid/view/Window;
    invoke-direct {v0}, Landroid/view/Window;-><init>()V
    iput-object v0, p0, Landroid/app/Activity;->window:Landroid/view/Window;
    return-void
.end method
.method public getWindow()Landroid/view/Window;
    .locals 1
    iget-object v0, p0, Landroid/app/Activity;->window:Landroid/view/Window;
    return-object v0
.end method
.method protected onCreate(Landroid/os/Bundle;)V
    .locals 2
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    const-string v1, "created"
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method
# The system calls onCreate from its own package.
.method public static start(Landroid/app/Activity;)V
    .locals 2
    const/4 v0, 0x0
    invoke-virtual {p0, v0}, Landroid/app/Activity;->onCreate(Landroid/os/Bundle;)V
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    iget-object v1, p0, Landroid/app/Activity;->window:Landroid/view/Window;
    iget v1, v1, Landroid/view/Window;->flags:I
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(I)V
    return-void
.end method
.class public Landroid/view/Window;
.super Ljava/lang/Object;
.field public flags:I
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public addFlags(I)V
    .locals 1
    iget v0, p0, Landroid/view/Window;->flags:I
    or-int/2addr v0, p1
    iput v0, p0, Landroid/view/Window;->flags:I
    return-void
.end method
.class public Landroid/os/Bundle;
.super Ljava/lang/Object;
`

const INIT = `
.super Landroid/app/Activity;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/app/Activity;-><init>()V
    return-void
.end method`
const start = (name: string) => `
    new-instance v0, Lprograms/Screens$${name};
    invoke-direct {v0}, Lprograms/Screens$${name};-><init>()V
    invoke-static {v0}, Landroid/app/Activity;->start(Landroid/app/Activity;)V`
const SCREENS = `
.class public Lprograms/Screens;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 1
    ${start('Own')}
    ${start('Inherits')}
    ${start('NotChosen')}
    return-void
.end method
.class public Lprograms/Screens$Own;${INIT}
.method protected onCreate(Landroid/os/Bundle;)V
    .locals 2
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    const-string v1, "own"
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    invoke-super {p0, p1}, Landroid/app/Activity;->onCreate(Landroid/os/Bundle;)V
    return-void
.end method
.class public Lprograms/Screens$Inherits;${INIT}
.class public Lprograms/Screens$NotChosen;${INIT}
`
