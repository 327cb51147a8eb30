# Files, archives and digests, as far as programs here use them. Natives of hostruntime.Files read them whole.

.class public final Lhostruntime/Files;
# Null where the file cannot be read.
.method public static native read(Ljava/lang/String;)[B
.end method
.method public static native exists(Ljava/lang/String;)Z
.end method
.method public static native sha256([B)[B
.end method
.method public static native hmac([B[B)[B
.end method
.method public static native random(I)[B
.end method
# With the letters of URLs, without padding.
.method public static native base64([B)Ljava/lang/String;
.end method
.method public static native fromBase64(Ljava/lang/String;)[B
.end method
# Sends bytes to a host and answers what comes until it closes; null where it cannot be reached.
.method public static native exchange(Ljava/lang/String;I[B)[B
.end method
# Data of a ZIP entry, whose method is deflate.
.method public static native inflate([BIII)[B
.end method
.method public static native inflateStream([B)[B
.end method
# AES-256: key, first counter, data.
.method public static native counterMode([B[B[B)[B
.end method
# -1 where there is no such file.
.method public static native length(Ljava/lang/String;)J
.end method
.method public static native write(Ljava/lang/String;[B)Z
.end method
.method public static native rename(Ljava/lang/String;Ljava/lang/String;)Z
.end method
.method public static native makeFolder(Ljava/lang/String;)Z
.end method
.method public static native remove(Ljava/lang/String;)Z
.end method
# Names in a folder; null where there is none.
.method public static native list(Ljava/lang/String;)[Ljava/lang/String;
.end method
# What a link leads to; null where it is none.
.method public static native link(Ljava/lang/String;)Ljava/lang/String;
.end method
# Number of the file on its device; -1 where there is none.
.method public static native node(Ljava/lang/String;)J
.end method
# A descriptor, or -1.
.method public static native open(Ljava/lang/String;)I
.end method
# Descriptor, place, array, from, count; -1 where it failed.
.method public static native readAt(IJ[BII)I
.end method
.method public static native close(I)V
.end method
# prctl with one value.
.method public static native control(IJ)I
.end method
# What is left of a stream.
.method public static all(Ljava/io/InputStream;)[B
    .locals 4
    new-instance v0, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v0}, Ljava/io/ByteArrayOutputStream;-><init>()V
    const/high16 v1, 0x100000
    new-array v1, v1, [B
    const/4 v2, 0x0
    :next
    array-length v3, v1
    invoke-virtual {p0, v1, v2, v3}, Ljava/io/InputStream;->read([BII)I
    move-result v3
    if-lez v3, :end
    invoke-virtual {v0, v1, v2, v3}, Ljava/io/ByteArrayOutputStream;->write([BII)V
    goto :next
    :end
    invoke-virtual {v0}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v0
    return-object v0
.end method


.class public Ljava/io/File;
.field private final path:Ljava/lang/String;

.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/io/File;->path:Ljava/lang/String;
    return-void
.end method

.method public constructor <init>(Ljava/io/File;Ljava/lang/String;)V
    .locals 2
    iget-object v0, p1, Ljava/io/File;->path:Ljava/lang/String;
    const-string v1, "/"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v0, p2}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-direct {p0, v0}, Ljava/io/File;-><init>(Ljava/lang/String;)V
    return-void
.end method

.method public getPath()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/io/File;->path:Ljava/lang/String;
    return-object v0
.end method

.method public getName()Ljava/lang/String;
    .locals 2
    iget-object v0, p0, Ljava/io/File;->path:Ljava/lang/String;
    const/16 v1, 0x2f
    invoke-virtual {v0, v1}, Ljava/lang/String;->lastIndexOf(I)I
    move-result v1
    add-int/lit8 v1, v1, 0x1
    invoke-virtual {v0, v1}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# One folder alone.
.method public mkdirs()Z
    .locals 1
    iget-object v0, p0, Ljava/io/File;->path:Ljava/lang/String;
    invoke-static {v0}, Lhostruntime/Files;->makeFolder(Ljava/lang/String;)Z
    move-result v0
    return v0
.end method

.method public delete()Z
    .locals 1
    iget-object v0, p0, Ljava/io/File;->path:Ljava/lang/String;
    invoke-static {v0}, Lhostruntime/Files;->remove(Ljava/lang/String;)Z
    move-result v0
    return v0
.end method

.method public list()[Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/io/File;->path:Ljava/lang/String;
    invoke-static {v0}, Lhostruntime/Files;->list(Ljava/lang/String;)[Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public length()J
    .locals 4
    iget-object v0, p0, Ljava/io/File;->path:Ljava/lang/String;
    invoke-static {v0}, Lhostruntime/Files;->length(Ljava/lang/String;)J
    move-result-wide v0
    const-wide/16 v2, 0x0
    cmp-long v2, v0, v2
    if-gez v2, :there
    const-wide/16 v0, 0x0
    :there
    return-wide v0
.end method

.method public renameTo(Ljava/io/File;)Z
    .locals 2
    iget-object v0, p0, Ljava/io/File;->path:Ljava/lang/String;
    iget-object v1, p1, Ljava/io/File;->path:Ljava/lang/String;
    invoke-static {v0, v1}, Lhostruntime/Files;->rename(Ljava/lang/String;Ljava/lang/String;)Z
    move-result v0
    return v0
.end method

.method public exists()Z
    .locals 1
    iget-object v0, p0, Ljava/io/File;->path:Ljava/lang/String;
    invoke-static {v0}, Lhostruntime/Files;->exists(Ljava/lang/String;)Z
    move-result v0
    return v0
.end method


.class public abstract Ljava/io/InputStream;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public abstract read([BII)I
.end method
# The next byte, or -1.
.method public read()I
    .locals 4
    const/4 v0, 0x1
    new-array v1, v0, [B
    const/4 v2, 0x0
    invoke-virtual {p0, v1, v2, v0}, Ljava/io/InputStream;->read([BII)I
    move-result v3
    if-lez v3, :end
    aget-byte v3, v1, v2
    and-int/lit16 v3, v3, 0xff
    return v3
    :end
    const/4 v3, -0x1
    return v3
.end method
.method public close()V
    .locals 0
    return-void
.end method


.class public Ljava/io/ByteArrayInputStream;
.super Ljava/io/InputStream;
.field private final bytes:[B
.field private at:I

.method public constructor <init>([B)V
    .locals 0
    invoke-direct {p0}, Ljava/io/InputStream;-><init>()V
    iput-object p1, p0, Ljava/io/ByteArrayInputStream;->bytes:[B
    return-void
.end method

.method public read([BII)I
    .locals 3
    iget-object v0, p0, Ljava/io/ByteArrayInputStream;->bytes:[B
    iget v1, p0, Ljava/io/ByteArrayInputStream;->at:I
    array-length v2, v0
    sub-int/2addr v2, v1
    if-gtz v2, :some
    const/4 v0, -0x1
    return v0
    :some
    if-ge v2, p3, :whole
    move p3, v2
    :whole
    invoke-static {v0, v1, p1, p2, p3}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    add-int/2addr v1, p3
    iput v1, p0, Ljava/io/ByteArrayInputStream;->at:I
    return p3
.end method


.class public Ljava/io/FileInputStream;
.super Ljava/io/ByteArrayInputStream;
.method public constructor <init>(Ljava/lang/String;)V
    .locals 1
    invoke-static {p1}, Ljava/io/FileInputStream;->bytesOf(Ljava/lang/String;)[B
    move-result-object v0
    invoke-direct {p0, v0}, Ljava/io/ByteArrayInputStream;-><init>([B)V
    return-void
.end method

.method private static bytesOf(Ljava/lang/String;)[B
    .locals 2
    invoke-static {p0}, Lhostruntime/Files;->read(Ljava/lang/String;)[B
    move-result-object v0
    if-nez v0, :read
    new-instance v1, Ljava/io/FileNotFoundException;
    invoke-direct {v1, p0}, Ljava/io/FileNotFoundException;-><init>(Ljava/lang/String;)V
    throw v1
    :read
    return-object v0
.end method


# To be read alone.
.class public Ljava/io/RandomAccessFile;
.super Ljava/lang/Object;
.field private final file:I
.field private at:J

.method public constructor <init>(Ljava/lang/String;Ljava/lang/String;)V
    .locals 2
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    invoke-static {p1}, Lhostruntime/Files;->open(Ljava/lang/String;)I
    move-result v0
    if-gez v0, :opened
    new-instance v1, Ljava/io/FileNotFoundException;
    invoke-direct {v1, p1}, Ljava/io/FileNotFoundException;-><init>(Ljava/lang/String;)V
    throw v1
    :opened
    iput v0, p0, Ljava/io/RandomAccessFile;->file:I
    return-void
.end method

.method public seek(J)V
    .locals 0
    iput-wide p1, p0, Ljava/io/RandomAccessFile;->at:J
    return-void
.end method

.method public read([BII)I
    .locals 7
    iget v0, p0, Ljava/io/RandomAccessFile;->file:I
    iget-wide v1, p0, Ljava/io/RandomAccessFile;->at:J
    move-object v3, p1
    move v4, p2
    move v5, p3
    invoke-static/range {v0 .. v5}, Lhostruntime/Files;->readAt(IJ[BII)I
    move-result v0
    if-ltz v0, :failed
    int-to-long v3, v0
    add-long/2addr v1, v3
    iput-wide v1, p0, Ljava/io/RandomAccessFile;->at:J
    if-nez v0, :some
    const/4 v0, -0x1
    :some
    return v0
    :failed
    new-instance v0, Ljava/io/IOException;
    const-string v1, "read"
    invoke-direct {v0, v1}, Ljava/io/IOException;-><init>(Ljava/lang/String;)V
    throw v0
.end method

.method public close()V
    .locals 1
    iget v0, p0, Ljava/io/RandomAccessFile;->file:I
    invoke-static {v0}, Lhostruntime/Files;->close(I)V
    return-void
.end method


.class public abstract Ljava/io/OutputStream;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public abstract write([BII)V
.end method
.method public write([B)V
    .locals 2
    const/4 v0, 0x0
    array-length v1, p1
    invoke-virtual {p0, p1, v0, v1}, Ljava/io/OutputStream;->write([BII)V
    return-void
.end method
.method public close()V
    .locals 0
    return-void
.end method


.class public Ljava/io/ByteArrayOutputStream;
.super Ljava/io/OutputStream;
.field private bytes:[B
.field private used:I

.method public constructor <init>()V
    .locals 1
    invoke-direct {p0}, Ljava/io/OutputStream;-><init>()V
    const/16 v0, 0x20
    new-array v0, v0, [B
    iput-object v0, p0, Ljava/io/ByteArrayOutputStream;->bytes:[B
    return-void
.end method

.method public write([BII)V
    .locals 5
    iget-object v0, p0, Ljava/io/ByteArrayOutputStream;->bytes:[B
    iget v1, p0, Ljava/io/ByteArrayOutputStream;->used:I
    add-int v2, v1, p3
    array-length v3, v0
    if-le v2, v3, :room
    shl-int/lit8 v3, v2, 0x1
    new-array v3, v3, [B
    const/4 v4, 0x0
    invoke-static {v0, v4, v3, v4, v1}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    iput-object v3, p0, Ljava/io/ByteArrayOutputStream;->bytes:[B
    move-object v0, v3
    :room
    invoke-static {p1, p2, v0, v1, p3}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    iput v2, p0, Ljava/io/ByteArrayOutputStream;->used:I
    return-void
.end method

.method public toByteArray()[B
    .locals 4
    iget-object v0, p0, Ljava/io/ByteArrayOutputStream;->bytes:[B
    iget v1, p0, Ljava/io/ByteArrayOutputStream;->used:I
    new-array v2, v1, [B
    const/4 v3, 0x0
    invoke-static {v0, v3, v2, v3, v1}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    return-object v2
.end method


# Written when it is closed.
.class public Ljava/io/FileOutputStream;
.super Ljava/io/ByteArrayOutputStream;
.field private final path:Ljava/lang/String;
.method public constructor <init>(Ljava/io/File;)V
    .locals 1
    invoke-direct {p0}, Ljava/io/ByteArrayOutputStream;-><init>()V
    invoke-virtual {p1}, Ljava/io/File;->getPath()Ljava/lang/String;
    move-result-object v0
    iput-object v0, p0, Ljava/io/FileOutputStream;->path:Ljava/lang/String;
    return-void
.end method
.method public final getFD()Ljava/io/FileDescriptor;
    .locals 1
    new-instance v0, Ljava/io/FileDescriptor;
    invoke-direct {v0}, Ljava/io/FileDescriptor;-><init>()V
    return-object v0
.end method
.method public getChannel()Ljava/nio/channels/FileChannel;
    .locals 1
    new-instance v0, Ljava/nio/channels/FileChannel;
    invoke-direct {v0}, Ljava/nio/channels/FileChannel;-><init>()V
    return-object v0
.end method
.method public close()V
    .locals 2
    iget-object v0, p0, Ljava/io/FileOutputStream;->path:Ljava/lang/String;
    invoke-virtual {p0}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v1
    invoke-static {v0, v1}, Lhostruntime/Files;->write(Ljava/lang/String;[B)Z
    move-result v1
    if-nez v1, :written
    new-instance v1, Ljava/io/FileNotFoundException;
    invoke-direct {v1, v0}, Ljava/io/FileNotFoundException;-><init>(Ljava/lang/String;)V
    throw v1
    :written
    return-void
.end method


.class public final Ljava/io/FileDescriptor;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public sync()V
    .locals 0
    return-void
.end method


# There is one process: locks are had at once.
.class public Ljava/nio/channels/FileChannel;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public final lock()Ljava/nio/channels/FileLock;
    .locals 1
    const/4 v0, 0x0
    return-object v0
.end method


.class public abstract Ljava/nio/channels/FileLock;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method


# A stream of zlib, which is unpacked whole.
.class public Ljava/util/zip/InflaterInputStream;
.super Ljava/io/ByteArrayInputStream;
.method public constructor <init>(Ljava/io/InputStream;)V
    .locals 1
    invoke-static {p1}, Ljava/util/zip/InflaterInputStream;->bytesOf(Ljava/io/InputStream;)[B
    move-result-object v0
    invoke-direct {p0, v0}, Ljava/io/ByteArrayInputStream;-><init>([B)V
    return-void
.end method
.method private static bytesOf(Ljava/io/InputStream;)[B
    .locals 2
    invoke-static {p0}, Lhostruntime/Files;->all(Ljava/io/InputStream;)[B
    move-result-object v0
    invoke-static {v0}, Lhostruntime/Files;->inflateStream([B)[B
    move-result-object v0
    if-nez v0, :sound
    new-instance v0, Ljava/io/IOException;
    const-string v1, "damaged"
    invoke-direct {v0, v1}, Ljava/io/IOException;-><init>(Ljava/lang/String;)V
    throw v0
    :sound
    return-object v0
.end method


.class public interface abstract Ljava/security/spec/AlgorithmParameterSpec;


.class public Ljavax/crypto/spec/IvParameterSpec;
.implements Ljava/security/spec/AlgorithmParameterSpec;
.field public final bytes:[B
.method public constructor <init>([B)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljavax/crypto/spec/IvParameterSpec;->bytes:[B
    return-void
.end method


# AES/CTR/NoPadding, and AES/GCM/NoPadding with a tag of HMAC-SHA-256 in place of its own, since nothing but this class reads it.
.class public Ljavax/crypto/Cipher;
.field public key:[B
.field public start:[B
.field private mode:I
.field private tags:Z
.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public static getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;
    .locals 2
    const-string v0, "AES/GCM/NoPadding"
    invoke-virtual {v0, p0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v1
    if-nez v1, :known
    const-string v0, "AES/CTR/NoPadding"
    invoke-virtual {v0, p0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-nez v0, :known
    new-instance v0, Ljava/security/NoSuchAlgorithmException;
    invoke-direct {v0, p0}, Ljava/security/NoSuchAlgorithmException;-><init>(Ljava/lang/String;)V
    throw v0
    :known
    new-instance v0, Ljavax/crypto/Cipher;
    invoke-direct {v0}, Ljavax/crypto/Cipher;-><init>()V
    iput-boolean v1, v0, Ljavax/crypto/Cipher;->tags:Z
    return-object v0
.end method
.method public init(ILjava/security/Key;)V
    .locals 1
    const/16 v0, 0xc
    invoke-static {v0}, Lhostruntime/Files;->random(I)[B
    move-result-object v0
    invoke-direct {p0, p1, p2, v0}, Ljavax/crypto/Cipher;->begin(ILjava/security/Key;[B)V
    return-void
.end method
.method public init(ILjava/security/Key;Ljava/security/spec/AlgorithmParameterSpec;)V
    .locals 1
    instance-of v0, p3, Ljavax/crypto/spec/GCMParameterSpec;
    if-nez v0, :tagged
    check-cast p3, Ljavax/crypto/spec/IvParameterSpec;
    iget-object v0, p3, Ljavax/crypto/spec/IvParameterSpec;->bytes:[B
    goto :begin
    :tagged
    check-cast p3, Ljavax/crypto/spec/GCMParameterSpec;
    iget-object v0, p3, Ljavax/crypto/spec/GCMParameterSpec;->bytes:[B
    :begin
    invoke-direct {p0, p1, p2, v0}, Ljavax/crypto/Cipher;->begin(ILjava/security/Key;[B)V
    return-void
.end method
.method private begin(ILjava/security/Key;[B)V
    .locals 1
    iput p1, p0, Ljavax/crypto/Cipher;->mode:I
    check-cast p2, Ljavax/crypto/spec/SecretKeySpec;
    iget-object v0, p2, Ljavax/crypto/spec/SecretKeySpec;->bytes:[B
    iput-object v0, p0, Ljavax/crypto/Cipher;->key:[B
    iput-object p3, p0, Ljavax/crypto/Cipher;->start:[B
    return-void
.end method
.method public getIV()[B
    .locals 1
    iget-object v0, p0, Ljavax/crypto/Cipher;->start:[B
    return-object v0
.end method
# A counter block begins with the vector.
.method private counted([B)[B
    .locals 5
    const/16 v0, 0x10
    new-array v0, v0, [B
    iget-object v1, p0, Ljavax/crypto/Cipher;->start:[B
    const/4 v2, 0x0
    array-length v3, v1
    invoke-static {v1, v2, v0, v2, v3}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    iget-object v1, p0, Ljavax/crypto/Cipher;->key:[B
    invoke-static {v1, v0, p1}, Lhostruntime/Files;->counterMode([B[B[B)[B
    move-result-object v0
    return-object v0
.end method
.method public doFinal([B)[B
    .locals 5
    iget-boolean v0, p0, Ljavax/crypto/Cipher;->tags:Z
    if-nez v0, :tagged
    invoke-direct {p0, p1}, Ljavax/crypto/Cipher;->counted([B)[B
    move-result-object v0
    return-object v0
    :tagged
    iget-object v1, p0, Ljavax/crypto/Cipher;->key:[B
    iget v0, p0, Ljavax/crypto/Cipher;->mode:I
    const/4 v2, 0x2
    if-eq v0, v2, :decrypt
    invoke-direct {p0, p1}, Ljavax/crypto/Cipher;->counted([B)[B
    move-result-object v0
    invoke-static {v1, v0}, Lhostruntime/Files;->hmac([B[B)[B
    move-result-object v1
    new-instance v2, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v2}, Ljava/io/ByteArrayOutputStream;-><init>()V
    invoke-virtual {v2, v0}, Ljava/io/ByteArrayOutputStream;->write([B)V
    invoke-virtual {v2, v1}, Ljava/io/ByteArrayOutputStream;->write([B)V
    invoke-virtual {v2}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v0
    return-object v0
    :decrypt
    array-length v2, p1
    add-int/lit8 v3, v2, -0x20
    const/4 v0, 0x0
    invoke-static {p1, v0, v3}, Ljava/util/Arrays;->copyOfRange([BII)[B
    move-result-object v0
    invoke-static {p1, v3, v2}, Ljava/util/Arrays;->copyOfRange([BII)[B
    move-result-object v2
    invoke-static {v1, v0}, Lhostruntime/Files;->hmac([B[B)[B
    move-result-object v1
    invoke-static {v1, v2}, Ljava/util/Arrays;->equals([B[B)Z
    move-result v1
    if-nez v1, :sound
    new-instance v0, Ljava/security/GeneralSecurityException;
    const-string v1, "mac check in GCM failed"
    invoke-direct {v0, v1}, Ljava/security/GeneralSecurityException;-><init>(Ljava/lang/String;)V
    throw v0
    :sound
    invoke-direct {p0, v0}, Ljavax/crypto/Cipher;->counted([B)[B
    move-result-object v0
    return-object v0
.end method


.class public Ljavax/crypto/spec/GCMParameterSpec;
.implements Ljava/security/spec/AlgorithmParameterSpec;
.field public final bytes:[B
.method public constructor <init>(I[B)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p2, p0, Ljavax/crypto/spec/GCMParameterSpec;->bytes:[B
    return-void
.end method


.class public Ljava/security/SecureRandom;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public nextBytes([B)V
    .locals 3
    array-length v0, p1
    invoke-static {v0}, Lhostruntime/Files;->random(I)[B
    move-result-object v1
    const/4 v2, 0x0
    invoke-static {v1, v2, p1, v2, v0}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    return-void
.end method


# Decrypted whole.
.class public Ljavax/crypto/CipherInputStream;
.super Ljava/io/ByteArrayInputStream;
.method public constructor <init>(Ljava/io/InputStream;Ljavax/crypto/Cipher;)V
    .locals 3
    invoke-static {p1}, Lhostruntime/Files;->all(Ljava/io/InputStream;)[B
    move-result-object v0
    iget-object v1, p2, Ljavax/crypto/Cipher;->key:[B
    iget-object v2, p2, Ljavax/crypto/Cipher;->start:[B
    invoke-static {v1, v2, v0}, Lhostruntime/Files;->counterMode([B[B[B)[B
    move-result-object v0
    invoke-direct {p0, v0}, Ljava/io/ByteArrayInputStream;-><init>([B)V
    return-void
.end method


# SHA-256 alone.
.class public Ljava/security/MessageDigest;
.field private given:Ljava/io/ByteArrayOutputStream;

.method private constructor <init>()V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    new-instance v0, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v0}, Ljava/io/ByteArrayOutputStream;-><init>()V
    iput-object v0, p0, Ljava/security/MessageDigest;->given:Ljava/io/ByteArrayOutputStream;
    return-void
.end method

.method public static getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;
    .locals 1
    const-string v0, "SHA-256"
    invoke-virtual {v0, p0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-nez v0, :known
    new-instance v0, Ljava/security/NoSuchAlgorithmException;
    invoke-direct {v0, p0}, Ljava/security/NoSuchAlgorithmException;-><init>(Ljava/lang/String;)V
    throw v0
    :known
    new-instance v0, Ljava/security/MessageDigest;
    invoke-direct {v0}, Ljava/security/MessageDigest;-><init>()V
    return-object v0
.end method

.method public update([BII)V
    .locals 1
    iget-object v0, p0, Ljava/security/MessageDigest;->given:Ljava/io/ByteArrayOutputStream;
    invoke-virtual {v0, p1, p2, p3}, Ljava/io/ByteArrayOutputStream;->write([BII)V
    return-void
.end method

.method public update([B)V
    .locals 2
    const/4 v0, 0x0
    array-length v1, p1
    invoke-virtual {p0, p1, v0, v1}, Ljava/security/MessageDigest;->update([BII)V
    return-void
.end method

# The digest begins again.
.method public digest()[B
    .locals 2
    iget-object v0, p0, Ljava/security/MessageDigest;->given:Ljava/io/ByteArrayOutputStream;
    invoke-virtual {v0}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v0
    invoke-static {v0}, Lhostruntime/Files;->sha256([B)[B
    move-result-object v0
    new-instance v1, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v1}, Ljava/io/ByteArrayOutputStream;-><init>()V
    iput-object v1, p0, Ljava/security/MessageDigest;->given:Ljava/io/ByteArrayOutputStream;
    return-object v0
.end method

.method public digest([B)[B
    .locals 1
    invoke-virtual {p0, p1}, Ljava/security/MessageDigest;->update([B)V
    invoke-virtual {p0}, Ljava/security/MessageDigest;->digest()[B
    move-result-object v0
    return-object v0
.end method


.class public interface abstract Ljava/util/Enumeration;
.method public abstract hasMoreElements()Z
.end method
.method public abstract nextElement()Ljava/lang/Object;
.end method


.class public Ljava/util/zip/ZipEntry;
.field final name:Ljava/lang/String;
.field method:I
.field packed:I
.field size:I
.field header:I

.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/util/zip/ZipEntry;->name:Ljava/lang/String;
    return-void
.end method

.method public getName()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/util/zip/ZipEntry;->name:Ljava/lang/String;
    return-object v0
.end method


# The central directory of an archive whose comment is empty.
.class public Ljava/util/zip/ZipFile;
.implements Ljava/util/Enumeration;
.field private final bytes:[B
.field private left:I
.field private at:I

.method public constructor <init>(Ljava/lang/String;)V
    .locals 3
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    invoke-static {p1}, Lhostruntime/Files;->read(Ljava/lang/String;)[B
    move-result-object v0
    if-nez v0, :read
    new-instance v1, Ljava/io/FileNotFoundException;
    invoke-direct {v1, p1}, Ljava/io/FileNotFoundException;-><init>(Ljava/lang/String;)V
    throw v1
    :read
    iput-object v0, p0, Ljava/util/zip/ZipFile;->bytes:[B
    array-length v1, v0
    add-int/lit8 v1, v1, -0x16
    add-int/lit8 v2, v1, 0xa
    invoke-direct {p0, v2}, Ljava/util/zip/ZipFile;->two(I)I
    move-result v2
    iput v2, p0, Ljava/util/zip/ZipFile;->left:I
    add-int/lit8 v2, v1, 0x10
    invoke-direct {p0, v2}, Ljava/util/zip/ZipFile;->four(I)I
    move-result v2
    iput v2, p0, Ljava/util/zip/ZipFile;->at:I
    return-void
.end method

.method private two(I)I
    .locals 3
    iget-object v0, p0, Ljava/util/zip/ZipFile;->bytes:[B
    aget-byte v1, v0, p1
    and-int/lit16 v1, v1, 0xff
    add-int/lit8 p1, p1, 0x1
    aget-byte v2, v0, p1
    and-int/lit16 v2, v2, 0xff
    shl-int/lit8 v2, v2, 0x8
    or-int/2addr v1, v2
    return v1
.end method

.method private four(I)I
    .locals 2
    invoke-direct {p0, p1}, Ljava/util/zip/ZipFile;->two(I)I
    move-result v0
    add-int/lit8 p1, p1, 0x2
    invoke-direct {p0, p1}, Ljava/util/zip/ZipFile;->two(I)I
    move-result v1
    shl-int/lit8 v1, v1, 0x10
    or-int/2addr v0, v1
    return v0
.end method

.method public getEntry(Ljava/lang/String;)Ljava/util/zip/ZipEntry;
    .locals 4
    iget v0, p0, Ljava/util/zip/ZipFile;->left:I
    iget v1, p0, Ljava/util/zip/ZipFile;->at:I
    :next
    invoke-virtual {p0}, Ljava/util/zip/ZipFile;->hasMoreElements()Z
    move-result v2
    if-eqz v2, :none
    invoke-virtual {p0}, Ljava/util/zip/ZipFile;->nextElement()Ljava/lang/Object;
    move-result-object v2
    check-cast v2, Ljava/util/zip/ZipEntry;
    iget-object v3, v2, Ljava/util/zip/ZipEntry;->name:Ljava/lang/String;
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :next
    goto :end
    :none
    const/4 v2, 0x0
    :end
    iput v0, p0, Ljava/util/zip/ZipFile;->left:I
    iput v1, p0, Ljava/util/zip/ZipFile;->at:I
    return-object v2
.end method

# Only one enumeration at a time.
.method public entries()Ljava/util/Enumeration;
    .locals 0
    return-object p0
.end method

.method public hasMoreElements()Z
    .locals 1
    iget v0, p0, Ljava/util/zip/ZipFile;->left:I
    if-eqz v0, :none
    const/4 v0, 0x1
    :none
    return v0
.end method

.method public nextElement()Ljava/lang/Object;
    .locals 6
    iget v0, p0, Ljava/util/zip/ZipFile;->at:I
    iget-object v1, p0, Ljava/util/zip/ZipFile;->bytes:[B
    add-int/lit8 v2, v0, 0x1c
    invoke-direct {p0, v2}, Ljava/util/zip/ZipFile;->two(I)I
    move-result v2
    add-int/lit8 v3, v0, 0x2e
    new-instance v4, Ljava/lang/String;
    const-string v5, "UTF-8"
    invoke-direct {v4, v1, v3, v2, v5}, Ljava/lang/String;-><init>([BIILjava/lang/String;)V
    new-instance v1, Ljava/util/zip/ZipEntry;
    invoke-direct {v1, v4}, Ljava/util/zip/ZipEntry;-><init>(Ljava/lang/String;)V
    add-int/2addr v3, v2
    add-int/lit8 v4, v0, 0x1e
    invoke-direct {p0, v4}, Ljava/util/zip/ZipFile;->two(I)I
    move-result v4
    add-int/2addr v3, v4
    add-int/lit8 v4, v0, 0x20
    invoke-direct {p0, v4}, Ljava/util/zip/ZipFile;->two(I)I
    move-result v4
    add-int/2addr v3, v4
    iput v3, p0, Ljava/util/zip/ZipFile;->at:I
    add-int/lit8 v4, v0, 0xa
    invoke-direct {p0, v4}, Ljava/util/zip/ZipFile;->two(I)I
    move-result v4
    iput v4, v1, Ljava/util/zip/ZipEntry;->method:I
    add-int/lit8 v4, v0, 0x14
    invoke-direct {p0, v4}, Ljava/util/zip/ZipFile;->four(I)I
    move-result v4
    iput v4, v1, Ljava/util/zip/ZipEntry;->packed:I
    add-int/lit8 v4, v0, 0x18
    invoke-direct {p0, v4}, Ljava/util/zip/ZipFile;->four(I)I
    move-result v4
    iput v4, v1, Ljava/util/zip/ZipEntry;->size:I
    add-int/lit8 v4, v0, 0x2a
    invoke-direct {p0, v4}, Ljava/util/zip/ZipFile;->four(I)I
    move-result v4
    iput v4, v1, Ljava/util/zip/ZipEntry;->header:I
    iget v4, p0, Ljava/util/zip/ZipFile;->left:I
    add-int/lit8 v4, v4, -0x1
    iput v4, p0, Ljava/util/zip/ZipFile;->left:I
    return-object v1
.end method

.method public getInputStream(Ljava/util/zip/ZipEntry;)Ljava/io/InputStream;
    .locals 6
    iget v0, p1, Ljava/util/zip/ZipEntry;->header:I
    add-int/lit8 v1, v0, 0x1a
    invoke-direct {p0, v1}, Ljava/util/zip/ZipFile;->two(I)I
    move-result v1
    add-int/lit8 v2, v0, 0x1c
    invoke-direct {p0, v2}, Ljava/util/zip/ZipFile;->two(I)I
    move-result v2
    add-int/lit8 v0, v0, 0x1e
    add-int/2addr v0, v1
    add-int/2addr v0, v2
    iget-object v1, p0, Ljava/util/zip/ZipFile;->bytes:[B
    iget v2, p1, Ljava/util/zip/ZipEntry;->packed:I
    iget v3, p1, Ljava/util/zip/ZipEntry;->size:I
    iget v4, p1, Ljava/util/zip/ZipEntry;->method:I
    if-nez v4, :deflated
    new-array v4, v3, [B
    const/4 v5, 0x0
    invoke-static {v1, v0, v4, v5, v3}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    goto :open
    :deflated
    invoke-static {v1, v0, v2, v3}, Lhostruntime/Files;->inflate([BIII)[B
    move-result-object v4
    :open
    new-instance v5, Ljava/io/ByteArrayInputStream;
    invoke-direct {v5, v4}, Ljava/io/ByteArrayInputStream;-><init>([B)V
    return-object v5
.end method

.method public close()V
    .locals 0
    return-void
.end method


.class public final Ljava/util/Locale;
.field private final language:Ljava/lang/String;
.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/util/Locale;->language:Ljava/lang/String;
    return-void
.end method
.method public static getDefault()Ljava/util/Locale;
    .locals 2
    const-string v0, "user.language"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Ljava/util/Locale;
    invoke-direct {v1, v0}, Ljava/util/Locale;-><init>(Ljava/lang/String;)V
    return-object v1
.end method
.method public getLanguage()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/util/Locale;->language:Ljava/lang/String;
    return-object v0
.end method


# Arrays that programs gave to what copies them: keys and dex files. A program that wants to leave none behind wipes them.
.class public final Lhostruntime/Given;
.super Ljava/lang/Object;
.field static final arrays:Ljava/util/ArrayList;
.method static constructor <clinit>()V
    .locals 1
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    sput-object v0, Lhostruntime/Given;->arrays:Ljava/util/ArrayList;
    return-void
.end method
.method public static remember([B)V
    .locals 1
    sget-object v0, Lhostruntime/Given;->arrays:Ljava/util/ArrayList;
    invoke-virtual {v0, p0}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    return-void
.end method
.method public static copy([B)[B
    .locals 3
    invoke-static {p0}, Lhostruntime/Given;->remember([B)V
    array-length v0, p0
    new-array v1, v0, [B
    const/4 v2, 0x0
    invoke-static {p0, v2, v1, v2, v0}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    return-object v1
.end method
.method public static count()I
    .locals 1
    sget-object v0, Lhostruntime/Given;->arrays:Ljava/util/ArrayList;
    invoke-virtual {v0}, Ljava/util/ArrayList;->size()I
    move-result v0
    return v0
.end method
# How many still hold something.
.method public static left()I
    .locals 6
    const/4 v0, 0x0
    const/4 v1, 0x0
    :next
    invoke-static {}, Lhostruntime/Given;->count()I
    move-result v2
    if-ge v1, v2, :end
    sget-object v2, Lhostruntime/Given;->arrays:Ljava/util/ArrayList;
    invoke-virtual {v2, v1}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v2
    check-cast v2, [B
    add-int/lit8 v1, v1, 0x1
    const/4 v3, 0x0
    :byte
    array-length v4, v2
    if-ge v3, v4, :next
    aget-byte v5, v2, v3
    add-int/lit8 v3, v3, 0x1
    if-eqz v5, :byte
    add-int/lit8 v0, v0, 0x1
    goto :next
    :end
    return v0
.end method


.class public interface abstract Ljava/security/Key;


.class public interface abstract Ljavax/crypto/SecretKey;
.implements Ljava/security/Key;


.class public Ljavax/crypto/spec/SecretKeySpec;
.implements Ljavax/crypto/SecretKey;
.field public final bytes:[B
.method public constructor <init>([BLjava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    invoke-static {p1}, Lhostruntime/Given;->copy([B)[B
    move-result-object p1
    iput-object p1, p0, Ljavax/crypto/spec/SecretKeySpec;->bytes:[B
    return-void
.end method


# HMAC-SHA-256 alone.
.class public Ljavax/crypto/Mac;
.field private key:[B
.field private final given:Ljava/io/ByteArrayOutputStream;
.method private constructor <init>()V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    new-instance v0, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v0}, Ljava/io/ByteArrayOutputStream;-><init>()V
    iput-object v0, p0, Ljavax/crypto/Mac;->given:Ljava/io/ByteArrayOutputStream;
    return-void
.end method
.method public static getInstance(Ljava/lang/String;)Ljavax/crypto/Mac;
    .locals 1
    const-string v0, "HmacSHA256"
    invoke-virtual {v0, p0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-nez v0, :known
    new-instance v0, Ljava/security/NoSuchAlgorithmException;
    invoke-direct {v0, p0}, Ljava/security/NoSuchAlgorithmException;-><init>(Ljava/lang/String;)V
    throw v0
    :known
    new-instance v0, Ljavax/crypto/Mac;
    invoke-direct {v0}, Ljavax/crypto/Mac;-><init>()V
    return-object v0
.end method
.method public init(Ljava/security/Key;)V
    .locals 1
    check-cast p1, Ljavax/crypto/spec/SecretKeySpec;
    iget-object v0, p1, Ljavax/crypto/spec/SecretKeySpec;->bytes:[B
    iput-object v0, p0, Ljavax/crypto/Mac;->key:[B
    return-void
.end method
.method public update([BII)V
    .locals 1
    iget-object v0, p0, Ljavax/crypto/Mac;->given:Ljava/io/ByteArrayOutputStream;
    invoke-virtual {v0, p1, p2, p3}, Ljava/io/ByteArrayOutputStream;->write([BII)V
    return-void
.end method
.method public doFinal()[B
    .locals 2
    iget-object v0, p0, Ljavax/crypto/Mac;->given:Ljava/io/ByteArrayOutputStream;
    invoke-virtual {v0}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v0
    iget-object v1, p0, Ljavax/crypto/Mac;->key:[B
    invoke-static {v1, v0}, Lhostruntime/Files;->hmac([B[B)[B
    move-result-object v0
    return-object v0
.end method
.method public doFinal([B)[B
    .locals 1
    iget-object v0, p0, Ljavax/crypto/Mac;->given:Ljava/io/ByteArrayOutputStream;
    invoke-virtual {v0, p1}, Ljava/io/OutputStream;->write([B)V
    invoke-virtual {p0}, Ljavax/crypto/Mac;->doFinal()[B
    move-result-object v0
    return-object v0
.end method


# Random, in base64 in place of the usual form.
.class public final Ljava/util/UUID;
.field private final text:Ljava/lang/String;
.method private constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/util/UUID;->text:Ljava/lang/String;
    return-void
.end method
.method public static randomUUID()Ljava/util/UUID;
    .locals 2
    const/16 v0, 0x10
    invoke-static {v0}, Lhostruntime/Files;->random(I)[B
    move-result-object v0
    invoke-static {v0}, Lhostruntime/Files;->base64([B)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Ljava/util/UUID;
    invoke-direct {v1, v0}, Ljava/util/UUID;-><init>(Ljava/lang/String;)V
    return-object v1
.end method
.method public toString()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/util/UUID;->text:Ljava/lang/String;
    return-object v0
.end method


# http://HOST:PORT/PATH
.class public final Ljava/net/URL;
.field private final text:Ljava/lang/String;
.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/net/URL;->text:Ljava/lang/String;
    return-void
.end method
.method public openConnection()Ljava/net/URLConnection;
    .locals 6
    iget-object v0, p0, Ljava/net/URL;->text:Ljava/lang/String;
    const/16 v1, 0x2f
    const/4 v2, 0x7
    invoke-virtual {v0, v1, v2}, Ljava/lang/String;->indexOf(II)I
    move-result v1
    const/16 v3, 0x3a
    invoke-virtual {v0, v3, v2}, Ljava/lang/String;->indexOf(II)I
    move-result v3
    invoke-virtual {v0, v2, v3}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v4
    add-int/lit8 v3, v3, 0x1
    invoke-virtual {v0, v3, v1}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v5
    invoke-static {v5}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v5
    invoke-virtual {v0, v1}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Ljava/net/HttpURLConnection;
    invoke-direct {v1, v4, v5, v0}, Ljava/net/HttpURLConnection;-><init>(Ljava/lang/String;ILjava/lang/String;)V
    return-object v1
.end method


.class public abstract Ljava/net/URLConnection;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method


# One request over a connection of its own, sent when its answer is asked for.
.class public Ljava/net/HttpURLConnection;
.super Ljava/net/URLConnection;
.field private final host:Ljava/lang/String;
.field private final port:I
.field private final path:Ljava/lang/String;
.field private method:Ljava/lang/String;
.field private final headers:Ljava/lang/StringBuilder;
.field private final body:Ljava/io/ByteArrayOutputStream;
.field private answer:Ljava/lang/String;

.method public constructor <init>(Ljava/lang/String;ILjava/lang/String;)V
    .locals 1
    invoke-direct {p0}, Ljava/net/URLConnection;-><init>()V
    iput-object p1, p0, Ljava/net/HttpURLConnection;->host:Ljava/lang/String;
    iput p2, p0, Ljava/net/HttpURLConnection;->port:I
    iput-object p3, p0, Ljava/net/HttpURLConnection;->path:Ljava/lang/String;
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    iput-object v0, p0, Ljava/net/HttpURLConnection;->headers:Ljava/lang/StringBuilder;
    new-instance v0, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v0}, Ljava/io/ByteArrayOutputStream;-><init>()V
    iput-object v0, p0, Ljava/net/HttpURLConnection;->body:Ljava/io/ByteArrayOutputStream;
    return-void
.end method
.method public setConnectTimeout(I)V
    .locals 0
    return-void
.end method
.method public setReadTimeout(I)V
    .locals 0
    return-void
.end method
.method public setInstanceFollowRedirects(Z)V
    .locals 0
    return-void
.end method
.method public setDoOutput(Z)V
    .locals 0
    return-void
.end method
.method public setFixedLengthStreamingMode(I)V
    .locals 2
    const-string v0, "content-length"
    invoke-static {p1}, Ljava/lang/String;->valueOf(I)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {p0, v0, v1}, Ljava/net/HttpURLConnection;->setRequestProperty(Ljava/lang/String;Ljava/lang/String;)V
    return-void
.end method
.method public setRequestMethod(Ljava/lang/String;)V
    .locals 0
    iput-object p1, p0, Ljava/net/HttpURLConnection;->method:Ljava/lang/String;
    return-void
.end method
.method public setRequestProperty(Ljava/lang/String;Ljava/lang/String;)V
    .locals 2
    iget-object v0, p0, Ljava/net/HttpURLConnection;->headers:Ljava/lang/StringBuilder;
    invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v1, ": "
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0, p2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v1, "\r\n"
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-void
.end method
.method public getOutputStream()Ljava/io/OutputStream;
    .locals 1
    iget-object v0, p0, Ljava/net/HttpURLConnection;->body:Ljava/io/ByteArrayOutputStream;
    return-object v0
.end method
.method public getResponseCode()I
    .locals 5
    new-instance v0, Ljava/lang/StringBuilder;
    iget-object v1, p0, Ljava/net/HttpURLConnection;->method:Ljava/lang/String;
    invoke-direct {v0, v1}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
    const/16 v1, 0x20
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    iget-object v1, p0, Ljava/net/HttpURLConnection;->path:Ljava/lang/String;
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v1, " HTTP/1.1\r\nhost: "
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    iget-object v1, p0, Ljava/net/HttpURLConnection;->host:Ljava/lang/String;
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v1, "\r\nconnection: close\r\n"
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    iget-object v1, p0, Ljava/net/HttpURLConnection;->headers:Ljava/lang/StringBuilder;
    invoke-virtual {v1}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v1, "\r\n"
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/String;->getBytes()[B
    move-result-object v0
    new-instance v1, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v1}, Ljava/io/ByteArrayOutputStream;-><init>()V
    invoke-virtual {v1, v0}, Ljava/io/OutputStream;->write([B)V
    iget-object v0, p0, Ljava/net/HttpURLConnection;->body:Ljava/io/ByteArrayOutputStream;
    invoke-virtual {v0}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v0
    invoke-virtual {v1, v0}, Ljava/io/OutputStream;->write([B)V
    invoke-virtual {v1}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v0
    iget-object v1, p0, Ljava/net/HttpURLConnection;->host:Ljava/lang/String;
    iget v2, p0, Ljava/net/HttpURLConnection;->port:I
    invoke-static {v1, v2, v0}, Lhostruntime/Files;->exchange(Ljava/lang/String;I[B)[B
    move-result-object v0
    if-nez v0, :answered
    new-instance v1, Ljava/io/IOException;
    const-string v2, "not reached"
    invoke-direct {v1, v2}, Ljava/io/IOException;-><init>(Ljava/lang/String;)V
    throw v1
    :answered
    new-instance v1, Ljava/lang/String;
    const-string v2, "UTF-8"
    invoke-direct {v1, v0, v2}, Ljava/lang/String;-><init>([BLjava/lang/String;)V
    iput-object v1, p0, Ljava/net/HttpURLConnection;->answer:Ljava/lang/String;
    const/16 v2, 0x9
    const/16 v3, 0xc
    invoke-virtual {v1, v2, v3}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v1
    invoke-static {v1}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v1
    return v1
.end method
.method public getInputStream()Ljava/io/InputStream;
    .locals 3
    iget-object v0, p0, Ljava/net/HttpURLConnection;->answer:Ljava/lang/String;
    const-string v1, "\r\n\r\n"
    invoke-virtual {v0, v1}, Ljava/lang/String;->indexOf(Ljava/lang/String;)I
    move-result v1
    add-int/lit8 v1, v1, 0x4
    invoke-virtual {v0, v1}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/String;->getBytes()[B
    move-result-object v0
    new-instance v1, Ljava/io/ByteArrayInputStream;
    invoke-direct {v1, v0}, Ljava/io/ByteArrayInputStream;-><init>([B)V
    return-object v1
.end method
# By its name in lower case, as the servers of tests write it.
.method public getHeaderField(Ljava/lang/String;)Ljava/lang/String;
    .locals 3
    iget-object v0, p0, Ljava/net/HttpURLConnection;->answer:Ljava/lang/String;
    const-string v1, "\r\n"
    invoke-virtual {v1, p1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    const-string v2, ": "
    invoke-virtual {v1, v2}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->indexOf(Ljava/lang/String;)I
    move-result v2
    if-gez v2, :there
    const/4 v0, 0x0
    return-object v0
    :there
    invoke-virtual {v1}, Ljava/lang/String;->length()I
    move-result v1
    add-int/2addr v2, v1
    const/16 v1, 0xd
    invoke-virtual {v0, v1, v2}, Ljava/lang/String;->indexOf(II)I
    move-result v1
    invoke-virtual {v0, v2, v1}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
.method public getErrorStream()Ljava/io/InputStream;
    .locals 1
    invoke-virtual {p0}, Ljava/net/HttpURLConnection;->getInputStream()Ljava/io/InputStream;
    move-result-object v0
    return-object v0
.end method
.method public disconnect()V
    .locals 0
    return-void
.end method
