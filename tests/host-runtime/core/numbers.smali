# Numbers: boxes, conversions and Math. The launcher implements the native methods.

.class public abstract Ljava/lang/Number;
.implements Ljava/io/Serializable;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public abstract intValue()I
.end method
.method public abstract longValue()J
.end method
.method public abstract floatValue()F
.end method
.method public abstract doubleValue()D
.end method


.class public final Ljava/lang/Boolean;
.implements Ljava/lang/Comparable;
.field public static final TYPE:Ljava/lang/Class;
.field public static final TRUE:Ljava/lang/Boolean;
.field public static final FALSE:Ljava/lang/Boolean;

.method static constructor <clinit>()V
    .locals 2
    const-string v0, "boolean"
    invoke-static {v0}, Ljava/lang/Class;->getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    sput-object v0, Ljava/lang/Boolean;->TYPE:Ljava/lang/Class;
    new-instance v0, Ljava/lang/Boolean;
    const/4 v1, 0x1
    invoke-direct {v0, v1}, Ljava/lang/Boolean;-><init>(Z)V
    sput-object v0, Ljava/lang/Boolean;->TRUE:Ljava/lang/Boolean;
    new-instance v0, Ljava/lang/Boolean;
    const/4 v1, 0x0
    invoke-direct {v0, v1}, Ljava/lang/Boolean;-><init>(Z)V
    sput-object v0, Ljava/lang/Boolean;->FALSE:Ljava/lang/Boolean;
    return-void
.end method

.method public constructor <init>(Z)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-boolean p1, p0, Ljava/lang/Boolean;->value:Z
    return-void
.end method

.method public static valueOf(Z)Ljava/lang/Boolean;
    .locals 1
    if-eqz p0, :false
    sget-object v0, Ljava/lang/Boolean;->TRUE:Ljava/lang/Boolean;
    return-object v0
    :false
    sget-object v0, Ljava/lang/Boolean;->FALSE:Ljava/lang/Boolean;
    return-object v0
.end method

.method public booleanValue()Z
    .locals 1
    iget-boolean v0, p0, Ljava/lang/Boolean;->value:Z
    return v0
.end method

.method public equals(Ljava/lang/Object;)Z
    .locals 4
    instance-of v0, p1, Ljava/lang/Boolean;
    if-eqz v0, :no
    check-cast p1, Ljava/lang/Boolean;
    iget-boolean v0, p0, Ljava/lang/Boolean;->value:Z
    iget-boolean v2, p1, Ljava/lang/Boolean;->value:Z
    if-ne v0, v2, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

.method public hashCode()I
    .locals 4
    iget-boolean v0, p0, Ljava/lang/Boolean;->value:Z
    if-eqz v0, :false
    const/16 v0, 0x4cf
    return v0
    :false
    const/16 v0, 0x4d5
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 1
    iget-boolean v0, p0, Ljava/lang/Boolean;->value:Z
    invoke-static {v0}, Ljava/lang/String;->valueOf(Z)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public compareTo(Ljava/lang/Object;)I
    .locals 4
    check-cast p1, Ljava/lang/Boolean;
    iget-boolean v0, p0, Ljava/lang/Boolean;->value:Z
    iget-boolean v2, p1, Ljava/lang/Boolean;->value:Z
    invoke-static {v0, v2}, Ljava/lang/Integer;->compare(II)I
    move-result v0
    return v0
.end method

