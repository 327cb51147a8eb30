import { virtualiseDex } from '../support/virtualise-dex.ts'
import { assembleSmali } from './assemble-smali.ts'
import { runOnHost } from './run-on-host.ts'

/** What a turn of a loop does; `v0` counts turns up to `p0`, `v2` holds an int. */
const LOOPS: Readonly<Record<string, readonly string[]>> = {
  arithmetic: [
    'mul-int/lit8 v2, v2, 0x1f',
    'add-int/2addr v2, v0',
    'ushr-int/lit8 v3, v2, 0x3',
    'xor-int/2addr v2, v3',
  ],
  fields: ['sget v3, Lprograms/Speed;->number:I', 'add-int/2addr v3, v2', 'sput v3, Lprograms/Speed;->number:I'],
  elements: ['and-int/lit8 v3, v0, 0xf', 'aget v4, v5, v3', 'add-int/2addr v2, v4', 'aput v2, v5, v3'],
  'calls of a method of the library': ['invoke-virtual {v6}, Ljava/lang/String;->length()I', 'move-result v3'],
  'calls of a virtualised method': ['invoke-static {v2}, Lprograms/Speed;->leaf(I)I', 'move-result v2'],
}

const TEXT = `.class public Lprograms/Speed;
.super Ljava/lang/Object;
.field static number:I
.method static leaf(I)I
    .locals 0
    add-int/lit8 p0, p0, 0x1
    return p0
.end method
${Object.values(LOOPS)
  .map(
    (lines, i) => `.method static loop${i}(I)I
    .locals 7
    const/16 v0, 0x10
    new-array v5, v0, [I
    const-string v6, "text"
    const/4 v0, 0x0
    const/4 v2, 0x1
    :next
    if-ge v0, p0, :end
    ${lines.join('\n    ')}
    add-int/lit8 v0, v0, 0x1
    goto :next
    :end
    return v2
.end method`,
  )
  .join('\n')}
.method static time(JLjava/lang/String;)V
    .locals 2
    invoke-static {}, Ljava/lang/System;->nanoTime()J
    move-result-wide v0
    sub-long/2addr v0, p0
    sget-object p0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {p0, v0, v1}, Ljava/io/PrintStream;->println(J)V
    return-void
.end method
.method public static main([Ljava/lang/String;)V
    .locals 4
    ${Object.keys(LOOPS)
      .map(
        (_, i) => `const v3, 1000
    invoke-static {v3}, Lprograms/Speed;->loop${i}(I)I
    invoke-static {}, Ljava/lang/System;->nanoTime()J
    move-result-wide v0
    const v3, @turns
    invoke-static {v3}, Lprograms/Speed;->loop${i}(I)I
    const/4 v2, 0x0
    invoke-static {v0, v1, v2}, Lprograms/Speed;->time(JLjava/lang/String;)V`,
      )
      .join('\n    ')}
    return-void
.end method
`

/**
 * Nanoseconds of one turn of loops, by ART's interpreter (the host runtime compiles nothing) and by the one of virtualised methods; the least of several
 * runs each.
 */
export async function virtualisedSpeed(
  turns = 200_000,
  runs = 5,
): Promise<{ readonly loop: string; readonly plain: number; readonly virtualised: number }[]> {
  const dex = assembleSmali([TEXT.replaceAll('@turns', String(turns))])
  const { files } = virtualiseDex([dex], { chooses: (name) => /\.(?:leaf|loop\d)$/.test(name) })
  const least = async (dexFiles: readonly Uint8Array[]) => {
    let best: number[] | undefined
    for (let i = 0; i < runs; i++) {
      const { stdout, exit, died } = await runOnHost(dexFiles, 'programs.Speed')
      if (exit !== 0) throw new Error(`the loops ended with ${died ?? exit}`)
      const times = stdout.trim().split('\n').map(Number)
      best = best?.map((time, k) => Math.min(time, times[k]!)) ?? times
    }
    return best!.map((time) => time / turns)
  }
  const [plain, virtualised] = [await least([dex]), await least(files)]
  return Object.keys(LOOPS).map((loop, i) => ({ loop, plain: plain[i]!, virtualised: virtualised[i]! }))
}
