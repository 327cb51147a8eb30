# Strings and what makes them.

.class public interface abstract Ljava/lang/CharSequence;
.method public abstract length()I
.end method
.method public abstract charAt(I)C
.end method
.method public abstract toString()Ljava/lang/String;
.end method


.class public interface abstract Ljava/lang/Comparable;
.method public abstract compareTo(Ljava/lang/Object;)I
.end method


.class public final Ljava/lang/String;
.implements Ljava/lang/CharSequence;
.implements Ljava/lang/Comparable;
.implements Ljava/io/Serializable;

# The lowest bit of the count says whether the characters have one byte or two.
.method public length()I
    .locals 1
    iget v0, p0, Ljava/lang/String;->count:I
    ushr-int/lit8 v0, v0, 0x1
    return v0
.end method

.method public isEmpty()Z
    .locals 1
    iget v0, p0, Ljava/lang/String;->count:I
    ushr-int/lit8 v0, v0, 0x1
    if-nez v0, :some
    const/4 v0, 0x1
    return v0
    :some
    const/4 v0, 0x0
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 0
    return-object p0
.end method

.method public equals(Ljava/lang/Object;)Z
    .locals 1
    instance-of v0, p1, Ljava/lang/String;
    if-eqz v0, :no
    check-cast p1, Ljava/lang/String;
    invoke-virtual {p0, p1}, Ljava/lang/String;->compareTo(Ljava/lang/String;)I
    move-result v0
    if-nez v0, :differs
    const/4 v0, 0x1
    return v0
    :differs
    const/4 v0, 0x0
    :no
    return v0
.end method

.method public hashCode()I
    .locals 4
    iget v0, p0, Ljava/lang/String;->hash:I
    if-nez v0, :done
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v1
    const/4 v2, 0x0
    :next
    if-ge v2, v1, :keep
    mul-int/lit8 v0, v0, 0x1f
    invoke-virtual {p0, v2}, Ljava/lang/String;->charAt(I)C
    move-result v3
    add-int/2addr v0, v3
    add-int/lit8 v2, v2, 0x1
    goto :next
    :keep
    iput v0, p0, Ljava/lang/String;->hash:I
    :done
    return v0
.end method

.method public compareTo(Ljava/lang/Object;)I
    .locals 1
    check-cast p1, Ljava/lang/String;
    invoke-virtual {p0, p1}, Ljava/lang/String;->compareTo(Ljava/lang/String;)I
    move-result v0
    return v0
.end method

.method public substring(I)Ljava/lang/String;
    .locals 1
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    invoke-virtual {p0, p1, v0}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public substring(II)Ljava/lang/String;
    .locals 2
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    if-ltz p1, :outside
    if-gt p2, v0, :outside
    sub-int v0, p2, p1
    if-ltz v0, :outside
    invoke-virtual {p0, p1, v0}, Ljava/lang/String;->fastSubstring(II)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :outside
    new-instance v0, Ljava/lang/StringIndexOutOfBoundsException;
    invoke-static {p1}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v1
    invoke-direct {v0, v1}, Ljava/lang/StringIndexOutOfBoundsException;-><init>(Ljava/lang/String;)V
    throw v0
.end method

.method public indexOf(I)I
    .locals 1
    const/4 v0, 0x0
    invoke-virtual {p0, p1, v0}, Ljava/lang/String;->indexOf(II)I
    move-result v0
    return v0
.end method

.method public indexOf(II)I
    .locals 2
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    :next
    if-ge p2, v0, :none
    invoke-virtual {p0, p2}, Ljava/lang/String;->charAt(I)C
    move-result v1
    if-eq v1, p1, :found
    add-int/lit8 p2, p2, 0x1
    goto :next
    :none
    const/4 p2, -0x1
    :found
    return p2
.end method

.method public lastIndexOf(I)I
    .locals 2
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    :next
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :found
    invoke-virtual {p0, v0}, Ljava/lang/String;->charAt(I)C
    move-result v1
    if-ne v1, p1, :next
    :found
    return v0
.end method

.method public indexOf(Ljava/lang/String;)I
    .locals 1
    const/4 v0, 0x0
    invoke-virtual {p0, p1, v0}, Ljava/lang/String;->indexOf(Ljava/lang/String;I)I
    move-result v0
    return v0
.end method

