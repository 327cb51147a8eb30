# The first bytes of a function, and where they lie: in its file or in memory.
.class final Lappwarden/runtime/Code;
.super Ljava/lang/Object;
.field final name:Ljava/lang/String;
.field final place:J
.field final bytes:[B
# That of ELF; 41 for ARM code of 16 bits.
.field final machine:I

.method constructor <init>(Ljava/lang/String;J[BI)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lappwarden/runtime/Code;->name:Ljava/lang/String;
    iput-wide p2, p0, Lappwarden/runtime/Code;->place:J
    iput-object p4, p0, Lappwarden/runtime/Code;->bytes:[B
    iput p5, p0, Lappwarden/runtime/Code;->machine:I
    return-void
.end method

# Whether what is there instead of the first bytes begins with a jump or a trap, as hooks write it.
.method static isBranch(I[B[B)Z
    .locals 6
    const/16 v0, 0xb7
    if-eq p0, v0, :arm64
    const/16 v0, 0x28
    if-eq p0, v0, :arm
    const/16 v0, 0x29
    if-eq p0, v0, :thumb
    invoke-static {p2}, Lappwarden/runtime/Code;->jumpsOnIntel([B)Z
    move-result v0
    return v0

    :arm64
    const/4 v0, 0x0
    :next64
    invoke-static {p2, v0}, Lappwarden/runtime/Code;->word([BI)I
    move-result v1
    invoke-static {p1, v0}, Lappwarden/runtime/Code;->word([BI)I
    move-result v2
    add-int/lit8 v0, v0, 0x4
    if-eqz v1, :no
    if-eq v1, v2, :next64
    # B, BR, BRK
    const/high16 v3, -0x4000000
    and-int/2addr v3, v1
    const/high16 v4, 0x14000000
    if-eq v3, v4, :yes
    const v3, -0x3e1
    and-int/2addr v3, v1
    const/high16 v4, -0x29e10000
    if-eq v3, v4, :yes
    const v3, -0x1fffe1
    and-int/2addr v3, v1
    const/high16 v4, -0x2be00000
    if-eq v3, v4, :yes
    goto :next64

    :arm
    const/4 v0, 0x0
    :next32
    invoke-static {p2, v0}, Lappwarden/runtime/Code;->word([BI)I
    move-result v1
    invoke-static {p1, v0}, Lappwarden/runtime/Code;->word([BI)I
    move-result v2
    add-int/lit8 v0, v0, 0x4
    if-eqz v1, :no
    if-eq v1, v2, :next32
    # LDR PC, [PC, #-4], B, BX, BKPT
    const v3, -0x1ae00ffc
    if-eq v1, v3, :yes
    const/high16 v3, 0xf000000
    and-int/2addr v3, v1
    const/high16 v4, 0xa000000
    if-eq v3, v4, :yes
    const v3, 0xffffff0
    and-int/2addr v3, v1
    const v4, 0x12fff10
    if-eq v3, v4, :yes
    const v3, -0xfff10
    and-int/2addr v3, v1
    const v4, -0x1edfff90
    if-eq v3, v4, :yes
    goto :next32

    :thumb
    const/4 v0, 0x0
    :half
    invoke-static {p2, v0}, Lappwarden/runtime/Code;->word([BI)I
    move-result v1
    invoke-static {p1, v0}, Lappwarden/runtime/Code;->word([BI)I
    move-result v2
    add-int/lit8 v0, v0, 0x2
    if-eqz v1, :no
    if-eq v1, v2, :half
    # LDR.W PC, [PC], B.W: the first half lies in the lower bits. B, BX, BKPT
    const v3, -0xfff0001
    and-int/2addr v3, v1
    const v4, -0xfff0721
    if-eq v3, v4, :yes
    const v3, -0x2fff0800
    and-int/2addr v3, v1
    const v4, -0x6fff1000
    if-eq v3, v4, :yes
    const v3, 0xf800
    and-int/2addr v3, v1
    const v4, 0xe000
    if-eq v3, v4, :yes
    const v3, 0xff87
    and-int/2addr v3, v1
    const/16 v4, 0x4700
    if-eq v3, v4, :yes
    const v3, 0xff00
    and-int/2addr v3, v1
    const v4, 0xbe00
    if-eq v3, v4, :yes
    goto :half
    :yes
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

# Four bytes, the lowest first; 0 behind the last ones.
.method private static word([BI)I
    .locals 3
    array-length v0, p0
    add-int/lit8 v1, p1, 0x4
    if-le v1, v0, :there
    const/4 v0, 0x0
    return v0
    :there
    const/4 v2, 0x4
    invoke-static {p0, p1, v2}, Lappwarden/runtime/Elf;->number([BII)J
    move-result-wide v0
    long-to-int v0, v0
    return v0
.end method

# JMP, INT3, PUSH with RET, MOV of an address with JMP; behind ENDBR, too.
.method private static jumpsOnIntel([B)Z
    .locals 5
    const/4 v0, 0x0
    array-length v1, p0
    const/16 v2, 0x10
    if-lt v1, v2, :no
    aget-byte v1, p0, v0
    const/16 v2, -0xd
    if-ne v1, v2, :first
    const/4 v1, 0x1
    aget-byte v1, p0, v1
    const/16 v2, 0xf
    if-ne v1, v2, :first
    const/4 v0, 0x4
    :first
    aget-byte v1, p0, v0
    const/16 v2, -0x17
    if-eq v1, v2, :yes
    const/16 v2, -0x15
    if-eq v1, v2, :yes
    const/16 v2, -0x34
    if-eq v1, v2, :yes
    add-int/lit8 v3, v0, 0x1
    aget-byte v3, p0, v3
    const/4 v2, -0x1
    if-eq v1, v2, :jump
    const/16 v2, 0x68
    if-eq v1, v2, :push
    const/16 v2, 0x48
    if-eq v1, v2, :move
    const/16 v2, 0x49
    if-eq v1, v2, :move
    goto :no
    # FF 25, FF E0 to E7
    :jump
    const/16 v2, 0x25
    if-eq v3, v2, :yes
    and-int/lit8 v3, v3, -0x8
    const/16 v2, -0x20
    if-eq v3, v2, :yes
    goto :no
    :push
    add-int/lit8 v3, v0, 0x5
    aget-byte v3, p0, v3
    const/16 v2, -0x3d
    if-eq v3, v2, :yes
    goto :no
    # 48 B8 to BF, eight bytes, FF or 41 FF
    :move
    and-int/lit8 v3, v3, -0x8
    const/16 v2, -0x48
    if-ne v3, v2, :no
    add-int/lit8 v3, v0, 0xa
    aget-byte v3, p0, v3
    const/4 v2, -0x1
    if-eq v3, v2, :yes
    const/16 v2, 0x41
    if-eq v3, v2, :yes
    :no
    const/4 v0, 0x0
    return v0
    :yes
    const/4 v0, 0x1
    return v0
.end method
