import { PRINT_CLASS, type PredictedProgram } from '../host-runtime/opcode-programs.ts'

/** Instructions that throw, the class of what they throw, and its message where it is the one of ART. */
const CASES: readonly (readonly [lines: string, type: string, message?: string])[] = [
  ['const v0, 7\n const v1, 0\n div-int v0, v0, v1', 'ArithmeticException', 'divide by zero'],
  ['const v0, 7\n rem-int/lit8 v0, v0, 0', 'ArithmeticException', 'divide by zero'],
  ['const-wide v0, 7\n const-wide v2, 0\n rem-long/2addr v0, v2', 'ArithmeticException', 'divide by zero'],
  ['const-wide v0, -1\n const-wide v2, 0\n div-long v0, v0, v2', 'ArithmeticException', 'divide by zero'],
  ['const v0, 3\n new-array v1, v0, [I\n aget v0, v1, v0', 'ArrayIndexOutOfBoundsException', 'length=3; index=3'],
  [
    'const v0, 3\n new-array v1, v0, [J\n const v0, -0x80000000\n const-wide v2, 1\n aput-wide v2, v1, v0',
    'ArrayIndexOutOfBoundsException',
    'length=3; index=-2147483648',
  ],
  [
    'const v0, 0\n new-array v1, v0, [Ljava/lang/String;\n aget-object v0, v1, v0',
    'ArrayIndexOutOfBoundsException',
    'length=0; index=0',
  ],
  ['const v0, -3\n new-array v0, v0, [B', 'NegativeArraySizeException', '-3'],
  ['const v0, -0x80000000\n new-array v0, v0, [[I', 'NegativeArraySizeException', '-2147483648'],
  [
    'const v0, 2\n new-array v0, v0, [D\n fill-array-data v0, :data\n return-void\n :data\n .array-data 8\n 0x1L\n 0x2L\n 0x3L\n .end array-data',
    'ArrayIndexOutOfBoundsException',
    'failed FILL_ARRAY_DATA; length=2, index=3',
  ],
  ['const v0, 0\n iget v1, v0, Lprograms/Thrower;->number:I', 'NullPointerException'],
  ['const v0, 0\n const-wide v1, 1\n iput-wide v1, v0, Lprograms/Thrower;->wide:J', 'NullPointerException'],
  ['const v0, 0\n invoke-virtual {v0}, Lprograms/Thrower;->work()V', 'NullPointerException'],
  ['const v0, 0\n array-length v1, v0', 'NullPointerException'],
  ['const v0, 0\n throw v0', 'NullPointerException'],
  [
    'const v0, 1\n new-array v1, v0, [Ljava/lang/String;\n sget-object v2, Ljava/lang/System;->out:Ljava/io/PrintStream;\n const v0, 0\n move-object v3, v1\n check-cast v3, [Ljava/lang/Object;\n aput-object v2, v3, v0',
    'ArrayStoreException',
  ],
  [
    'sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;\n invoke-static {v0}, Lprograms/Throws;->asText(Ljava/lang/Object;)V',
    'ClassCastException',
  ],
  ['invoke-static {}, Lprograms/Throws;->deep()V', 'IllegalStateException', 'from below'],
  ['sget v0, Lprograms/Throws$Broken;->number:I', 'ExceptionInInitializerError'],
  ['sget v0, Lprograms/Throws$Broken;->number:I', 'NoClassDefFoundError'],
  ['invoke-static {}, Lprograms/Throws;->endless()V', 'StackOverflowError'],
]

/**
 * Exceptions of instructions and of calls, and where they are caught: by the first handler that fits, by one above, by a handler for all, in a loop,
 * and nowhere.
 */
