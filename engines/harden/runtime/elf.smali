# Reads functions of an ELF file by its table of dynamic symbols. What is odd throws.
.class final Lappwarden/runtime/Elf;
.super Ljava/lang/Object;

.field private final file:Ljava/io/RandomAccessFile;
.field private final header:[B
# Bytes of an address: 4 or 8.
.field private final wide:I

.method private constructor <init>(Ljava/io/RandomAccessFile;)V
    .locals 3
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lappwarden/runtime/Elf;->file:Ljava/io/RandomAccessFile;
    const-wide/16 v0, 0x0
    const/16 v2, 0x40
    invoke-static {p1, v0, v1, v2}, Lappwarden/runtime/Libraries;->bytes(Ljava/io/RandomAccessFile;JI)[B
    move-result-object v0
    iput-object v0, p0, Lappwarden/runtime/Elf;->header:[B
    const/4 v1, 0x4
    aget-byte v1, v0, v1
    shl-int/lit8 v1, v1, 0x2
    iput v1, p0, Lappwarden/runtime/Elf;->wide:I
    return-void
.end method

# A number of some bytes, the lowest first.
.method static number([BII)J
    .locals 5
    const-wide/16 v0, 0x0
    :next
    if-lez p2, :end
    add-int/lit8 p2, p2, -0x1
    const/16 v2, 0x8
    shl-long/2addr v0, v2
    add-int v2, p1, p2
    aget-byte v2, p0, v2
    and-int/lit16 v2, v2, 0xff
    int-to-long v2, v2
    or-long/2addr v0, v2
    goto :next
    :end
    return-wide v0
.end method

# An address of a table: its place there with four bytes an address, and with eight.
.method private address([BIII)J
    .locals 2
    iget v0, p0, Lappwarden/runtime/Elf;->wide:I
    const/4 v1, 0x4
    if-eq v0, v1, :narrow
    move p3, p4
    :narrow
    add-int/2addr p2, p3
    invoke-static {p1, p2, v0}, Lappwarden/runtime/Elf;->number([BII)J
    move-result-wide v0
    return-wide v0
.end method

# A part of the file of at most 16 MiB: where it begins, how long it is.
.method private part(JJ)[B
    .locals 2
    const-wide/32 v0, 0x1000000
    cmp-long v0, p3, v0
    if-gtz v0, :odd
    iget-object v0, p0, Lappwarden/runtime/Elf;->file:Ljava/io/RandomAccessFile;
    long-to-int v1, p3
    invoke-static {v0, p1, p2, v1}, Lappwarden/runtime/Libraries;->bytes(Ljava/io/RandomAccessFile;JI)[B
    move-result-object v0
    return-object v0
    :odd
    new-instance v0, Ljava/lang/IllegalStateException;
    const-string v1, "size"
    invoke-direct {v0, v1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
    throw v0
.end method

# A table of headers: that of segments (28 or 32, 42 or 54) or sections (32 or 40, 46 or 58): size of a row, number of rows.
.method private headers(IIII)[B
    .locals 6
    iget-object v0, p0, Lappwarden/runtime/Elf;->header:[B
    const/4 v1, 0x0
    invoke-direct {p0, v0, v1, p1, p2}, Lappwarden/runtime/Elf;->address([BIII)J
    move-result-wide v2
    invoke-direct {p0, p3, p4}, Lappwarden/runtime/Elf;->half(II)I
    move-result v4
    add-int/lit8 p3, p3, 0x2
    add-int/lit8 p4, p4, 0x2
    invoke-direct {p0, p3, p4}, Lappwarden/runtime/Elf;->half(II)I
    move-result v5
    mul-int/2addr v4, v5
    int-to-long v4, v4
    invoke-direct {p0, v2, v3, v4, v5}, Lappwarden/runtime/Elf;->part(JJ)[B
    move-result-object v0
    return-object v0
.end method

.method private half(II)I
    .locals 2
    iget v0, p0, Lappwarden/runtime/Elf;->wide:I
    const/4 v1, 0x4
    if-eq v0, v1, :narrow
    move p1, p2
    :narrow
    iget-object v0, p0, Lappwarden/runtime/Elf;->header:[B
    const/4 v1, 0x2
    invoke-static {v0, p1, v1}, Lappwarden/runtime/Elf;->number([BII)J
    move-result-wide v0
    long-to-int v0, v0
    return v0
.end method

# Contents of a section by the place of its row.
.method private section([BI)[B
    .locals 6
    const/16 v0, 0x10
    const/16 v1, 0x18
    invoke-direct {p0, p1, p2, v0, v1}, Lappwarden/runtime/Elf;->address([BIII)J
    move-result-wide v2
    const/16 v0, 0x14
    const/16 v1, 0x20
    invoke-direct {p0, p1, p2, v0, v1}, Lappwarden/runtime/Elf;->address([BIII)J
    move-result-wide v4
    invoke-direct {p0, v2, v3, v4, v5}, Lappwarden/runtime/Elf;->part(JJ)[B
    move-result-object v0
    return-object v0
.end method

# Adds the functions of the dynamic symbols whose names begin with one of the names, each of which ends with a space; a bar is the end of a symbol.
.method static read(Ljava/io/RandomAccessFile;Ljava/lang/String;Ljava/util/ArrayList;)V
    .locals 11
    new-instance v0, Lappwarden/runtime/Elf;
    invoke-direct {v0, p0}, Lappwarden/runtime/Elf;-><init>(Ljava/io/RandomAccessFile;)V
    const/16 v1, 0x20
    const/16 v2, 0x28
    const/16 v3, 0x2e
    const/16 v4, 0x3a
    invoke-direct {v0, v1, v2, v3, v4}, Lappwarden/runtime/Elf;->headers(IIII)[B
    move-result-object v1
    iget v2, v0, Lappwarden/runtime/Elf;->wide:I
    const/16 v3, 0x28
    const/4 v4, 0x4
    if-eq v2, v4, :rows
    const/16 v3, 0x40
    :rows
    # v1: sections, v3: size of a row, v4: the row
    const/4 v4, 0x0
    :next
    array-length v5, v1
    if-ge v4, v5, :none
    add-int/lit8 v5, v4, 0x4
    const/4 v6, 0x4
    invoke-static {v1, v5, v6}, Lappwarden/runtime/Elf;->number([BII)J
    move-result-wide v5
    long-to-int v5, v5
    const/16 v6, 0xb
    if-eq v5, v6, :symbols
    add-int/2addr v4, v3
    goto :next
    :symbols
    invoke-direct {v0, v1, v4}, Lappwarden/runtime/Elf;->section([BI)[B
    move-result-object v5
    # sh_link
    const/16 v6, 0x18
    const/4 v7, 0x4
    if-eq v2, v7, :linked
    const/16 v6, 0x28
    :linked
    add-int/2addr v6, v4
    invoke-static {v1, v6, v7}, Lappwarden/runtime/Elf;->number([BII)J
    move-result-wide v6
    long-to-int v6, v6
    mul-int/2addr v6, v3
    invoke-direct {v0, v1, v6}, Lappwarden/runtime/Elf;->section([BI)[B
    move-result-object v6
    invoke-static {v6}, Lappwarden/runtime/Elf;->text([B)Ljava/lang/String;
    move-result-object v6
    const/16 v1, 0x1c
    const/16 v2, 0x20
    const/16 v3, 0x2a
    const/16 v4, 0x36
    invoke-direct {v0, v1, v2, v3, v4}, Lappwarden/runtime/Elf;->headers(IIII)[B
    move-result-object v1
    invoke-static {p1}, Lappwarden/runtime/Elf;->words(Ljava/lang/String;)Ljava/util/ArrayList;
    move-result-object v2
    # v3: size of a symbol, v4: the symbol
    iget v3, v0, Lappwarden/runtime/Elf;->wide:I
    add-int/lit8 v3, v3, 0x4
    shl-int/lit8 v3, v3, 0x1
    const/4 v4, 0x0
    :symbol
    array-length v7, v5
    add-int v8, v4, v3
    if-gt v8, v7, :none
    const/4 v7, 0x4
    invoke-static {v5, v4, v7}, Lappwarden/runtime/Elf;->number([BII)J
    move-result-wide v7
    long-to-int v7, v7
    invoke-static {v6, v7, v2}, Lappwarden/runtime/Elf;->begins(Ljava/lang/String;ILjava/util/ArrayList;)Z
    move-result v8
    if-eqz v8, :other
    const/16 v8, 0x7c
    invoke-virtual {v6, v8, v7}, Ljava/lang/String;->indexOf(II)I
    move-result v8
    invoke-virtual {v6, v7, v8}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v7
    invoke-direct {v0, v5, v4, v1, v7}, Lappwarden/runtime/Elf;->function([BI[BLjava/lang/String;)Lappwarden/runtime/Code;
    move-result-object v7
    if-eqz v7, :other
    invoke-virtual {p2, v7}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    :other
    add-int/2addr v4, v3
    goto :symbol
    :none
    return-void
.end method

.method private static begins(Ljava/lang/String;ILjava/util/ArrayList;)Z
    .locals 3
    const/4 v0, 0x0
    :next
    invoke-virtual {p2}, Ljava/util/ArrayList;->size()I
    move-result v1
    if-ge v0, v1, :no
    invoke-virtual {p2, v0}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v1
    check-cast v1, Ljava/lang/String;
    add-int/lit8 v0, v0, 0x1
    invoke-virtual {p0, v1, p1}, Ljava/lang/String;->startsWith(Ljava/lang/String;I)Z
    move-result v1
    if-eqz v1, :next
    const/4 v1, 0x1
    return v1
    :no
    const/4 v1, 0x0
    return v1
.end method

.method private static words(Ljava/lang/String;)Ljava/util/ArrayList;
    .locals 5
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    const/4 v1, 0x0
    :next
    const/16 v2, 0x20
    invoke-virtual {p0, v2, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v2
    if-ltz v2, :end
    invoke-virtual {p0, v1, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v0, v3}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    add-int/lit8 v1, v2, 0x1
    goto :next
    :end
    return-object v0
.end method

# Names with a bar behind each.
.method private static text([B)Ljava/lang/String;
    .locals 4
    const/4 v0, 0x0
    :next
    array-length v1, p0
    if-ge v0, v1, :end
    aget-byte v1, p0, v0
    if-nez v1, :other
    const/16 v1, 0x7c
    aput-byte v1, p0, v0
    :other
    add-int/lit8 v0, v0, 0x1
    goto :next
    :end
    new-instance v0, Ljava/lang/String;
    const/4 v1, 0x0
    array-length v2, p0
    const-string v3, "ISO-8859-1"
    invoke-direct {v0, p0, v1, v2, v3}, Ljava/lang/String;-><init>([BIILjava/lang/String;)V
    return-object v0
.end method

# The function of a symbol; null where it is none, or is not in the file. A symbol: st_info lies at 12 or 4, st_shndx at 14 or 6.
.method private function([BI[BLjava/lang/String;)Lappwarden/runtime/Code;
    .locals 11
    iget v0, p0, Lappwarden/runtime/Elf;->wide:I
    const/16 v1, 0xc
    const/4 v2, 0x4
    if-eq v0, v2, :narrow
    const/4 v1, 0x4
    :narrow
    add-int/2addr v1, p2
    aget-byte v2, p1, v1
    and-int/lit8 v2, v2, 0xf
    const/4 v3, 0x2
    if-eq v2, v3, :function
    # STT_GNU_IFUNC
    const/16 v3, 0xa
    if-ne v2, v3, :none
    :function
    add-int/lit8 v1, v1, 0x2
    const/4 v2, 0x2
    invoke-static {p1, v1, v2}, Lappwarden/runtime/Elf;->number([BII)J
    move-result-wide v1
    long-to-int v1, v1
    if-eqz v1, :none
    const/4 v1, 0x4
    const/16 v2, 0x8
    invoke-direct {p0, p1, p2, v1, v2}, Lappwarden/runtime/Elf;->address([BIII)J
    move-result-wide v3
    const/16 v1, 0x10
    invoke-direct {p0, p1, p2, v2, v1}, Lappwarden/runtime/Elf;->address([BIII)J
    move-result-wide v5
    # v3: address, v5: size, at most 16
    const-wide/16 v7, 0x10
    cmp-long v1, v5, v7
    if-lez v1, :small
    move-wide v5, v7
    :small
    const-wide/16 v7, 0x4
    cmp-long v1, v5, v7
    if-ltz v1, :none
    iget-object v1, p0, Lappwarden/runtime/Elf;->header:[B
    const/16 v2, 0x12
    const/4 v7, 0x2
    invoke-static {v1, v2, v7}, Lappwarden/runtime/Elf;->number([BII)J
    move-result-wide v1
    long-to-int v10, v1
    # ARM: the lowest bit says that instructions have 16 bits.
    const/16 v1, 0x28
    if-ne v10, v1, :aligned
    const-wide/16 v1, 0x1
    and-long/2addr v1, v3
    long-to-int v7, v1
    add-int/2addr v10, v7
    sub-long/2addr v3, v1
    :aligned
    invoke-direct {p0, p3, v3, v4}, Lappwarden/runtime/Elf;->offset([BJ)J
    move-result-wide v7
    const-wide/16 v1, 0x0
    cmp-long v1, v7, v1
    if-ltz v1, :none
    invoke-direct {p0, v7, v8, v5, v6}, Lappwarden/runtime/Elf;->part(JJ)[B
    move-result-object v9
    new-instance v5, Lappwarden/runtime/Code;
    move-object v6, p4
    invoke-direct/range {v5 .. v10}, Lappwarden/runtime/Code;-><init>(Ljava/lang/String;J[BI)V
    return-object v5
    :none
    const/4 v0, 0x0
    return-object v0
.end method

# Where an address lies in the file, by the segments that are loaded; -1 where it does not.
.method private offset([BJ)J
    .locals 9
    iget v0, p0, Lappwarden/runtime/Elf;->wide:I
    const/16 v1, 0x20
    const/4 v2, 0x4
    if-eq v0, v2, :rows
    const/16 v1, 0x38
    :rows
    const/4 v0, 0x0
    :next
    array-length v2, p1
    if-ge v0, v2, :none
    const/4 v2, 0x4
    invoke-static {p1, v0, v2}, Lappwarden/runtime/Elf;->number([BII)J
    move-result-wide v2
    long-to-int v2, v2
    const/4 v3, 0x1
    if-ne v2, v3, :other
    const/16 v2, 0x8
    const/16 v3, 0x10
    invoke-direct {p0, p1, v0, v2, v3}, Lappwarden/runtime/Elf;->address([BIII)J
    move-result-wide v4
    const/16 v2, 0x10
    const/16 v3, 0x20
    invoke-direct {p0, p1, v0, v2, v3}, Lappwarden/runtime/Elf;->address([BIII)J
    move-result-wide v6
    # From the start of the segment.
    sub-long v4, p2, v4
    const-wide/16 v2, 0x0
    cmp-long v2, v4, v2
    if-ltz v2, :other
    cmp-long v2, v4, v6
    if-gez v2, :other
    const/4 v2, 0x4
    const/16 v3, 0x8
    invoke-direct {p0, p1, v0, v2, v3}, Lappwarden/runtime/Elf;->address([BIII)J
    move-result-wide v6
    add-long/2addr v4, v6
    return-wide v4
    :other
    add-int/2addr v0, v1
    goto :next
    :none
    const-wide/16 v0, -0x1
    return-wide v0
.end method
