import { describe, expect, test } from 'vitest'
import { assembleSmali, classesOf } from '#tests/host-runtime/assemble-smali.ts'
import { buildHostRuntime, missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { phoneApp, phoneClasses, startOnPhone } from '#tests/host-runtime/reinforced-device.ts'
import { runOnHost } from '#tests/host-runtime/run-on-host.ts'
import { hardenApk } from './harden-apk.ts'
import { readKeepRules } from './keep-rules.ts'
import assembledRuntime from './runtime/runtime-dex.generated.json' with { type: 'json' }

const NO_HOST = missingForHostRuntime()
const RUNS = { exit: 0, stdout: 'attached\ncreated\nrunning\n' }
const KILLED = { exit: 0x89 }
const WAIT = { wait: '4000' }

async function reinforced(): Promise<Uint8Array> {
  const checks = { core_library_protection: 'exit' } as const
  const request = { keep: readKeepRules(''), seed: Buffer.alloc(32, 7), checks }
  return new Uint8Array(Buffer.concat((await hardenApk(phoneApp(), 'made.apk', request)).pieces))
}

/** Runs code that asks the classes of the runtime, as they are before a build; it prints with v0. */
async function asked(code: string, args: readonly string[] = []): Promise<string[]> {
  const main = `.class public Lappwarden/runtime/Ask;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 8
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
${code}
    return-void
.end method
.method static bytes(Ljava/lang/String;)[B
    .locals 5
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    shr-int/lit8 v0, v0, 0x1
    new-array v1, v0, [B
    const/4 v2, 0x0
    :next
    if-ge v2, v0, :end
    shl-int/lit8 v3, v2, 0x1
    add-int/lit8 v4, v3, 0x2
    invoke-virtual {p0, v3, v4}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    const/16 v4, 0x10
    invoke-static {v3, v4}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;I)I
    move-result v3
    int-to-byte v3, v3
    aput-byte v3, v1, v2
    add-int/lit8 v2, v2, 0x1
    goto :next
    :end
    return-object v1
.end method
`
  const runtime = Buffer.from(assembledRuntime.dex, 'base64')
  const run = await runOnHost([phoneClasses(), runtime, assembleSmali(classesOf(main))], 'appwarden.runtime.Ask', args)
  if (run.exit !== 0) throw new Error(JSON.stringify(run))
  return run.stdout.split('\n').slice(0, -1)
}

const LIST = `    invoke-static {}, Lappwarden/runtime/Libraries;->find()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
    sget-object v1, Lappwarden/runtime/Libraries;->functions:Ljava/util/ArrayList;
    const/4 v2, 0x0
    :next
    invoke-virtual {v1}, Ljava/util/ArrayList;->size()I
    move-result v3
    if-ge v2, v3, :end
    invoke-virtual {v1, v2}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v3
    check-cast v3, Lappwarden/runtime/Code;
    iget-object v3, v3, Lappwarden/runtime/Code;->name:Ljava/lang/String;
    invoke-virtual {v0, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    add-int/lit8 v2, v2, 0x1
    goto :next
    :end`

describe.skipIf(NO_HOST)(`core libraries on ART 11${NO_HOST ? `: ${NO_HOST}` : ''}`, { timeout: 120_000 }, () => {
  test('[HARD-02] functions of the C library and of ART are found by their symbols, and those of a clean process are as in their files', async () => {
    const [found, ...names] = await asked(LIST)
    expect(found).toBe('null')
    for (const name of [
      'open',
      'read',
      'mmap',
      'mprotect',
      'ptrace',
      'fork',
      'execve',
      'dlopen',
      'dlsym',
      'JNI_CreateJavaVM',
    ])
      expect(names).toContain(name)
    expect(names.length).toBeGreaterThan(25)
    expect(names.some((name) => name.startsWith('_ZN3art9ArtMethod6Invoke'))).toBe(true)
  })

  test('[HARD-02] a hooked function of the C library ends the process, and a clean one goes on', async () => {
    const apk = await reinforced()
    const { intruder, empty } = buildHostRuntime()
    expect(await startOnPhone(apk, { library: empty, wait: '9000' })).toMatchObject(RUNS)
    expect(await startOnPhone(apk, { library: intruder.hook, ...WAIT })).toMatchObject(KILLED)
  })

  test('[HARD-02] a process with the rights of an app, which may not open its own memory as it is, is checked too', async () => {
    const apk = await reinforced()
    const { intruder } = buildHostRuntime()
    const dumpable = { dumpable: '1', wait: '9000' }
    expect(await startOnPhone(apk, { library: intruder.unprivileged, ...dumpable })).toMatchObject(RUNS)
    expect(await startOnPhone(apk, { library: intruder.hookOfApp, ...WAIT })).toMatchObject(KILLED)
  })

  test('[HARD-02] one function that differs without a jump is no finding, two are; a file that was replaced is not checked', async () => {
    const differ = `    invoke-static {}, Lappwarden/runtime/Libraries;->find()Ljava/lang/String;
    sget-object v1, Lappwarden/runtime/Libraries;->functions:Ljava/util/ArrayList;
    const/4 v2, 0x0
    :next
    invoke-virtual {v1, v2}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v3
    check-cast v3, Lappwarden/runtime/Code;
    iget-object v3, v3, Lappwarden/runtime/Code;->bytes:[B
    const/4 v4, 0x3
    aget-byte v5, v3, v4
    xor-int/lit8 v5, v5, 0x1
    aput-byte v5, v3, v4
    invoke-static {}, Lappwarden/runtime/Libraries;->find()Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v0, v3}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
    add-int/lit8 v2, v2, 0x1
    const/4 v3, 0x2
    if-lt v2, v3, :next
    const-string v1, "/proc/self/exe"
    const-wide/16 v2, 0x1
    invoke-static {v1, v2, v3}, Lappwarden/runtime/Libraries;->functionsOf(Ljava/lang/String;J)Ljava/util/ArrayList;
    move-result-object v1
    invoke-virtual {v1}, Ljava/util/ArrayList;->size()I
    move-result v1
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(I)V`
    expect(await asked(differ)).toEqual(['null', expect.stringMatching(/^changed code of \w+: [0-9a-f]{8,32}$/), '0'])
  })

  /** Code before and after, as machines have it: the lowest byte first. */
  test('[HARD-02] jumps and traps that hooks write are recognised beside other code, for each processor', async () => {
    const [arm64, arm, thumb, x86] = [183, 40, 41, 62]
    const [plain64, plainArm, plainThumb] = [
      'fd7bbfa9fd030091f353bfa900000094',
      '10402de90040a0e1000050e30400a0e1',
      '10b5044600280446204600bf10bd00bf',
    ]
    const plainX86 = 'f30f1efa5589e54883ec108b45f4c9c3'
    const rows: [string, number, string, string, boolean][] = [
      ['arm64: LDR X17, BR X17', arm64, plain64, '5100005820021fd6a89a4b007d000000', true],
      ['arm64: B', arm64, plain64, '00100014fd030091f353bfa900000094', true],
      ['arm64: BRK', arm64, plain64, '000020d4fd030091f353bfa900000094', true],
      ['arm64: another number', arm64, plain64, 'fd7bbea9fd030091f353bfa900000094', false],
      ['arm: LDR PC', arm, plainArm, '04f01fe578563412000050e30400a0e1', true],
      ['arm: B', arm, plainArm, '001000ea0040a0e1000050e30400a0e1', true],
      ['arm: another number', arm, plainArm, '30402de90040a0e1000050e30400a0e1', false],
      ['thumb: LDR.W PC', thumb, plainThumb, 'dff800f078563412204600bf10bd00bf', true],
      ['thumb: B.W', thumb, plainThumb, '00f000b800280446204600bf10bd00bf', true],
      ['thumb: another number', thumb, plainThumb, '30b5044600280446204600bf10bd00bf', false],
      ['x86: JMP', x86, plainX86, 'e9785634125589e54883ec108b45f4c9', true],
      ['x86: JMP behind ENDBR', x86, plainX86, 'f30f1efae97856341283ec108b45f4c9', true],
      ['x86: JMP [RIP]', x86, plainX86, 'ff25000000007856341278563412c9c3', true],
      ['x86: MOV RAX, JMP RAX', x86, plainX86, '48b87856341278563412ffe045f4c9c3', true],
      ['x86: PUSH, RET', x86, plainX86, '6878563412c3e54883ec108b45f4c9c3', true],
      ['x86: INT3', x86, plainX86, 'cc0f1efa5589e54883ec108b45f4c9c3', true],
      ['x86: another number', x86, plainX86, 'f30f1efa5589e54883ec208b45f4c9c3', false],
    ]
    const code = `    const/4 v1, 0x0
    :next
    array-length v2, p0
    if-ge v1, v2, :end
    aget-object v2, p0, v1
    invoke-static {v2}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v2
    add-int/lit8 v1, v1, 0x1
    aget-object v3, p0, v1
    invoke-static {v3}, Lappwarden/runtime/Ask;->bytes(Ljava/lang/String;)[B
    move-result-object v3
    add-int/lit8 v1, v1, 0x1
    aget-object v4, p0, v1
    invoke-static {v4}, Lappwarden/runtime/Ask;->bytes(Ljava/lang/String;)[B
    move-result-object v4
    add-int/lit8 v1, v1, 0x1
    invoke-static {v2, v3, v4}, Lappwarden/runtime/Code;->isBranch(I[B[B)Z
    move-result v2
    invoke-virtual {v0, v2}, Ljava/io/PrintStream;->println(I)V
    goto :next
    :end`
    const said = await asked(
      code,
      rows.flatMap(([, machine, before, after]) => [String(machine), before, after]),
    )
    expect(said.map((one, at) => [rows[at]![0], one === '1'])).toEqual(
      rows.map(([name, , , , branch]) => [name, branch]),
    )
  })
})