export function throwProgram(): PredictedProgram & { readonly exception: string } {
  const cases = CASES.map(
    ([lines, , message], i) => `.method static case${i}()V
    .locals 6
    :from
    ${lines.replace(/\n :data[\s\S]*/, '').replace(/\n return-void$/, '')}
    :to
    .catchall {:from .. :to} :caught
    const-string v0, "nothing is thrown"
    invoke-static {v0}, Lprograms/Print;->text(Ljava/lang/String;)V
    return-void
    :caught
    move-exception v0
    const v1, ${message === undefined ? 0 : 1}
    invoke-static {v0, v1}, Lprograms/Throws;->caught(Ljava/lang/Throwable;Z)V
    return-void${/\n :data[\s\S]*/.exec(lines)?.[0] ?? ''}
.end method`,
  )
  const expected = CASES.flatMap(([, type, message]) => [
    `java.lang.${type}`,
    ...(message === undefined ? [] : [message]),
  ])
  const text = `.class public Lprograms/Throws;
.super Ljava/lang/Object;
.field static depth:I
${cases.join('\n')}
.method static caught(Ljava/lang/Throwable;Z)V
    .locals 1
    invoke-virtual {p0}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lprograms/Print;->text(Ljava/lang/String;)V
    if-eqz p1, :end
    invoke-virtual {p0}, Ljava/lang/Throwable;->getMessage()Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lprograms/Print;->text(Ljava/lang/String;)V
    :end
    return-void
.end method
.method static asText(Ljava/lang/Object;)V
    .locals 0
    check-cast p0, Ljava/lang/String;
    return-void
.end method
.method static deep()V
    .locals 2
    :from
    invoke-static {}, Lprograms/Throws;->deeper()V
    :to
    .catch Ljava/lang/NullPointerException; {:from .. :to} :other
    return-void
    :other
    move-exception v0
    const-string v1, "the wrong handler"
    invoke-static {v1}, Lprograms/Print;->text(Ljava/lang/String;)V
    throw v0
.end method
.method static deeper()V
    .locals 2
    new-instance v0, Ljava/lang/IllegalStateException;
    const-string v1, "from below"
    invoke-direct {v0, v1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
    throw v0
.end method
.method static endless()V
    .locals 0
    invoke-static {}, Lprograms/Throws;->endless()V
    return-void
.end method
# The first handler that fits, after one that does not and before one for all.
.method static first()V
    .locals 2
    :from
    invoke-static {}, Lprograms/Throws;->deeper()V
    :to
    .catch Ljava/lang/ArithmeticException; {:from .. :to} :arithmetic
    .catch Ljava/lang/RuntimeException; {:from .. :to} :fits
    .catchall {:from .. :to} :all
    return-void
    :arithmetic
    move-exception v0
    const/4 v1, 1
    goto :print
    :fits
    move-exception v0
    const/4 v1, 2
    goto :print
    :all
    move-exception v0
    const/4 v1, 3
    :print
    invoke-static {v1}, Lprograms/Print;->one(I)V
    return-void
.end method
# A handler whose exception is thrown once more to one above; a register keeps what it had before the instruction that threw.
.method static again()I
    .locals 4
    const v0, 41
    const/4 v1, 0
    :from
    div-int v0, v0, v1
    :to
    .catch Ljava/lang/ArithmeticException; {:from .. :to} :caught
    return v0
    :caught
    move-exception v2
    :second
    throw v2
    :end
    .catchall {:second .. :end} :last
    :last
    move-exception v3
    add-int/lit8 v0, v0, 1
    return v0
.end method
.method static loop()I
    .locals 3
    const/4 v0, 0
    :next
    const/16 v1, 3000
    if-ge v0, v1, :end
    :from
    invoke-static {}, Lprograms/Throws;->deeper()V
    :to
    .catch Ljava/lang/IllegalStateException; {:from .. :to} :caught
    return v0
    :caught
    move-exception v2
    add-int/lit8 v0, v0, 1
    goto :next
    :end
    return v0
.end method
.method public static main([Ljava/lang/String;)V
    .locals 1
    ${cases.map((_, i) => `invoke-static {}, Lprograms/Throws;->case${i}()V`).join('\n    ')}
    invoke-static {}, Lprograms/Throws;->first()V
    invoke-static {}, Lprograms/Throws;->again()I
    move-result v0
    invoke-static {v0}, Lprograms/Print;->one(I)V
    invoke-static {}, Lprograms/Throws;->loop()I
    move-result v0
    invoke-static {v0}, Lprograms/Print;->one(I)V
    invoke-static {}, Lprograms/Throws;->deep()V
    return-void
.end method
`
  const thrower = `.class public Lprograms/Thrower;
.super Ljava/lang/Object;
.field public number:I
.field public wide:J
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public work()V
    .locals 0
    return-void
.end method
`
  const broken = `.class public Lprograms/Throws$Broken;
.super Ljava/lang/Object;
.field static number:I
.method static constructor <clinit>()V
    .locals 2
    const/4 v0, 0
    div-int v1, v0, v0
    sput v1, Lprograms/Throws$Broken;->number:I
    return-void
.end method
`
  return {
    main: 'programs.Throws',
    classes: [text, thrower, broken, PRINT_CLASS],
    exception: 'java.lang.IllegalStateException',
    stdout: [...expected, '2', '42', '3000'].map((line) => `${line}\n`).join(''),
  }
}