.method public indexOf(Ljava/lang/String;I)I
    .locals 2
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    invoke-virtual {p1}, Ljava/lang/String;->length()I
    move-result v1
    sub-int/2addr v0, v1
    :next
    if-gt p2, v0, :none
    invoke-virtual {p0, p1, p2}, Ljava/lang/String;->startsWith(Ljava/lang/String;I)Z
    move-result v1
    if-nez v1, :found
    add-int/lit8 p2, p2, 0x1
    goto :next
    :none
    const/4 p2, -0x1
    :found
    return p2
.end method

.method public contains(Ljava/lang/CharSequence;)Z
    .locals 1
    invoke-interface {p1}, Ljava/lang/CharSequence;->toString()Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/String;->indexOf(Ljava/lang/String;)I
    move-result v0
    shr-int/lit8 v0, v0, 0x1f
    add-int/lit8 v0, v0, 0x1
    return v0
.end method

.method public startsWith(Ljava/lang/String;)Z
    .locals 1
    const/4 v0, 0x0
    invoke-virtual {p0, p1, v0}, Ljava/lang/String;->startsWith(Ljava/lang/String;I)Z
    move-result v0
    return v0
.end method

.method public startsWith(Ljava/lang/String;I)Z
    .locals 5
    invoke-virtual {p1}, Ljava/lang/String;->length()I
    move-result v0
    add-int v1, p2, v0
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v2
    if-gt v1, v2, :no
    if-ltz p2, :no
    const/4 v1, 0x0
    :next
    if-ge v1, v0, :yes
    add-int v2, p2, v1
    invoke-virtual {p0, v2}, Ljava/lang/String;->charAt(I)C
    move-result v3
    invoke-virtual {p1, v1}, Ljava/lang/String;->charAt(I)C
    move-result v4
    if-ne v3, v4, :no
    add-int/lit8 v1, v1, 0x1
    goto :next
    :yes
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

.method public endsWith(Ljava/lang/String;)Z
    .locals 2
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    invoke-virtual {p1}, Ljava/lang/String;->length()I
    move-result v1
    sub-int/2addr v0, v1
    invoke-virtual {p0, p1, v0}, Ljava/lang/String;->startsWith(Ljava/lang/String;I)Z
    move-result v0
    return v0
.end method

.method public trim()Ljava/lang/String;
    .locals 4
    const/4 v0, 0x0
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v1
    const/16 v3, 0x20
    :front
    if-ge v0, v1, :cut
    invoke-virtual {p0, v0}, Ljava/lang/String;->charAt(I)C
    move-result v2
    if-gt v2, v3, :back
    add-int/lit8 v0, v0, 0x1
    goto :front
    :back
    add-int/lit8 v2, v1, -0x1
    invoke-virtual {p0, v2}, Ljava/lang/String;->charAt(I)C
    move-result v2
    if-gt v2, v3, :cut
    add-int/lit8 v1, v1, -0x1
    goto :back
    :cut
    invoke-virtual {p0, v0, v1}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public replace(CC)Ljava/lang/String;
    .locals 1
    invoke-virtual {p0, p1}, Ljava/lang/String;->indexOf(I)I
    move-result v0
    if-ltz v0, :same
    invoke-virtual {p0, p1, p2}, Ljava/lang/String;->doReplace(CC)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :same
    return-object p0
.end method

