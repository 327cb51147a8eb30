# What an interpreter that works through JNI may get wrong: references in loops, deep calls, identity of texts, initialisers of classes, calls of methods
# above, results of each kind, aliases of a new text.

.class public Lprograms/Virtual;
.super Lprograms/Virtual$Above;
.field static order:Ljava/lang/String;
.field static depth:I

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Lprograms/Virtual$Above;-><init>()V
    return-void
.end method

.method static print(Ljava/lang/String;)V
    .locals 1
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method
.method static number(J)V
    .locals 1
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0, p1}, Ljava/io/PrintStream;->println(J)V
    return-void
.end method
.method static truth(Z)V
    .locals 2
    int-to-long v0, p0
    invoke-static {v0, v1}, Lprograms/Virtual;->number(J)V
    return-void
.end method

.method public static main([Ljava/lang/String;)V
    .locals 4
    const v0, 200000
    invoke-static {v0}, Lprograms/Virtual;->references(I)J
    move-result-wide v0
    invoke-static {v0, v1}, Lprograms/Virtual;->number(J)V
    invoke-static {}, Lprograms/Virtual;->texts()V
    invoke-static {}, Lprograms/Virtual;->initialisers()V
    new-instance v0, Lprograms/Virtual;
    invoke-direct {v0}, Lprograms/Virtual;-><init>()V
    invoke-virtual {v0}, Lprograms/Virtual;->name()Ljava/lang/String;
    move-result-object v1
    invoke-static {v1}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    invoke-static {}, Lprograms/Virtual;->results()V
    const/16 v1, 400
    const-string v2, "deep"
    invoke-static {v1, v2}, Lprograms/Virtual;->deep(ILjava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-static {v1}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    invoke-static {}, Lprograms/Virtual;->overflow()V
    invoke-static {}, Lprograms/Virtual;->absent()Lprograms/Absent;
    move-result-object v0
    if-nez v0, :present
    const-string v0, "no class is needed for null"
    invoke-static {v0}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    :present
    invoke-static {}, Lprograms/Virtual;->missing()V
    invoke-static {}, Lprograms/Virtual;->nulls()V
    return-void
.end method

# Each turn makes objects and lets them go.
.method static references(I)J
    .locals 6
    const-wide/16 v0, 0
    const/4 v2, 0
    :turn
    if-ge v2, p0, :end
    new-instance v3, Ljava/lang/Object;
    invoke-direct {v3}, Ljava/lang/Object;-><init>()V
    move-object v4, v3
    const/4 v5, 2
    new-array v5, v5, [Ljava/lang/Object;
    const/4 v4, 1
    aput-object v3, v5, v4
    aget-object v4, v5, v4
    if-ne v3, v4, :end
    const-wide/16 v4, 3
    add-long/2addr v0, v4
    add-int/lit8 v2, v2, 1
    goto :turn
    :end
    return-wide v0
.end method

.method static texts()V
    .locals 5
    const-string v0, "a text\u0000\ud800\u4e2d"
    invoke-static {}, Lprograms/Virtual$Plain;->text()Ljava/lang/String;
    move-result-object v1
    const/4 v2, 0
    if-ne v0, v1, :other
    const/4 v2, 1
    :other
    invoke-static {v2}, Lprograms/Virtual;->truth(Z)V
    new-instance v1, Ljava/lang/String;
    move-object v3, v1
    const/4 v4, 1
    new-array v4, v4, [C
    const/4 v0, 0
    const/16 v2, 0x41
    aput-char v2, v4, v0
    invoke-direct {v1, v4}, Ljava/lang/String;-><init>([C)V
    invoke-static {v1}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    invoke-static {v3}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    const/4 v2, 0
    if-ne v1, v3, :parted
    const/4 v2, 1
    :parted
    invoke-static {v2}, Lprograms/Virtual;->truth(Z)V
    return-void
.end method

# Naming a class, asking for its type, and a null object initialise nothing; a static member, a call and a new object do.
.method static initialisers()V
    .locals 3
    const-string v0, "begin"
    invoke-static {v0}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    const-class v1, Lprograms/Virtual$First;
    instance-of v2, v1, Lprograms/Virtual$First;
    invoke-static {v2}, Lprograms/Virtual;->truth(Z)V
    const/4 v1, 0
    check-cast v1, Lprograms/Virtual$First;
    :from
    iget v2, v1, Lprograms/Virtual$First;->value:I
    :to
    .catch Ljava/lang/NullPointerException; {:from .. :to} :null
    return-void
    :null
    move-exception v2
    const-string v0, "named"
    invoke-static {v0}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    sget v2, Lprograms/Virtual$First;->count:I
    int-to-long v0, v2
    invoke-static {v0, v1}, Lprograms/Virtual;->number(J)V
    invoke-static {}, Lprograms/Virtual$Second;->call()V
    new-instance v0, Lprograms/Virtual$Third;
    invoke-direct {v0}, Lprograms/Virtual$Third;-><init>()V
    :fail
    sget v2, Lprograms/Virtual$Fails;->count:I
    :failed
    .catch Ljava/lang/ExceptionInInitializerError; {:fail .. :failed} :caught
    return-void
    :caught
    move-exception v0
    const-string v0, "initialiser failed"
    invoke-static {v0}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    return-void
.end method

.method protected name()Ljava/lang/String;
    .locals 2
    invoke-super {p0}, Lprograms/Virtual$Above;->name()Ljava/lang/String;
    move-result-object v0
    const-string v1, " and below"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method static byteOf(I)B
    .locals 0
    int-to-byte p0, p0
    return p0
.end method
.method static charOf(I)C
    .locals 0
    int-to-char p0, p0
    return p0
.end method
.method static shortOf(I)S
    .locals 0
    int-to-short p0, p0
    return p0
.end method
.method static positive(D)Z
    .locals 2
    const-wide/16 v0, 0
    cmpl-double v0, p0, v0
    if-lez v0, :no
    const/4 v0, 1
    return v0
    :no
    const/4 v0, 0
    return v0
.end method
.method static half(F)F
    .locals 1
    const/high16 v0, 0x40000000    # 2
    div-float v0, p0, v0
    return v0
.end method
.method static all(Ljava/lang/Object;JFDIZBCSLjava/lang/String;)D
    .locals 4
    long-to-double v0, p1
    float-to-double v2, p3
    add-double/2addr v0, v2
    add-double/2addr v0, p4
    int-to-double v2, p6
    add-double/2addr v0, v2
    int-to-double v2, p7
    add-double/2addr v0, v2
    int-to-double v2, p8
    add-double/2addr v0, v2
    int-to-double v2, p9
    add-double/2addr v0, v2
    int-to-double v2, p10
    add-double/2addr v0, v2
    invoke-virtual {p11}, Ljava/lang/String;->length()I
    move-result v2
    int-to-double v2, v2
    mul-double/2addr v0, v2
    return-wide v0
.end method

.method static results()V
    .locals 14
    const v0, 0x1f2e3d4c
    invoke-static {v0}, Lprograms/Virtual;->byteOf(I)B
    move-result v1
    int-to-long v2, v1
    invoke-static {v2, v3}, Lprograms/Virtual;->number(J)V
    const v0, 0xfff1
    invoke-static {v0}, Lprograms/Virtual;->charOf(I)C
    move-result v1
    int-to-long v2, v1
    invoke-static {v2, v3}, Lprograms/Virtual;->number(J)V
    invoke-static {v0}, Lprograms/Virtual;->shortOf(I)S
    move-result v1
    int-to-long v2, v1
    invoke-static {v2, v3}, Lprograms/Virtual;->number(J)V
    const-wide/high16 v2, 0x7ff8000000000000L    # NaN
    invoke-static {v2, v3}, Lprograms/Virtual;->positive(D)Z
    move-result v1
    invoke-static {v1}, Lprograms/Virtual;->truth(Z)V
    const/high16 v0, 0x40400000    # 3
    invoke-static {v0}, Lprograms/Virtual;->half(F)F
    move-result v0
    invoke-static {v0}, Ljava/lang/Float;->floatToRawIntBits(F)I
    move-result v1
    int-to-long v2, v1
    invoke-static {v2, v3}, Lprograms/Virtual;->number(J)V
    const/4 v0, 0
    const-wide v1, 0x123456789aL
    const/high16 v3, 0x3fc00000
    const-wide v4, 0x3fd5555555555555L
    const/16 v6, -7
    const/4 v7, 1
    const/16 v8, -128
    const v9, 0xffff
    const/16 v10, -32768
    const-string v11, "seven"
    invoke-static/range {v0 .. v11}, Lprograms/Virtual;->all(Ljava/lang/Object;JFDIZBCSLjava/lang/String;)D
    move-result-wide v0
    invoke-static {v0, v1}, Ljava/lang/Double;->doubleToRawLongBits(D)J
    move-result-wide v0
    invoke-static {v0, v1}, Lprograms/Virtual;->number(J)V
    return-void
.end method

.method static deep(ILjava/lang/String;)Ljava/lang/String;
    .locals 2
    if-nez p0, :more
    return-object p1
    :more
    add-int/lit8 v0, p0, -1
    new-instance v1, Ljava/lang/Object;
    invoke-direct {v1}, Ljava/lang/Object;-><init>()V
    invoke-static {v0, p1}, Lprograms/Virtual;->deep(ILjava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method static endless()V
    .locals 1
    sget v0, Lprograms/Virtual;->depth:I
    add-int/lit8 v0, v0, 1
    sput v0, Lprograms/Virtual;->depth:I
    invoke-static {}, Lprograms/Virtual;->endless()V
    return-void
.end method

.method static overflow()V
    .locals 2
    :from
    invoke-static {}, Lprograms/Virtual;->endless()V
    :to
    .catch Ljava/lang/StackOverflowError; {:from .. :to} :caught
    return-void
    :caught
    move-exception v0
    sget v0, Lprograms/Virtual;->depth:I
    const/16 v1, 300
    if-le v0, v1, :early
    const-string v0, "the stack ended"
    invoke-static {v0}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    :early
    return-void
.end method

# As methods that ask for the version of Android give null where it has no such class.
.method static absent()Lprograms/Absent;
    .locals 1
    const/4 v0, 0
    return-object v0
.end method

# JNI says ClassNotFoundException, which this does not catch.
.method static missing()V
    .locals 2
    :start
    new-instance v0, Lprograms/Absent;
    :end
    .catch Ljava/lang/NoClassDefFoundError; {:start .. :end} :caught
    return-void
    :caught
    const-string v0, "no class"
    invoke-static {v0}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    const/4 v1, 2
    :array
    new-array v0, v1, [Lprograms/Absent;
    :behind
    .catch Ljava/lang/NoClassDefFoundError; {:array .. :behind} :again
    return-void
    :again
    const-string v0, "no class of an array"
    invoke-static {v0}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    return-void
.end method

.method static nulls()V
    .locals 3
    const/4 v0, 0
    :from
    invoke-virtual {v0}, Ljava/lang/Object;->hashCode()I
    :to
    .catch Ljava/lang/RuntimeException; {:from .. :to} :caught
    return-void
    :caught
    move-exception v1
    instance-of v2, v1, Ljava/lang/NullPointerException;
    invoke-static {v2}, Lprograms/Virtual;->truth(Z)V
    throw v0
.end method

.class public Lprograms/Virtual$Above;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method protected name()Ljava/lang/String;
    .locals 1
    const-string v0, "above"
    return-object v0
.end method

# Its method keeps its code.
.class public Lprograms/Virtual$Plain;
.super Ljava/lang/Object;
.method public static text()Ljava/lang/String;
    .locals 1
    const-string v0, "a text\u0000\ud800\u4e2d"
    return-object v0
.end method

.class public Lprograms/Virtual$First;
.super Ljava/lang/Object;
.field static count:I
.field value:I
.method static constructor <clinit>()V
    .locals 1
    const-string v0, "first"
    invoke-static {v0}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    const/16 v0, 41
    sput v0, Lprograms/Virtual$First;->count:I
    return-void
.end method

.class public Lprograms/Virtual$Second;
.super Ljava/lang/Object;
.method static constructor <clinit>()V
    .locals 1
    const-string v0, "second"
    invoke-static {v0}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    return-void
.end method
.method static call()V
    .locals 1
    const-string v0, "called"
    invoke-static {v0}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    return-void
.end method

.class public Lprograms/Virtual$Third;
.super Ljava/lang/Object;
.method static constructor <clinit>()V
    .locals 1
    const-string v0, "third"
    invoke-static {v0}, Lprograms/Virtual;->print(Ljava/lang/String;)V
    return-void
.end method
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.class public Lprograms/Virtual$Fails;
.super Ljava/lang/Object;
.field static count:I
.method static constructor <clinit>()V
    .locals 2
    const/4 v0, 0
    div-int v1, v0, v0
    sput v1, Lprograms/Virtual$Fails;->count:I
    return-void
.end method
