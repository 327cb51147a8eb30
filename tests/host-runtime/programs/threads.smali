# Threads, monitors, waiting, and the end of a process.
.class public Lprograms/Threads;
.super Ljava/lang/Thread;
.field private static count:I
.field private static ready:Z
.field private static final lock:Ljava/lang/Object;

.method static constructor <clinit>()V
    .locals 1
    new-instance v0, Ljava/lang/Object;
    invoke-direct {v0}, Ljava/lang/Object;-><init>()V
    sput-object v0, Lprograms/Threads;->lock:Ljava/lang/Object;
    return-void
.end method

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Thread;-><init>()V
    return-void
.end method

# The flag alone locks nothing in a dex file: the code does.
.method static declared-synchronized increase()V
    .locals 2
    const-class v1, Lprograms/Threads;
    monitor-enter v1
    :try
    sget v0, Lprograms/Threads;->count:I
    add-int/lit8 v0, v0, 0x1
    sput v0, Lprograms/Threads;->count:I
    :try_end
    .catchall {:try .. :try_end} :failed
    monitor-exit v1
    return-void
    :failed
    move-exception v0
    monitor-exit v1
    throw v0
.end method

.method public run()V
    .locals 3
    sget-object v0, Lprograms/Threads;->lock:Ljava/lang/Object;
    monitor-enter v0
    :try
    :again
    sget-boolean v1, Lprograms/Threads;->ready:Z
    if-nez v1, :go
    invoke-virtual {v0}, Ljava/lang/Object;->wait()V
    goto :again
    :go
    monitor-exit v0
    :try_end
    .catchall {:try .. :try_end} :failed
    const/16 v1, 0x3e8
    :next
    invoke-static {}, Lprograms/Threads;->increase()V
    add-int/lit8 v1, v1, -0x1
    if-gtz v1, :next
    return-void
    :failed
    move-exception v1
    :exit
    monitor-exit v0
    :exit_end
    .catchall {:exit .. :exit_end} :failed
    throw v1
.end method

.method public static main([Ljava/lang/String;)V
    .locals 5
    const/4 v0, 0x4
    new-array v1, v0, [Ljava/lang/Thread;
    const/4 v2, 0x0
    :start
    if-ge v2, v0, :started
    new-instance v3, Lprograms/Threads;
    invoke-direct {v3}, Lprograms/Threads;-><init>()V
    aput-object v3, v1, v2
    invoke-virtual {v3}, Ljava/lang/Thread;->start()V
    add-int/lit8 v2, v2, 0x1
    goto :start
    :started
    sget-object v3, Lprograms/Threads;->lock:Ljava/lang/Object;
    monitor-enter v3
    const/4 v4, 0x1
    sput-boolean v4, Lprograms/Threads;->ready:Z
    invoke-virtual {v3}, Ljava/lang/Object;->notifyAll()V
    monitor-exit v3
    const/4 v2, 0x0
    :join
    if-ge v2, v0, :joined
    aget-object v3, v1, v2
    invoke-virtual {v3}, Ljava/lang/Thread;->join()V
    add-int/lit8 v2, v2, 0x1
    goto :join
    :joined
    const-string v2, "count"
    sget v3, Lprograms/Threads;->count:I
    invoke-static {v2, v3}, Lprograms/Out;->number(Ljava/lang/String;I)V
    # The process waits for this one, which is not joined.
    new-instance v0, Lprograms/Threads$Late;
    invoke-direct {v0}, Lprograms/Threads$Late;-><init>()V
    new-instance v1, Ljava/lang/Thread;
    const-string v2, "late"
    invoke-direct {v1, v0, v2}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    invoke-virtual {v1}, Ljava/lang/Thread;->start()V
    return-void
.end method


.class public Lprograms/Threads$Late;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public run()V
    .locals 2
    const-wide/16 v0, 0x32
    invoke-static {v0, v1}, Ljava/lang/Thread;->sleep(J)V
    const-string v0, "thread"
    invoke-static {}, Ljava/lang/Thread;->currentThread()Ljava/lang/Thread;
    move-result-object v1
    invoke-virtual {v1}, Ljava/lang/Thread;->getName()Ljava/lang/String;
    move-result-object v1
    invoke-static {v0, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return-void
.end method


# Ends the process with its argument as status.
.class public Lprograms/Exit;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 2
    const-string v0, "before"
    const/4 v1, 0x0
    aget-object p0, p0, v1
    invoke-static {v0, p0}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    invoke-static {p0}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v0
    invoke-static {v0}, Ljava/lang/System;->exit(I)V
    const-string v0, "behind"
    invoke-static {v0, v0}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return-void
.end method


# An exception in a thread that is not the main one.
.class public Lprograms/ThreadFails;
.super Ljava/lang/Thread;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Thread;-><init>()V
    return-void
.end method
.method public run()V
    .locals 2
    new-instance v0, Ljava/lang/IllegalStateException;
    const-string v1, "in a thread"
    invoke-direct {v0, v1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
    throw v0
.end method
.method public static main([Ljava/lang/String;)V
    .locals 1
    new-instance v0, Lprograms/ThreadFails;
    invoke-direct {v0}, Lprograms/ThreadFails;-><init>()V
    invoke-virtual {v0}, Ljava/lang/Thread;->start()V
    return-void
.end method