.method public subSequence(II)Ljava/lang/CharSequence;
    .locals 1
    invoke-virtual {p0, p1, p2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public getBytes()[B
    .locals 2
    const/4 v0, 0x0
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v1
    invoke-static {p0, v0, v1}, Llibcore/util/CharsetUtils;->toUtf8Bytes(Ljava/lang/String;II)[B
    move-result-object v0
    return-object v0
.end method

.method public getBytes(Ljava/lang/String;)[B
    .locals 1
    invoke-static {p1}, Ljava/nio/charset/Charset;->forName(Ljava/lang/String;)Ljava/nio/charset/Charset;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/String;->getBytes(Ljava/nio/charset/Charset;)[B
    move-result-object v0
    return-object v0
.end method

.method public getBytes(Ljava/nio/charset/Charset;)[B
    .locals 2
    iget-boolean v0, p1, Ljava/nio/charset/Charset;->oneByte:Z
    if-nez v0, :one
    invoke-virtual {p0}, Ljava/lang/String;->getBytes()[B
    move-result-object v0
    return-object v0
    :one
    const/4 v0, 0x0
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v1
    invoke-static {p0, v0, v1}, Llibcore/util/CharsetUtils;->toIsoLatin1Bytes(Ljava/lang/String;II)[B
    move-result-object v0
    return-object v0
.end method

.method public static valueOf(Ljava/lang/Object;)Ljava/lang/String;
    .locals 1
    if-nez p0, :some
    const-string v0, "null"
    return-object v0
    :some
    invoke-virtual {p0}, Ljava/lang/Object;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static valueOf(I)Ljava/lang/String;
    .locals 1
    invoke-static {p0}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static valueOf(J)Ljava/lang/String;
    .locals 1
    invoke-static {p0, p1}, Ljava/lang/Long;->toString(J)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static valueOf(Z)Ljava/lang/String;
    .locals 1
    const-string v0, "false"
    if-eqz p0, :false
    const-string v0, "true"
    :false
    return-object v0
.end method

.method public static valueOf(F)Ljava/lang/String;
    .locals 1
    invoke-static {p0}, Ljava/lang/Float;->toString(F)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static valueOf(D)Ljava/lang/String;
    .locals 1
    invoke-static {p0, p1}, Ljava/lang/Double;->toString(D)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static valueOf(C)Ljava/lang/String;
    .locals 2
    const/4 v0, 0x1
    new-array v0, v0, [C
    const/4 v1, 0x0
    aput-char p0, v0, v1
    invoke-static {v0}, Ljava/lang/StringFactory;->newStringFromChars([C)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static valueOf([C)Ljava/lang/String;
    .locals 1
    invoke-static {p0}, Ljava/lang/StringFactory;->newStringFromChars([C)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method


# ART calls these in place of the constructors of String.
.class public final Ljava/lang/StringFactory;

.method public static newEmptyString()Ljava/lang/String;
    .locals 3
    const/4 v0, 0x0
    new-array v1, v0, [C
    invoke-static {v0, v0, v1}, Ljava/lang/StringFactory;->newStringFromChars(II[C)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static newStringFromChars([C)Ljava/lang/String;
    .locals 2
    const/4 v0, 0x0
    array-length v1, p0
    invoke-static {v0, v1, p0}, Ljava/lang/StringFactory;->newStringFromChars(II[C)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static newStringFromChars([CII)Ljava/lang/String;
    .locals 2
    if-ltz p1, :outside
    if-ltz p2, :outside
    array-length v0, p0
    sub-int/2addr v0, p2
    if-gt p1, v0, :outside
    invoke-static {p1, p2, p0}, Ljava/lang/StringFactory;->newStringFromChars(II[C)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :outside
    new-instance v0, Ljava/lang/StringIndexOutOfBoundsException;
    invoke-static {p1}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v1
    invoke-direct {v0, v1}, Ljava/lang/StringIndexOutOfBoundsException;-><init>(Ljava/lang/String;)V
    throw v0
.end method

.method public static newStringFromStringBuilder(Ljava/lang/StringBuilder;)Ljava/lang/String;
    .locals 1
    invoke-virtual {p0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static newStringFromStringBuffer(Ljava/lang/StringBuffer;)Ljava/lang/String;
    .locals 1
    invoke-virtual {p0}, Ljava/lang/StringBuffer;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static newStringFromBytes([B)Ljava/lang/String;
    .locals 2
    const/4 v0, 0x0
    array-length v1, p0
    invoke-static {p0, v0, v1}, Ljava/lang/StringFactory;->newStringFromBytes([BII)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static newStringFromBytes([BLjava/lang/String;)Ljava/lang/String;
    .locals 1
    invoke-static {p1}, Ljava/nio/charset/Charset;->forName(Ljava/lang/String;)Ljava/nio/charset/Charset;
    move-result-object v0
    invoke-static {p0, v0}, Ljava/lang/StringFactory;->newStringFromBytes([BLjava/nio/charset/Charset;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static newStringFromBytes([BIILjava/lang/String;)Ljava/lang/String;
    .locals 1
    invoke-static {p3}, Ljava/nio/charset/Charset;->forName(Ljava/lang/String;)Ljava/nio/charset/Charset;
    move-result-object v0
    invoke-static {p0, p1, p2, v0}, Ljava/lang/StringFactory;->newStringFromBytes([BIILjava/nio/charset/Charset;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static newStringFromBytes([BLjava/nio/charset/Charset;)Ljava/lang/String;
    .locals 2
    const/4 v0, 0x0
    array-length v1, p0
    invoke-static {p0, v0, v1, p1}, Ljava/lang/StringFactory;->newStringFromBytes([BIILjava/nio/charset/Charset;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static newStringFromBytes([BIILjava/nio/charset/Charset;)Ljava/lang/String;
    .locals 1
    iget-boolean v0, p3, Ljava/nio/charset/Charset;->oneByte:Z
    if-nez v0, :one
    invoke-static {p0, p1, p2}, Ljava/lang/StringFactory;->newStringFromBytes([BII)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :one
    const/4 v0, 0x0
    invoke-static {p0, v0, p1, p2}, Ljava/lang/StringFactory;->newStringFromBytes([BIII)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# UTF-8, each byte that is not part of a character as U+FFFD.
.method public static newStringFromBytes([BII)Ljava/lang/String;
    .locals 9
    new-array v0, p2, [C
    const/4 v1, 0x0
    add-int/2addr p2, p1
    :next
    if-ge p1, p2, :done
    aget-byte v2, p0, p1
    add-int/lit8 p1, p1, 0x1
    if-ltz v2, :lead
    aput-char v2, v0, v1
    add-int/lit8 v1, v1, 0x1
    goto :next
    :lead
    and-int/lit16 v2, v2, 0xff
    const/4 v3, 0x1
    and-int/lit8 v4, v2, 0x1f
    const/16 v5, 0x80
    const/16 v6, 0xc0
    if-lt v2, v6, :bad
    const/16 v6, 0xe0
    if-lt v2, v6, :tail
    const/4 v3, 0x2
    and-int/lit8 v4, v2, 0xf
    const/16 v5, 0x800
    const/16 v6, 0xf0
    if-lt v2, v6, :tail
    const/4 v3, 0x3
    and-int/lit8 v4, v2, 0x7
    const/high16 v5, 0x10000
    const/16 v6, 0xf8
    if-ge v2, v6, :bad
    :tail
    move v7, p1
    :more
    if-ge v7, p2, :bad
    aget-byte v6, p0, v7
    and-int/lit16 v8, v6, 0xc0
    xor-int/lit16 v8, v8, 0x80
    if-nez v8, :bad
    and-int/lit8 v6, v6, 0x3f
    shl-int/lit8 v4, v4, 0x6
    or-int/2addr v4, v6
    add-int/lit8 v7, v7, 0x1
    add-int/lit8 v3, v3, -0x1
    if-gtz v3, :more
    if-lt v4, v5, :bad
    move p1, v7
    const/high16 v6, 0x10000
    if-ge v4, v6, :pair
    int-to-char v4, v4
    aput-char v4, v0, v1
    add-int/lit8 v1, v1, 0x1
    goto :next
    :pair
    sub-int/2addr v4, v6
    shr-int/lit8 v6, v4, 0xa
    const v7, 0xd800
    add-int/2addr v6, v7
    int-to-char v6, v6
    aput-char v6, v0, v1
    add-int/lit8 v1, v1, 0x1
    and-int/lit16 v6, v4, 0x3ff
    const v7, 0xdc00
    add-int/2addr v6, v7
    int-to-char v6, v6
    aput-char v6, v0, v1
    add-int/lit8 v1, v1, 0x1
    goto :next
    :bad
    const v4, 0xfffd
    int-to-char v4, v4
    aput-char v4, v0, v1
    add-int/lit8 v1, v1, 0x1
    goto :next
    :done
    const/4 v2, 0x0
    invoke-static {v2, v1, v0}, Ljava/lang/StringFactory;->newStringFromChars(II[C)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method


# UTF-8 and ISO-8859-1 only.
.class public final Ljava/nio/charset/Charset;
.field private final name:Ljava/lang/String;
.field public final oneByte:Z

.method constructor <init>(Ljava/lang/String;Z)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/nio/charset/Charset;->name:Ljava/lang/String;
    iput-boolean p2, p0, Ljava/nio/charset/Charset;->oneByte:Z
    return-void
.end method

.method public static forName(Ljava/lang/String;)Ljava/nio/charset/Charset;
    .locals 2
    sget-object v0, Ljava/nio/charset/StandardCharsets;->UTF_8:Ljava/nio/charset/Charset;
    iget-object v1, v0, Ljava/nio/charset/Charset;->name:Ljava/lang/String;
    invoke-virtual {v1, p0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v1
    if-nez v1, :found
    sget-object v0, Ljava/nio/charset/StandardCharsets;->ISO_8859_1:Ljava/nio/charset/Charset;
    iget-object v1, v0, Ljava/nio/charset/Charset;->name:Ljava/lang/String;
    invoke-virtual {v1, p0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v1
    if-nez v1, :found
    new-instance v0, Ljava/lang/UnsupportedOperationException;
    invoke-direct {v0, p0}, Ljava/lang/UnsupportedOperationException;-><init>(Ljava/lang/String;)V
    throw v0
    :found
    return-object v0
.end method

.method public toString()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/nio/charset/Charset;->name:Ljava/lang/String;
    return-object v0
.end method


.class public final Ljava/nio/charset/StandardCharsets;
.field public static final UTF_8:Ljava/nio/charset/Charset;
.field public static final ISO_8859_1:Ljava/nio/charset/Charset;

.method static constructor <clinit>()V
    .locals 3
    new-instance v0, Ljava/nio/charset/Charset;
    const-string v1, "UTF-8"
    const/4 v2, 0x0
    invoke-direct {v0, v1, v2}, Ljava/nio/charset/Charset;-><init>(Ljava/lang/String;Z)V
    sput-object v0, Ljava/nio/charset/StandardCharsets;->UTF_8:Ljava/nio/charset/Charset;
    new-instance v0, Ljava/nio/charset/Charset;
    const-string v1, "ISO-8859-1"
    const/4 v2, 0x1
    invoke-direct {v0, v1, v2}, Ljava/nio/charset/Charset;-><init>(Ljava/lang/String;Z)V
    sput-object v0, Ljava/nio/charset/StandardCharsets;->ISO_8859_1:Ljava/nio/charset/Charset;
    return-void
.end method


.class public final Ljava/lang/StringBuilder;
.implements Ljava/lang/CharSequence;
.field private chars:[C
.field private used:I

.method public constructor <init>()V
    .locals 1
    const/16 v0, 0x10
    invoke-direct {p0, v0}, Ljava/lang/StringBuilder;-><init>(I)V
    return-void
.end method

.method public constructor <init>(I)V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    new-array v0, p1, [C
    iput-object v0, p0, Ljava/lang/StringBuilder;->chars:[C
    return-void
.end method

.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/StringBuilder;-><init>()V
    invoke-virtual {p0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-void
.end method

# Room for so many more characters.
.method private grow(I)V
    .locals 5
    iget-object v0, p0, Ljava/lang/StringBuilder;->chars:[C
    array-length v1, v0
    iget v2, p0, Ljava/lang/StringBuilder;->used:I
    add-int v3, v2, p1
    if-le v3, v1, :room
    shl-int/lit8 v1, v3, 0x1
    new-array v1, v1, [C
    const/4 v3, 0x0
    invoke-static {v0, v3, v1, v3, v2}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    iput-object v1, p0, Ljava/lang/StringBuilder;->chars:[C
    :room
    return-void
.end method

.method public append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    .locals 4
    if-nez p1, :some
    const-string p1, "null"
    :some
    invoke-virtual {p1}, Ljava/lang/String;->length()I
    move-result v0
    invoke-direct {p0, v0}, Ljava/lang/StringBuilder;->grow(I)V
    const/4 v1, 0x0
    iget-object v2, p0, Ljava/lang/StringBuilder;->chars:[C
    iget v3, p0, Ljava/lang/StringBuilder;->used:I
    invoke-virtual {p1, v1, v0, v2, v3}, Ljava/lang/String;->getCharsNoCheck(II[CI)V
    add-int/2addr v3, v0
    iput v3, p0, Ljava/lang/StringBuilder;->used:I
    return-object p0
.end method

.method public append(C)Ljava/lang/StringBuilder;
    .locals 2
    const/4 v0, 0x1
    invoke-direct {p0, v0}, Ljava/lang/StringBuilder;->grow(I)V
    iget-object v0, p0, Ljava/lang/StringBuilder;->chars:[C
    iget v1, p0, Ljava/lang/StringBuilder;->used:I
    aput-char p1, v0, v1
    add-int/lit8 v1, v1, 0x1
    iput v1, p0, Ljava/lang/StringBuilder;->used:I
    return-object p0
.end method

.method public append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
    .locals 1
    invoke-static {p1}, Ljava/lang/String;->valueOf(Ljava/lang/Object;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-object p0
.end method

.method public append(Ljava/lang/CharSequence;)Ljava/lang/StringBuilder;
    .locals 1
    invoke-static {p1}, Ljava/lang/String;->valueOf(Ljava/lang/Object;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-object p0
.end method

.method public append([C)Ljava/lang/StringBuilder;
    .locals 1
    invoke-static {p1}, Ljava/lang/StringFactory;->newStringFromChars([C)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-object p0
.end method

.method public append(Z)Ljava/lang/StringBuilder;
    .locals 1
    invoke-static {p1}, Ljava/lang/String;->valueOf(Z)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-object p0
.end method

.method public append(I)Ljava/lang/StringBuilder;
    .locals 1
    invoke-static {p1}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-object p0
.end method

.method public append(J)Ljava/lang/StringBuilder;
    .locals 1
    invoke-static {p1, p2}, Ljava/lang/Long;->toString(J)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-object p0
.end method

.method public append(F)Ljava/lang/StringBuilder;
    .locals 1
    invoke-static {p1}, Ljava/lang/Float;->toString(F)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-object p0
.end method

.method public append(D)Ljava/lang/StringBuilder;
    .locals 1
    invoke-static {p1, p2}, Ljava/lang/Double;->toString(D)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-object p0
.end method

.method public reverse()Ljava/lang/StringBuilder;
    .locals 5
    iget-object v0, p0, Ljava/lang/StringBuilder;->chars:[C
    iget v1, p0, Ljava/lang/StringBuilder;->used:I
    const/4 v2, 0x0
    :next
    add-int/lit8 v1, v1, -0x1
    if-ge v2, v1, :done
    aget-char v3, v0, v2
    aget-char v4, v0, v1
    aput-char v4, v0, v2
    aput-char v3, v0, v1
    add-int/lit8 v2, v2, 0x1
    goto :next
    :done
    return-object p0
.end method

.method public length()I
    .locals 1
    iget v0, p0, Ljava/lang/StringBuilder;->used:I
    return v0
.end method

.method public charAt(I)C
    .locals 2
    iget v0, p0, Ljava/lang/StringBuilder;->used:I
    if-lt p1, v0, :inside
    new-instance v0, Ljava/lang/StringIndexOutOfBoundsException;
    invoke-static {p1}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v1
    invoke-direct {v0, v1}, Ljava/lang/StringIndexOutOfBoundsException;-><init>(Ljava/lang/String;)V
    throw v0
    :inside
    iget-object v0, p0, Ljava/lang/StringBuilder;->chars:[C
    aget-char v0, v0, p1
    return v0
.end method

# Shorter only.
.method public setLength(I)V
    .locals 1
    iget v0, p0, Ljava/lang/StringBuilder;->used:I
    if-le p1, v0, :shorter
    new-instance v0, Ljava/lang/UnsupportedOperationException;
    invoke-direct {v0}, Ljava/lang/UnsupportedOperationException;-><init>()V
    throw v0
    :shorter
    iput p1, p0, Ljava/lang/StringBuilder;->used:I
    return-void
.end method

.method public toString()Ljava/lang/String;
    .locals 3
    const/4 v0, 0x0
    iget v1, p0, Ljava/lang/StringBuilder;->used:I
    iget-object v2, p0, Ljava/lang/StringBuilder;->chars:[C
    invoke-static {v0, v1, v2}, Ljava/lang/StringFactory;->newStringFromChars(II[C)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method


.class public final Ljava/lang/StringBuffer;
.field private final builder:Ljava/lang/StringBuilder;

.method public constructor <init>()V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    iput-object v0, p0, Ljava/lang/StringBuffer;->builder:Ljava/lang/StringBuilder;
    return-void
.end method

.method public declared-synchronized append(Ljava/lang/String;)Ljava/lang/StringBuffer;
    .locals 1
    monitor-enter p0
    :try
    iget-object v0, p0, Ljava/lang/StringBuffer;->builder:Ljava/lang/StringBuilder;
    invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    :try_end
    .catchall {:try .. :try_end} :failed
    monitor-exit p0
    return-object p0
    :failed
    move-exception v0
    monitor-exit p0
    throw v0
.end method

.method public length()I
    .locals 1
    iget-object v0, p0, Ljava/lang/StringBuffer;->builder:Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->length()I
    move-result v0
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/lang/StringBuffer;->builder:Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
