# Branches, switches and jumps of every width.
.class public Lprograms/Control;
.super Ljava/lang/Object;

.method static packed(I)I
    .locals 1
    packed-switch p0, :table
    const/4 v0, -0x1
    return v0
    :first
    const/16 v0, 0xa
    return v0
    :second
    const/16 v0, 0xb
    return v0
    :table
    .packed-switch -0x1
        :first
        :second
        :first
    .end packed-switch
.end method

.method static sparse(I)I
    .locals 1
    sparse-switch p0, :table
    const/4 v0, -0x1
    return v0
    :low
    const/16 v0, 0x64
    return v0
    :high
    const/16 v0, 0xc8
    return v0
    :table
    .sparse-switch
        -0x80000000 -> :low
        0x3e8 -> :high
        0x7fffffff -> :low
    .end sparse-switch
.end method

# A bit for each of the six comparisons that holds.
.method static two(II)I
    .locals 1
    const/4 v0, 0x0
    if-ne p0, p1, :a
    or-int/lit8 v0, v0, 0x1
    :a
    if-eq p0, p1, :b
    or-int/lit8 v0, v0, 0x2
    :b
    if-ge p0, p1, :c
    or-int/lit8 v0, v0, 0x4
    :c
    if-lt p0, p1, :d
    or-int/lit8 v0, v0, 0x8
    :d
    if-le p0, p1, :e
    or-int/lit8 v0, v0, 0x10
    :e
    if-gt p0, p1, :f
    or-int/lit8 v0, v0, 0x20
    :f
    return v0
.end method

.method static zero(I)I
    .locals 1
    const/4 v0, 0x0
    if-nez p0, :a
    or-int/lit8 v0, v0, 0x1
    :a
    if-eqz p0, :b
    or-int/lit8 v0, v0, 0x2
    :b
    if-gez p0, :c
    or-int/lit8 v0, v0, 0x4
    :c
    if-ltz p0, :d
    or-int/lit8 v0, v0, 0x8
    :d
    if-lez p0, :e
    or-int/lit8 v0, v0, 0x10
    :e
    if-gtz p0, :f
    or-int/lit8 v0, v0, 0x20
    :f
    return v0
.end method

# Forward by 16 bits, back by 32, back by 8.
.method static jumps(I)I
    .locals 1
    const/4 v0, 0x0
    goto/16 :test
    :again
    add-int/lit8 v0, v0, 0x3
    add-int/lit8 p0, p0, -0x1
    :test
    if-gtz p0, :far
    return v0
    :far
    nop
    and-int/lit8 p0, p0, 0x1f
    if-nez p0, :near
    goto/32 :again
    :near
    goto :again
.end method

.method static primes(I)I
    .locals 4
    const/4 v0, 0x0
    const/4 v1, 0x2
    :candidate
    if-gt v1, p0, :done
    const/4 v2, 0x2
    :divisor
    mul-int v3, v2, v2
    if-gt v3, v1, :prime
    rem-int v3, v1, v2
    if-eqz v3, :next
    add-int/lit8 v2, v2, 0x1
    goto :divisor
    :prime
    add-int/lit8 v0, v0, 0x1
    :next
    add-int/lit8 v1, v1, 0x1
    goto :candidate
    :done
    return v0
.end method

.method public static main([Ljava/lang/String;)V
    .locals 5
    const/4 v0, 0x6
    new-array v0, v0, [I
    fill-array-data v0, :inputs
    array-length v1, v0
    const/4 v2, 0x0
    :next
    if-ge v2, v1, :done
    aget v3, v0, v2
    invoke-static {v3}, Lprograms/Control;->packed(I)I
    move-result v4
    const-string p0, "packed"
    invoke-static {p0, v4}, Lprograms/Out;->number(Ljava/lang/String;I)V
    invoke-static {v3}, Lprograms/Control;->sparse(I)I
    move-result v4
    const-string p0, "sparse"
    invoke-static {p0, v4}, Lprograms/Out;->number(Ljava/lang/String;I)V
    invoke-static {v3, v2}, Lprograms/Control;->two(II)I
    move-result v4
    const-string p0, "two"
    invoke-static {p0, v4}, Lprograms/Out;->number(Ljava/lang/String;I)V
    invoke-static {v3}, Lprograms/Control;->zero(I)I
    move-result v4
    const-string p0, "zero"
    invoke-static {p0, v4}, Lprograms/Out;->number(Ljava/lang/String;I)V
    add-int/lit8 v2, v2, 0x1
    goto :next
    :done
    const/16 v3, 0x23
    invoke-static {v3}, Lprograms/Control;->jumps(I)I
    move-result v4
    const-string p0, "jumps"
    invoke-static {p0, v4}, Lprograms/Out;->number(Ljava/lang/String;I)V
    const/16 v3, 0x40
    invoke-static {v3}, Lprograms/Control;->jumps(I)I
    move-result v4
    invoke-static {p0, v4}, Lprograms/Out;->number(Ljava/lang/String;I)V
    const/16 v3, 0x3e8
    invoke-static {v3}, Lprograms/Control;->primes(I)I
    move-result v4
    const-string p0, "primes"
    invoke-static {p0, v4}, Lprograms/Out;->number(Ljava/lang/String;I)V
    return-void
    :inputs
    .array-data 4
        -0x1
        0x1
        0x2
        0x3e8
        -0x80000000
        0x7fffffff
    .end array-data
.end method
