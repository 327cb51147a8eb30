# Amounts are counted in cents.
.class public final Lcn/example/pocketbank/Money;
.super Ljava/lang/Object;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

# 123456 is "1234.56".
.method public static format(J)Ljava/lang/String;
    .locals 8
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    const-wide/16 v2, 0x0
    cmp-long v1, p0, v2
    if-gez v1, :positive
    const/16 v1, 0x2d
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    neg-long p0, p0
    :positive
    const-wide/16 v2, 0x64
    div-long v4, p0, v2
    rem-long v6, p0, v2
    invoke-virtual {v0, v4, v5}, Ljava/lang/StringBuilder;->append(J)Ljava/lang/StringBuilder;
    const/16 v1, 0x2e
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    const-wide/16 v2, 0xa
    cmp-long v1, v6, v2
    if-gez v1, :two_digits
    const/16 v1, 0x30
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    :two_digits
    invoke-virtual {v0, v6, v7}, Ljava/lang/StringBuilder;->append(J)Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# -1 for what is no amount: anything but digits, and at most two of them behind one point.
.method public static parse(Ljava/lang/String;)J
    .locals 9
    const-wide/16 v0, 0x0
    const/4 v2, -0x1
    const/4 v3, 0x0
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v4
    if-eqz v4, :wrong
    const/16 v5, 0xd
    if-gt v4, v5, :wrong
    :next
    if-ge v3, v4, :done
    invoke-virtual {p0, v3}, Ljava/lang/String;->charAt(I)C
    move-result v5
    add-int/lit8 v3, v3, 0x1
    const/16 v6, 0x2e
    if-ne v5, v6, :digit
    if-gez v2, :wrong
    const/4 v2, 0x0
    goto :next
    :digit
    add-int/lit8 v5, v5, -0x30
    if-ltz v5, :wrong
    const/16 v6, 0x9
    if-gt v5, v6, :wrong
    const-wide/16 v7, 0xa
    mul-long/2addr v0, v7
    int-to-long v7, v5
    add-long/2addr v0, v7
    if-ltz v2, :next
    add-int/lit8 v2, v2, 0x1
    const/4 v6, 0x2
    if-gt v2, v6, :wrong
    goto :next
    :done
    if-gez v2, :pad
    const/4 v2, 0x0
    :pad
    const/4 v6, 0x2
    if-ge v2, v6, :whole
    const-wide/16 v7, 0xa
    mul-long/2addr v0, v7
    add-int/lit8 v2, v2, 0x1
    goto :pad
    :whole
    return-wide v0
    :wrong
    const-wide/16 v0, -0x1
    return-wide v0
.end method