.method public static parseBoolean(Ljava/lang/String;)Z
    .locals 1
    const-string v0, "true"
    invoke-virtual {v0, p0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    return v0
.end method


.class public final Ljava/lang/Byte;
.super Ljava/lang/Number;
.implements Ljava/lang/Comparable;
.field public static final TYPE:Ljava/lang/Class;

.method static constructor <clinit>()V
    .locals 2
    const-string v0, "byte"
    invoke-static {v0}, Ljava/lang/Class;->getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    sput-object v0, Ljava/lang/Byte;->TYPE:Ljava/lang/Class;
    return-void
.end method

.method public constructor <init>(B)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Number;-><init>()V
    iput-byte p1, p0, Ljava/lang/Byte;->value:B
    return-void
.end method

.method public static valueOf(B)Ljava/lang/Byte;
    .locals 1
    new-instance v0, Ljava/lang/Byte;
    invoke-direct {v0, p0}, Ljava/lang/Byte;-><init>(B)V
    return-object v0
.end method

.method public byteValue()B
    .locals 1
    iget-byte v0, p0, Ljava/lang/Byte;->value:B
    return v0
.end method

.method public intValue()I
    .locals 1
    iget-byte v0, p0, Ljava/lang/Byte;->value:B
    return v0
.end method

.method public longValue()J
    .locals 2
    iget-byte v0, p0, Ljava/lang/Byte;->value:B
    int-to-long v0, v0
    return-wide v0
.end method

.method public floatValue()F
    .locals 1
    iget-byte v0, p0, Ljava/lang/Byte;->value:B
    int-to-float v0, v0
    return v0
.end method

.method public doubleValue()D
    .locals 2
    iget-byte v0, p0, Ljava/lang/Byte;->value:B
    int-to-double v0, v0
    return-wide v0
.end method

.method public equals(Ljava/lang/Object;)Z
    .locals 4
    instance-of v0, p1, Ljava/lang/Byte;
    if-eqz v0, :no
    check-cast p1, Ljava/lang/Byte;
    iget-byte v0, p0, Ljava/lang/Byte;->value:B
    iget-byte v2, p1, Ljava/lang/Byte;->value:B
    if-ne v0, v2, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

.method public hashCode()I
    .locals 4
    iget-byte v0, p0, Ljava/lang/Byte;->value:B
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 1
    iget-byte v0, p0, Ljava/lang/Byte;->value:B
    invoke-static {v0}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public compareTo(Ljava/lang/Object;)I
    .locals 4
    check-cast p1, Ljava/lang/Byte;
    iget-byte v0, p0, Ljava/lang/Byte;->value:B
    iget-byte v2, p1, Ljava/lang/Byte;->value:B
    invoke-static {v0, v2}, Ljava/lang/Integer;->compare(II)I
    move-result v0
    return v0
.end method


.class public final Ljava/lang/Character;
.implements Ljava/lang/Comparable;
.field public static final TYPE:Ljava/lang/Class;

.method static constructor <clinit>()V
    .locals 2
    const-string v0, "char"
    invoke-static {v0}, Ljava/lang/Class;->getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    sput-object v0, Ljava/lang/Character;->TYPE:Ljava/lang/Class;
    return-void
.end method

.method public constructor <init>(C)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-char p1, p0, Ljava/lang/Character;->value:C
    return-void
.end method

.method public static valueOf(C)Ljava/lang/Character;
    .locals 1
    new-instance v0, Ljava/lang/Character;
    invoke-direct {v0, p0}, Ljava/lang/Character;-><init>(C)V
    return-object v0
.end method

.method public charValue()C
    .locals 1
    iget-char v0, p0, Ljava/lang/Character;->value:C
    return v0
.end method

.method public equals(Ljava/lang/Object;)Z
    .locals 4
    instance-of v0, p1, Ljava/lang/Character;
    if-eqz v0, :no
    check-cast p1, Ljava/lang/Character;
    iget-char v0, p0, Ljava/lang/Character;->value:C
    iget-char v2, p1, Ljava/lang/Character;->value:C
    if-ne v0, v2, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

.method public hashCode()I
    .locals 4
    iget-char v0, p0, Ljava/lang/Character;->value:C
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 1
    iget-char v0, p0, Ljava/lang/Character;->value:C
    invoke-static {v0}, Ljava/lang/String;->valueOf(C)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public compareTo(Ljava/lang/Object;)I
    .locals 4
    check-cast p1, Ljava/lang/Character;
    iget-char v0, p0, Ljava/lang/Character;->value:C
    iget-char v2, p1, Ljava/lang/Character;->value:C
    invoke-static {v0, v2}, Ljava/lang/Integer;->compare(II)I
    move-result v0
    return v0
.end method

.method public static isDigit(C)Z
    .locals 1
    add-int/lit8 v0, p0, -0x30
    if-ltz v0, :no
    const/16 p0, 0x9
    if-gt v0, p0, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method


.class public final Ljava/lang/Short;
.super Ljava/lang/Number;
.implements Ljava/lang/Comparable;
.field public static final TYPE:Ljava/lang/Class;

.method static constructor <clinit>()V
    .locals 2
    const-string v0, "short"
    invoke-static {v0}, Ljava/lang/Class;->getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    sput-object v0, Ljava/lang/Short;->TYPE:Ljava/lang/Class;
    return-void
.end method

.method public constructor <init>(S)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Number;-><init>()V
    iput-short p1, p0, Ljava/lang/Short;->value:S
    return-void
.end method

.method public static valueOf(S)Ljava/lang/Short;
    .locals 1
    new-instance v0, Ljava/lang/Short;
    invoke-direct {v0, p0}, Ljava/lang/Short;-><init>(S)V
    return-object v0
.end method

.method public shortValue()S
    .locals 1
    iget-short v0, p0, Ljava/lang/Short;->value:S
    return v0
.end method

.method public intValue()I
    .locals 1
    iget-short v0, p0, Ljava/lang/Short;->value:S
    return v0
.end method

.method public longValue()J
    .locals 2
    iget-short v0, p0, Ljava/lang/Short;->value:S
    int-to-long v0, v0
    return-wide v0
.end method

.method public floatValue()F
    .locals 1
    iget-short v0, p0, Ljava/lang/Short;->value:S
    int-to-float v0, v0
    return v0
.end method

.method public doubleValue()D
    .locals 2
    iget-short v0, p0, Ljava/lang/Short;->value:S
    int-to-double v0, v0
    return-wide v0
.end method

.method public equals(Ljava/lang/Object;)Z
    .locals 4
    instance-of v0, p1, Ljava/lang/Short;
    if-eqz v0, :no
    check-cast p1, Ljava/lang/Short;
    iget-short v0, p0, Ljava/lang/Short;->value:S
    iget-short v2, p1, Ljava/lang/Short;->value:S
    if-ne v0, v2, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

.method public hashCode()I
    .locals 4
    iget-short v0, p0, Ljava/lang/Short;->value:S
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 1
    iget-short v0, p0, Ljava/lang/Short;->value:S
    invoke-static {v0}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public compareTo(Ljava/lang/Object;)I
    .locals 4
    check-cast p1, Ljava/lang/Short;
    iget-short v0, p0, Ljava/lang/Short;->value:S
    iget-short v2, p1, Ljava/lang/Short;->value:S
    invoke-static {v0, v2}, Ljava/lang/Integer;->compare(II)I
    move-result v0
    return v0
.end method


.class public final Ljava/lang/Integer;
.super Ljava/lang/Number;
.implements Ljava/lang/Comparable;
.field public static final TYPE:Ljava/lang/Class;

.method static constructor <clinit>()V
    .locals 2
    const-string v0, "int"
    invoke-static {v0}, Ljava/lang/Class;->getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    sput-object v0, Ljava/lang/Integer;->TYPE:Ljava/lang/Class;
    return-void
.end method

.method public constructor <init>(I)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Number;-><init>()V
    iput p1, p0, Ljava/lang/Integer;->value:I
    return-void
.end method

.method public static valueOf(I)Ljava/lang/Integer;
    .locals 1
    new-instance v0, Ljava/lang/Integer;
    invoke-direct {v0, p0}, Ljava/lang/Integer;-><init>(I)V
    return-object v0
.end method

.method public intValue()I
    .locals 1
    iget v0, p0, Ljava/lang/Integer;->value:I
    return v0
.end method

.method public longValue()J
    .locals 2
    iget v0, p0, Ljava/lang/Integer;->value:I
    int-to-long v0, v0
    return-wide v0
.end method

.method public floatValue()F
    .locals 1
    iget v0, p0, Ljava/lang/Integer;->value:I
    int-to-float v0, v0
    return v0
.end method

.method public doubleValue()D
    .locals 2
    iget v0, p0, Ljava/lang/Integer;->value:I
    int-to-double v0, v0
    return-wide v0
.end method

.method public equals(Ljava/lang/Object;)Z
    .locals 4
    instance-of v0, p1, Ljava/lang/Integer;
    if-eqz v0, :no
    check-cast p1, Ljava/lang/Integer;
    iget v0, p0, Ljava/lang/Integer;->value:I
    iget v2, p1, Ljava/lang/Integer;->value:I
    if-ne v0, v2, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

.method public hashCode()I
    .locals 4
    iget v0, p0, Ljava/lang/Integer;->value:I
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 1
    iget v0, p0, Ljava/lang/Integer;->value:I
    invoke-static {v0}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public compareTo(Ljava/lang/Object;)I
    .locals 4
    check-cast p1, Ljava/lang/Integer;
    iget v0, p0, Ljava/lang/Integer;->value:I
    iget v2, p1, Ljava/lang/Integer;->value:I
    invoke-static {v0, v2}, Ljava/lang/Integer;->compare(II)I
    move-result v0
    return v0
.end method

.method public static toString(I)Ljava/lang/String;
    .locals 2
    int-to-long v0, p0
    invoke-static {v0, v1}, Ljava/lang/Long;->toString(J)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static toHexString(I)Ljava/lang/String;
    .locals 4
    int-to-long v0, p0
    const-wide v2, 0xffffffffL
    and-long/2addr v0, v2
    invoke-static {v0, v1}, Ljava/lang/Long;->toHexString(J)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# Hexadecimal digits alone, without a sign.
.method public static parseInt(Ljava/lang/String;I)I
    .locals 4
    const/4 v0, 0x0
    const/4 v1, 0x0
    :next
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v2
    if-ge v1, v2, :end
    invoke-virtual {p0, v1}, Ljava/lang/String;->charAt(I)C
    move-result v2
    add-int/lit8 v2, v2, -0x30
    const/16 v3, 0xa
    if-lt v2, v3, :digit
    add-int/lit8 v2, v2, -0x27
    :digit
    mul-int/2addr v0, p1
    add-int/2addr v0, v2
    add-int/lit8 v1, v1, 0x1
    goto :next
    :end
    return v0
.end method

.method public static parseInt(Ljava/lang/String;)I
    .locals 5
    invoke-static {p0}, Ljava/lang/Long;->parseLong(Ljava/lang/String;)J
    move-result-wide v0
    long-to-int v2, v0
    int-to-long v3, v2
    cmp-long v3, v3, v0
    if-eqz v3, :fits
    new-instance v0, Ljava/lang/NumberFormatException;
    invoke-direct {v0, p0}, Ljava/lang/NumberFormatException;-><init>(Ljava/lang/String;)V
    throw v0
    :fits
    return v2
.end method

.method public static compare(II)I
    .locals 1
    const/4 v0, 0x0
    if-eq p0, p1, :done
    const/4 v0, 0x1
    if-gt p0, p1, :done
    const/4 v0, -0x1
    :done
    return v0
.end method

.method public static signum(I)I
    .locals 1
    const/4 v0, 0x0
    invoke-static {p0, v0}, Ljava/lang/Integer;->compare(II)I
    move-result v0
    return v0
.end method

.method public static rotateLeft(II)I
    .locals 2
    shl-int v0, p0, p1
    neg-int v1, p1
    ushr-int v1, p0, v1
    or-int/2addr v0, v1
    return v0
.end method

.method public static rotateRight(II)I
    .locals 1
    neg-int v0, p1
    invoke-static {p0, v0}, Ljava/lang/Integer;->rotateLeft(II)I
    move-result v0
    return v0
.end method

.method public static numberOfLeadingZeros(I)I
    .locals 2
    const/16 v1, 0x20
    :next
    if-eqz p0, :end
    ushr-int/lit8 p0, p0, 1
    add-int/lit8 v1, v1, -1
    goto :next
    :end
    return v1
.end method
.method public static highestOneBit(I)I
    .locals 2
    invoke-static {p0}, Ljava/lang/Integer;->numberOfLeadingZeros(I)I
    move-result v0
    const/high16 v1, -0x80000000
    ushr-int/2addr v1, v0
    and-int/2addr v1, p0
    return v1
.end method
.method public static bitCount(I)I
    .locals 2
    const/4 v0, 0x0
    :next
    if-eqz p0, :done
    add-int/lit8 v1, p0, -0x1
    and-int/2addr p0, v1
    add-int/lit8 v0, v0, 0x1
    goto :next
    :done
    return v0
.end method


.class public final Ljava/lang/Long;
.super Ljava/lang/Number;
.implements Ljava/lang/Comparable;
.field public static final TYPE:Ljava/lang/Class;

.method static constructor <clinit>()V
    .locals 2
    const-string v0, "long"
    invoke-static {v0}, Ljava/lang/Class;->getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    sput-object v0, Ljava/lang/Long;->TYPE:Ljava/lang/Class;
    return-void
.end method

.method public constructor <init>(J)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Number;-><init>()V
    iput-wide p1, p0, Ljava/lang/Long;->value:J
    return-void
.end method

.method public static valueOf(J)Ljava/lang/Long;
    .locals 1
    new-instance v0, Ljava/lang/Long;
    invoke-direct {v0, p0, p1}, Ljava/lang/Long;-><init>(J)V
    return-object v0
.end method

.method public longValue()J
    .locals 2
    iget-wide v0, p0, Ljava/lang/Long;->value:J
    return-wide v0
.end method

.method public intValue()I
    .locals 2
    iget-wide v0, p0, Ljava/lang/Long;->value:J
    long-to-int v0, v0
    return v0
.end method

.method public floatValue()F
    .locals 2
    iget-wide v0, p0, Ljava/lang/Long;->value:J
    long-to-float v0, v0
    return v0
.end method

.method public doubleValue()D
    .locals 2
    iget-wide v0, p0, Ljava/lang/Long;->value:J
    long-to-double v0, v0
    return-wide v0
.end method

.method public equals(Ljava/lang/Object;)Z
    .locals 4
    instance-of v0, p1, Ljava/lang/Long;
    if-eqz v0, :no
    check-cast p1, Ljava/lang/Long;
    iget-wide v0, p0, Ljava/lang/Long;->value:J
    iget-wide v2, p1, Ljava/lang/Long;->value:J
    cmp-long v0, v0, v2
    if-nez v0, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

.method public hashCode()I
    .locals 4
    iget-wide v0, p0, Ljava/lang/Long;->value:J
    const/16 v2, 0x20
    ushr-long v2, v0, v2
    xor-long/2addr v0, v2
    long-to-int v0, v0
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 2
    iget-wide v0, p0, Ljava/lang/Long;->value:J
    invoke-static {v0, v1}, Ljava/lang/Long;->toString(J)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public compareTo(Ljava/lang/Object;)I
    .locals 4
    check-cast p1, Ljava/lang/Long;
    iget-wide v0, p0, Ljava/lang/Long;->value:J
    iget-wide v2, p1, Ljava/lang/Long;->value:J
    cmp-long v0, v0, v2
    return v0
.end method

.method public static toString(J)Ljava/lang/String;
    .locals 8
    const/16 v0, 0x14
    new-array v1, v0, [C
    move v2, v0
    # Digits are taken from the negative number: the smallest has no positive one.
    const-wide/16 v4, 0x0
    cmp-long v3, p0, v4
    if-ltz v3, :next
    neg-long p0, p0
    :next
    const-wide/16 v4, 0xa
    rem-long v6, p0, v4
    long-to-int v6, v6
    rsub-int/lit8 v6, v6, 0x30
    int-to-char v6, v6
    add-int/lit8 v2, v2, -0x1
    aput-char v6, v1, v2
    div-long/2addr p0, v4
    const-wide/16 v4, 0x0
    cmp-long v6, p0, v4
    if-nez v6, :next
    if-gez v3, :done
    const/16 v6, 0x2d
    add-int/lit8 v2, v2, -0x1
    aput-char v6, v1, v2
    :done
    sub-int/2addr v0, v2
    invoke-static {v2, v0, v1}, Ljava/lang/StringFactory;->newStringFromChars(II[C)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static toHexString(J)Ljava/lang/String;
    .locals 6
    const/16 v0, 0x10
    new-array v1, v0, [C
    move v2, v0
    :next
    long-to-int v3, p0
    and-int/lit8 v3, v3, 0xf
    const/16 v4, 0xa
    if-lt v3, v4, :digit
    add-int/lit8 v3, v3, 0x27
    :digit
    add-int/lit8 v3, v3, 0x30
    int-to-char v3, v3
    add-int/lit8 v2, v2, -0x1
    aput-char v3, v1, v2
    const/4 v3, 0x4
    ushr-long/2addr p0, v3
    const-wide/16 v4, 0x0
    cmp-long v3, p0, v4
    if-nez v3, :next
    sub-int/2addr v0, v2
    invoke-static {v2, v0, v1}, Ljava/lang/StringFactory;->newStringFromChars(II[C)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static parseLong(Ljava/lang/String;)J
    .locals 10
    if-eqz p0, :bad
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    const/4 v1, 0x0
    const/4 v2, 0x0
    if-eqz v0, :bad
    invoke-virtual {p0, v1}, Ljava/lang/String;->charAt(I)C
    move-result v3
    const/16 v4, 0x2d
    if-ne v3, v4, :plus
    const/4 v2, 0x1
    const/4 v1, 0x1
    :plus
    const/16 v4, 0x2b
    if-ne v3, v4, :digits
    const/4 v1, 0x1
    :digits
    if-eq v1, v0, :bad
    const-wide/16 v4, 0x0
    :next
    if-ge v1, v0, :done
    invoke-virtual {p0, v1}, Ljava/lang/String;->charAt(I)C
    move-result v3
    add-int/lit8 v3, v3, -0x30
    if-ltz v3, :bad
    const/16 v6, 0x9
    if-gt v3, v6, :bad
    const-wide/16 v6, 0xa
    mul-long v6, v6, v4
    int-to-long v8, v3
    sub-long/2addr v6, v8
    cmp-long v8, v6, v4
    if-gtz v8, :bad
    const-wide v8, -0xcccccccccccccccL
    cmp-long v8, v4, v8
    if-ltz v8, :bad
    move-wide v4, v6
    add-int/lit8 v1, v1, 0x1
    goto :next
    :done
    if-nez v2, :negative
    neg-long v4, v4
    const-wide/16 v6, 0x0
    cmp-long v6, v4, v6
    if-ltz v6, :bad
    :negative
    return-wide v4
    :bad
    new-instance v0, Ljava/lang/NumberFormatException;
    invoke-direct {v0, p0}, Ljava/lang/NumberFormatException;-><init>(Ljava/lang/String;)V
    throw v0
.end method

.method public static compare(JJ)I
    .locals 1
    cmp-long v0, p0, p2
    return v0
.end method


.class public final Ljava/lang/Float;
.super Ljava/lang/Number;
.implements Ljava/lang/Comparable;
.field public static final TYPE:Ljava/lang/Class;

.method static constructor <clinit>()V
    .locals 2
    const-string v0, "float"
    invoke-static {v0}, Ljava/lang/Class;->getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    sput-object v0, Ljava/lang/Float;->TYPE:Ljava/lang/Class;
    return-void
.end method

.method public constructor <init>(F)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Number;-><init>()V
    iput p1, p0, Ljava/lang/Float;->value:F
    return-void
.end method

.method public static valueOf(F)Ljava/lang/Float;
    .locals 1
    new-instance v0, Ljava/lang/Float;
    invoke-direct {v0, p0}, Ljava/lang/Float;-><init>(F)V
    return-object v0
.end method

.method public floatValue()F
    .locals 1
    iget v0, p0, Ljava/lang/Float;->value:F
    return v0
.end method

.method public intValue()I
    .locals 1
    iget v0, p0, Ljava/lang/Float;->value:F
    float-to-int v0, v0
    return v0
.end method

.method public longValue()J
    .locals 2
    iget v0, p0, Ljava/lang/Float;->value:F
    float-to-long v0, v0
    return-wide v0
.end method

.method public doubleValue()D
    .locals 2
    iget v0, p0, Ljava/lang/Float;->value:F
    float-to-double v0, v0
    return-wide v0
.end method

.method public equals(Ljava/lang/Object;)Z
    .locals 4
    instance-of v0, p1, Ljava/lang/Float;
    if-eqz v0, :no
    check-cast p1, Ljava/lang/Float;
    iget v0, p0, Ljava/lang/Float;->value:F
    iget v2, p1, Ljava/lang/Float;->value:F
    invoke-static {v0}, Ljava/lang/Float;->floatToIntBits(F)I
    move-result v0
    invoke-static {v2}, Ljava/lang/Float;->floatToIntBits(F)I
    move-result v2
    if-ne v0, v2, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

.method public hashCode()I
    .locals 4
    iget v0, p0, Ljava/lang/Float;->value:F
    invoke-static {v0}, Ljava/lang/Float;->floatToIntBits(F)I
    move-result v0
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 1
    iget v0, p0, Ljava/lang/Float;->value:F
    invoke-static {v0}, Ljava/lang/Float;->toString(F)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public compareTo(Ljava/lang/Object;)I
    .locals 4
    check-cast p1, Ljava/lang/Float;
    iget v0, p0, Ljava/lang/Float;->value:F
    iget v2, p1, Ljava/lang/Float;->value:F
    cmpg-float v0, v0, v2
    return v0
.end method

.method public static native toString(F)Ljava/lang/String;
.end method
.method public static native floatToRawIntBits(F)I
.end method
.method public static native intBitsToFloat(I)F
.end method

.method public static isNaN(F)Z
    .locals 1
    cmpl-float v0, p0, p0
    and-int/lit8 v0, v0, 0x1
    return v0
.end method

.method public static floatToIntBits(F)I
    .locals 1
    cmpl-float v0, p0, p0
    if-eqz v0, :number
    const/high16 v0, 0x7fc00000
    return v0
    :number
    invoke-static {p0}, Ljava/lang/Float;->floatToRawIntBits(F)I
    move-result v0
    return v0
.end method


.class public final Ljava/lang/Double;
.super Ljava/lang/Number;
.implements Ljava/lang/Comparable;
.field public static final TYPE:Ljava/lang/Class;

.method static constructor <clinit>()V
    .locals 2
    const-string v0, "double"
    invoke-static {v0}, Ljava/lang/Class;->getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    sput-object v0, Ljava/lang/Double;->TYPE:Ljava/lang/Class;
    return-void
.end method

.method public constructor <init>(D)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Number;-><init>()V
    iput-wide p1, p0, Ljava/lang/Double;->value:D
    return-void
.end method

.method public static valueOf(D)Ljava/lang/Double;
    .locals 1
    new-instance v0, Ljava/lang/Double;
    invoke-direct {v0, p0, p1}, Ljava/lang/Double;-><init>(D)V
    return-object v0
.end method

.method public doubleValue()D
    .locals 2
    iget-wide v0, p0, Ljava/lang/Double;->value:D
    return-wide v0
.end method

.method public intValue()I
    .locals 2
    iget-wide v0, p0, Ljava/lang/Double;->value:D
    double-to-int v0, v0
    return v0
.end method

.method public longValue()J
    .locals 2
    iget-wide v0, p0, Ljava/lang/Double;->value:D
    double-to-long v0, v0
    return-wide v0
.end method

.method public floatValue()F
    .locals 2
    iget-wide v0, p0, Ljava/lang/Double;->value:D
    double-to-float v0, v0
    return v0
.end method

.method public equals(Ljava/lang/Object;)Z
    .locals 4
    instance-of v0, p1, Ljava/lang/Double;
    if-eqz v0, :no
    check-cast p1, Ljava/lang/Double;
    iget-wide v0, p0, Ljava/lang/Double;->value:D
    iget-wide v2, p1, Ljava/lang/Double;->value:D
    invoke-static {v0, v1}, Ljava/lang/Double;->doubleToLongBits(D)J
    move-result-wide v0
    invoke-static {v2, v3}, Ljava/lang/Double;->doubleToLongBits(D)J
    move-result-wide v2
    cmp-long v0, v0, v2
    if-nez v0, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

.method public hashCode()I
    .locals 4
    iget-wide v0, p0, Ljava/lang/Double;->value:D
    invoke-static {v0, v1}, Ljava/lang/Double;->doubleToLongBits(D)J
    move-result-wide v0
    const/16 v2, 0x20
    ushr-long v2, v0, v2
    xor-long/2addr v0, v2
    long-to-int v0, v0
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 2
    iget-wide v0, p0, Ljava/lang/Double;->value:D
    invoke-static {v0, v1}, Ljava/lang/Double;->toString(D)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public compareTo(Ljava/lang/Object;)I
    .locals 4
    check-cast p1, Ljava/lang/Double;
    iget-wide v0, p0, Ljava/lang/Double;->value:D
    iget-wide v2, p1, Ljava/lang/Double;->value:D
    cmpg-double v0, v0, v2
    return v0
.end method

.method public static native toString(D)Ljava/lang/String;
.end method
.method public static native doubleToRawLongBits(D)J
.end method
.method public static native longBitsToDouble(J)D
.end method

.method public static isNaN(D)Z
    .locals 1
    cmpl-double v0, p0, p0
    and-int/lit8 v0, v0, 0x1
    return v0
.end method

.method public static doubleToLongBits(D)J
    .locals 2
    cmpl-double v0, p0, p0
    if-eqz v0, :number
    const-wide/high16 v0, 0x7ff8000000000000L
    return-wide v0
    :number
    invoke-static {p0, p1}, Ljava/lang/Double;->doubleToRawLongBits(D)J
    move-result-wide v0
    return-wide v0
.end method


.class public final Ljava/lang/Void;
.field public static final TYPE:Ljava/lang/Class;

.method static constructor <clinit>()V
    .locals 1
    const-string v0, "void"
    invoke-static {v0}, Ljava/lang/Class;->getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    sput-object v0, Ljava/lang/Void;->TYPE:Ljava/lang/Class;
    return-void
.end method


.class public final Ljava/lang/Math;
.method public static native cos(D)D
.end method
.method public static native sin(D)D
.end method
.method public static native acos(D)D
.end method
.method public static native asin(D)D
.end method
.method public static native atan(D)D
.end method
.method public static native cbrt(D)D
.end method
.method public static native cosh(D)D
.end method
.method public static native exp(D)D
.end method
.method public static native expm1(D)D
.end method
.method public static native log(D)D
.end method
.method public static native log10(D)D
.end method
.method public static native sinh(D)D
.end method
.method public static native tan(D)D
.end method
.method public static native tanh(D)D
.end method
.method public static native sqrt(D)D
.end method
.method public static native ceil(D)D
.end method
.method public static native floor(D)D
.end method
.method public static native rint(D)D
.end method
.method public static native atan2(DD)D
.end method
.method public static native pow(DD)D
.end method
.method public static native hypot(DD)D
.end method
.method public static native nextAfter(DD)D
.end method

.method public static abs(I)I
    .locals 3
    if-gez p0, :done
    neg-int p0, p0
    :done
    return p0
.end method

.method public static min(II)I
    .locals 1
    if-le p0, p1, :first
    return p1
    :first
    return p0
.end method

.method public static max(II)I
    .locals 1
    if-ge p0, p1, :first
    return p1
    :first
    return p0
.end method

.method public static abs(J)J
    .locals 3
    const-wide/16 v0, 0x0
    cmp-long v2, p0, v0
    if-gez v2, :done
    neg-long p0, p0
    :done
    return-wide p0
.end method

.method public static min(JJ)J
    .locals 1
    cmp-long v0, p0, p2
    if-lez v0, :first
    return-wide p2
    :first
    return-wide p0
.end method

.method public static max(JJ)J
    .locals 1
    cmp-long v0, p0, p2
    if-gez v0, :first
    return-wide p2
    :first
    return-wide p0
.end method

.method public static min(FF)F
    .locals 1
    cmpg-float v0, p0, p1
    if-lez v0, :first
    return p1
    :first
    return p0
.end method

.method public static max(FF)F
    .locals 1
    cmpg-float v0, p0, p1
    if-gez v0, :first
    return p1
    :first
    return p0
.end method

.method public static min(DD)D
    .locals 1
    cmpg-double v0, p0, p2
    if-lez v0, :first
    return-wide p2
    :first
    return-wide p0
.end method

.method public static max(DD)D
    .locals 1
    cmpg-double v0, p0, p2
    if-gez v0, :first
    return-wide p2
    :first
    return-wide p0
.end method

.method public static abs(F)F
    .locals 2
    invoke-static {p0}, Ljava/lang/Float;->floatToRawIntBits(F)I
    move-result v0
    const v1, 0x7fffffff
    and-int/2addr v0, v1
    invoke-static {v0}, Ljava/lang/Float;->intBitsToFloat(I)F
    move-result v0
    return v0
.end method

.method public static abs(D)D
    .locals 4
    invoke-static {p0, p1}, Ljava/lang/Double;->doubleToRawLongBits(D)J
    move-result-wide v0
    const-wide v2, 0x7fffffffffffffffL
    and-long/2addr v0, v2
    invoke-static {v0, v1}, Ljava/lang/Double;->longBitsToDouble(J)D
    move-result-wide v0
    return-wide v0
.end method
